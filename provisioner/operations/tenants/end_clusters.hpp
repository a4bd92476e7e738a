#pragma once

#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// A superadmin ends the clusters of a tenant before deleting it. They act as an administrator of
// that tenant under the name "superadmin/name", which no user of the tenant can have: jobs and
// audit log say so.

/// At most `limit` clusters of the tenant that are not terminated, newest first.
std::vector<store::ClusterSummary> clusters_to_end(store::Connection& connection,
                                                   const model::Tenant& tenant, int limit);

/// What became of the clusters.
struct EndedClusters {
    /// How many are being deleted now.
    int begun = 0;
    /// Those whose job is aborted first: they can be deleted when that has ended.
    std::vector<model::ClusterId> aborted{};
    /// Why the others are not.
    std::vector<std::pair<model::ClusterId, std::string>> problems{};
};

/// Queues the deletion of these clusters of the tenant; others are left alone. A job that is under
/// way is aborted. Each by itself: one that is refused keeps none of the others. Refused with
/// forbidden unless the caller is a superadmin.
Result<EndedClusters> delete_clusters_of(store::Database& database, const model::Caller& caller,
                                         const model::Tenant& tenant,
                                         const std::vector<model::ClusterId>& clusters,
                                         base::Timestamp now);

}  // namespace provisioner::operations
