#pragma once

#include <optional>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/clusters/failed_deletions.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// The cluster if `caller` may see it, its row locked until the transaction ends. Services,
/// configuration and snapshot are empty: for what has to be possible although these cannot be read.
std::optional<model::Cluster> lock_outline(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster);

/// The same whatever its tenant, for the daemon.
std::optional<model::Cluster> lock_outline_for_work(Connection& connection,
                                                    model::ClusterId cluster);

/// Counts deletions from this one on; it goes on counting when `is_repeat` and it counts already.
void note_deletion(Connection& connection, model::ClusterId cluster, model::JobId job,
                   bool is_repeat);

/// The deletions of the cluster that failed one after the other up to now; nothing when the latest
/// job is none of these.
std::optional<model::FailedDeletions> failed_deletions(Connection& connection,
                                                       model::ClusterId cluster);

/// A cluster whose lease has ended, and the deletions of it that failed.
struct ExpiredCluster {
    model::ClusterId id;
    std::optional<model::FailedDeletions> failed{};
};

/// Clusters whose lease ended before `now` and that are neither terminated nor being worked on: at
/// first those without a failed deletion, longest ended first, then the others, longest failed
/// first; at most `limit`.
std::vector<ExpiredCluster> expired_clusters(Connection& connection, base::Timestamp now,
                                             int limit);

}  // namespace provisioner::store
