#pragma once

#include <optional>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/clusters/failed_deletions.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Deletions, which must work even for a cluster whose documents cannot be read. At the end of a
// lease they are retried. cluster.deletions_since is the job with which a series of failed
// deletions began. The pause before the next one grows with their number.

/// The cluster if `caller` may see it, its row locked until the transaction ends. Services,
/// configuration and snapshot are empty and are not read.
std::optional<model::Cluster> lock_outline(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster);

/// The same for any tenant. For the daemon, not for requests.
std::optional<model::Cluster> lock_outline_for_work(Connection& connection,
                                                    model::ClusterId cluster);

/// Starts a series of deletions with `job`. With `is_repeat` a running series continues instead.
/// Lease expiry passes true; a person's deletion or retry starts anew. A change of the lease ends
/// the series (update_expiry).
void note_deletion(Connection& connection, model::ClusterId cluster, model::JobId job,
                   bool is_repeat);

/// The failed deletions of the present series. Nothing when the latest job is not a failed
/// deletion, or the cluster is terminated. The count includes every job since the series began.
std::optional<model::FailedDeletions> failed_deletions(Connection& connection,
                                                       model::ClusterId cluster);

/// A cluster whose lease has ended, and its failed deletions.
struct ExpiredCluster {
    model::ClusterId id;
    /// Nothing when the latest job is not a failed deletion of the present series.
    std::optional<model::FailedDeletions> failed{};
};

/// Clusters whose lease ended at `now` or before and that are neither terminated nor pending; at
/// most `limit`. Clusters without a failed deletion come first, by the end of the lease. The others
/// follow, by the time of the last failure. Does not lock them: check again after locking.
std::vector<ExpiredCluster> expired_clusters(Connection& connection, base::Timestamp now,
                                             int limit);

}  // namespace provisioner::store
