#pragma once

#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// The numbers of the home page. Each statement reads an index over the clusters of one tenant that
// are not terminated.

/// The clusters that a caller may see and that are not terminated.
struct ClusterCounts {
    int active = 0;
    /// Those of the active and failing ones that have stopped services.
    int stopped = 0;
    int pending = 0;
    /// Incomplete or inconsistent: a person has to look.
    int failing = 0;
    /// Nodes of all of them.
    int nodes = 0;
};

/// Counts by status. Those who see all clusters of the tenant get the numbers of the tenant.
ClusterCounts count_clusters(Connection& connection, const model::Caller& caller);

/// The same of all tenants that are not deleted; nothing but zeros for others than superadmins.
ClusterCounts count_all_clusters(Connection& connection, const model::Caller& caller);

/// A cluster whose lease ends soon.
struct ExpiringCluster {
    model::ClusterId id;
    std::string name;
    /// Name of the owner, who may have been deleted.
    std::string owner;
    base::Timestamp expires_at{};
};

/// Clusters that the caller may see, are not terminated and whose lease ends before `until`; the
/// first to end comes first. Includes leases that have ended already.
std::vector<ExpiringCluster> list_expiring(Connection& connection, const model::Caller& caller,
                                           base::Timestamp until, int limit);

}  // namespace provisioner::store
