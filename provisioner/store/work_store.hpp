#pragma once

#include <optional>
#include <vector>

#include "provisioner/model/node.hpp"
#include "provisioner/store/database.hpp"

namespace provisioner::store {

/// A cluster as a worker needs it: with its snapshot, its configuration and all of its nodes as
/// they are now.
struct ClusterWork {
    model::Cluster cluster;
    /// By nodenum, without those a job is taking away: who stays no longer counts on these.
    std::vector<model::Node> nodes;
    /// Those, by nodenum.
    std::vector<model::Node> leaving{};
};

/// The cluster whatever its tenant; nothing if there is none. For the daemon, not for requests.
std::optional<ClusterWork> find_work(Connection& connection, model::ClusterId cluster);

/// The cluster whatever its tenant, its row locked until the transaction ends.
std::optional<model::Cluster> lock_for_work(Connection& connection, model::ClusterId cluster);

/// Clusters whose lease ended before `now` and that are neither terminated nor being worked on,
/// longest ended first, at most `limit`.
std::vector<model::ClusterId> expired_clusters(Connection& connection, base::Timestamp now,
                                               int limit);

}  // namespace provisioner::store
