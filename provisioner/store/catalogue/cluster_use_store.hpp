#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// The clusters that an entry of the catalogue has, terminated ones left out.
struct ClusterUse {
    int clusters = 0;
    long long machines = 0;

    bool operator==(const ClusterUse&) const = default;
};

/// The use of every template, or of every provider, of a tenant by its name, as of the snapshots of
/// the clusters; nothing for other kinds, which clusters do not name in their headers. Reads all
/// current clusters of the tenant once.
std::map<std::string, ClusterUse> uses_by_clusters(Connection& connection, model::TenantId tenant,
                                                   model::CatalogueKind kind);

/// A cluster that has a service, and how old the files of plugins on its machines may be.
struct ClusterOfService {
    model::ClusterId id;
    std::string name;
    std::string owner;
    model::ClusterStatus status = model::ClusterStatus::pending;
    /// When the latest job was asked for that has brought files to all its machines: its creation,
    /// or a configuration. Nothing when none has succeeded, or these jobs were pruned.
    std::optional<base::Timestamp> set_up_at;
};

/// Clusters of the tenant, terminated ones left out, that have at least one of the services, by id;
/// at most `most`.
std::vector<ClusterOfService> clusters_with_services(Connection& connection, model::TenantId tenant,
                                                     const std::vector<std::string>& services,
                                                     int most);

/// How many clusters these are in all. Looks at all clusters of the tenant.
std::size_t count_clusters_with_services(Connection& connection, model::TenantId tenant,
                                         const std::vector<std::string>& services);

}  // namespace provisioner::store
