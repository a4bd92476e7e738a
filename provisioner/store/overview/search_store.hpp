#pragma once

#include <string>
#include <vector>

#include "provisioner/model/access/permission.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// What a caller finds by a text: no more than they may see; functions that need a right say so.
// Letters match in both cases. The text is taken literally: "%" and "_" are no wildcards.

/// Where is searched.
enum class Tenants {
    /// In the caller's own tenant.
    own,
    /// In all others: nothing is found for who is no superadmin.
    others
};

/// A cluster whose name contains the text, or whose number it is; in the caller's own tenant also
/// one of the newest 2,000 that are not terminated whose description contains it.
struct FoundCluster {
    model::ClusterId id;
    std::string name;
    std::string owner;
    std::string tenant;
    model::ClusterStatus status = model::ClusterStatus::pending;
    int services_stopped = 0;
    std::string description{};
};
/// Clusters that are not terminated come first, then the one of exactly this name, then the newest;
/// those found by their description alone are last.
std::vector<FoundCluster> search_clusters(Connection& connection, const model::Caller& caller,
                                          Tenants tenants, const std::string& text, int limit);

/// A machine, by host name, by address or by its UUID.
struct FoundMachine {
    model::ClusterId cluster;
    std::string cluster_name;
    std::string tenant;
    int nodenum = 0;
    std::string hostname;
};
/// Machines of clusters that are not terminated. A text of digits, dots, colons and a to f with a
/// dot or colon is an address, one of 36 characters with hyphens a UUID; else it is a host name.
/// Those of the newest clusters, the newest first; of a cluster cut by the limit, any.
std::vector<FoundMachine> search_machines(Connection& connection, const model::Caller& caller,
                                          Tenants tenants, const std::string& text, int limit);

/// An entry of the catalogue.
struct FoundEntry {
    model::EntryName entry;
    /// Empty if it has none, and in other tenants.
    std::string label;
    /// Empty in the caller's own tenant.
    std::string tenant;
};
/// Entries of these kinds whose name, label or description contains the text, without those
/// withheld from the caller. Those of exactly this name come first. Who may not see the tenant asks
/// for templates only.
std::vector<FoundEntry> search_entries(Connection& connection, const model::Caller& caller,
                                       const std::vector<model::CatalogueKind>& kinds,
                                       const std::string& text, int limit);

/// Entries of other tenants whose name contains the text, whatever their kind; nothing for who is
/// no superadmin. Labels and descriptions are not searched: they stand in documents, of which many
/// tenants have too many.
std::vector<FoundEntry> search_entries_of_others(Connection& connection,
                                                 const model::Caller& caller,
                                                 const std::string& text, int limit);

/// A user, by name.
struct FoundUser {
    std::string name;
    std::string tenant;
};
/// For those who may see the tenant.
std::vector<FoundUser> search_users(Connection& connection, const model::Caller& caller,
                                    Tenants tenants, const std::string& text, int limit);

/// Instances of provisioners (daemon_store.hpp) whose name contains the text, by name; nothing
/// for who is no superadmin.
std::vector<std::string> search_provisioners(Connection& connection, const model::Caller& caller,
                                             const std::string& text, int limit);

/// Names of tenants. For superadmins.
std::vector<std::string> search_tenants(Connection& connection, const std::string& text, int limit);

/// The name of the tenant that the cluster belongs to; empty if there is none, and for who is no
/// superadmin.
std::string tenant_of(Connection& connection, const model::Caller& superadmin,
                      model::ClusterId cluster);

/// Whether the caller may see the cluster and it has this job.
bool has_job(Connection& connection, const model::Caller& caller, model::ClusterId cluster,
             model::JobId job);

}  // namespace provisioner::store
