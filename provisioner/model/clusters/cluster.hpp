#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/model/catalogue/service.hpp"

namespace provisioner::model {

/// Keys of the tables tenant, user, cluster, node, job and task.
using TenantId = base::Id<struct TenantTag>;
using UserId = base::Id<struct UserTag>;
using ClusterId = base::Id<struct ClusterTag>;
using NodeId = base::Id<struct NodeTag>;
using JobId = base::Id<struct JobTag>;
using TaskId = base::Id<struct TaskTag>;

/// State of a cluster. Set when a job starts (pending) and when it ends (jobs/job_end.hpp). Which
/// operations are allowed depends on it (operations/README.md).
enum class ClusterStatus {
    /// A job has started and not ended.
    pending,
    /// The latest job is complete.
    active,
    /// A job that creates or deletes machines failed: machines may be missing or left over.
    incomplete,
    /// A job that works on services only failed: services may not match the configuration.
    inconsistent,
    /// All machines are deleted, were never made, or were given up. Final.
    terminated
};

/// The catalogue entries that a cluster was made from, copied into its row. Later changes of the
/// catalogue do not affect the cluster, so its jobs always find consistent definitions. Secret
/// fields of the provider stay sealed.
struct Snapshot {
    /// With the fields that people gave for this cluster; secret ones are in Cluster::secrets.
    Provider provider;
    /// Resolved: contains what it extends and includes.
    ClusterTemplate cluster_template;
    /// Definitions of the cluster's services. Adding a service adds its definition.
    std::vector<Service> services;
    /// Of a cluster for which no layout was found: how many machines were asked for. 0 else: the
    /// cluster counts its nodes.
    int machines_asked_for = 0;

    bool operator==(const Snapshot&) const = default;
};

/// Stored form of a snapshot (column cluster.snapshot), with the versions of its entries. Sealed
/// fields of the provider stay sealed.
///
///     {"provider": {...}, "clusterTemplate": {...}, "services": [{...}, ...]}
///
/// "machinesAskedFor" is there only if it is not 0.
///
/// SQL reads $.provider and $.provider.providertype from it, so these names must stay.
base::Json to_json(const Snapshot& snapshot);

/// Reads the stored form. Throws std::logic_error when it is damaged: only we write it.
Snapshot snapshot_from_json(const base::Json& json);

/// A row of table cluster: what was asked for and its state. The row stays after the machines are
/// gone, until retention deletes it. Some readers of the store leave out the large members
/// (services, config, snapshot); their comments say so.
struct Cluster {
    /// Unique in the installation; shown as wire_id().
    ClusterId id;
    TenantId tenant;
    /// The user who created it. 0: that user was deleted; admins of the tenant still see the
    /// cluster.
    UserId owner_id{};
    /// Name of the owner at creation; stays after the user is deleted.
    std::string owner;
    /// Valid by problem_with_name(); several clusters may share one.
    std::string name;
    /// At most longest_text bytes; may be empty.
    std::string description;
    ClusterStatus status = ClusterStatus::pending;
    /// Why the latest job failed; empty when it did not.
    std::string message;
    /// By the web process's clock.
    base::Timestamp created_at{};
    /// End of the lease: the daemon then deletes the cluster. Nothing: never.
    std::optional<base::Timestamp> expires_at;
    /// Names of its services; all are defined in the snapshot.
    std::vector<std::string> services;
    /// Configuration as the person gave it; macros are expanded for each task (macros/expand.hpp).
    base::Json config = base::Json::object();
    /// Used by all jobs in place of the catalogue.
    Snapshot snapshot;
    /// The only job that may be running; 0 before there is one.
    JobId latest_job;
    /// Nodes, including those of a job under way. Counts against the tenant's limit.
    int node_count = 0;
    /// How many of its services are stopped on at least one machine. As of the last end of a job.
    int services_stopped = 0;
    /// Suffix of its nodes' hostnames; empty: "local".
    std::string dns_suffix{};
    /// Where its provider makes machines (model::region_of); empty: without regions. Prices differ
    /// by it.
    std::string region{};
    /// Secret provider fields that a person gave for this cluster only: name -> sealed value. They
    /// take precedence over the provider's. Wiped when the cluster is terminated.
    base::Json secrets = base::Json::object();
};

/// Id in the API: "00000001", at least eight digits. Also part of machine names and log lines.
std::string wire_id(ClusterId id);

/// Ids of a job and a task in the API: "00000001-002" and "00000001-002-011". Job and task have at
/// least three digits each. Job and task numbers are unique in the installation, not per cluster.
std::string wire_id(ClusterId cluster, JobId job);
std::string wire_id(ClusterId cluster, JobId job, TaskId task);

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of cluster.status and of "status" in the API.
template <>
inline constexpr std::array words<model::ClusterStatus>{
    std::pair{model::ClusterStatus::pending, std::string_view("pending")},
    std::pair{model::ClusterStatus::active, std::string_view("active")},
    std::pair{model::ClusterStatus::incomplete, std::string_view("incomplete")},
    std::pair{model::ClusterStatus::inconsistent, std::string_view("inconsistent")},
    std::pair{model::ClusterStatus::terminated, std::string_view("terminated")}};

}  // namespace provisioner::base
