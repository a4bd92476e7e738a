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
    /// By nodenum.
    std::vector<model::Node> nodes;
};

/// The cluster whatever its tenant; nothing if there is none. For the daemon, not for requests.
std::optional<ClusterWork> find_work(Connection& connection, model::ClusterId cluster);

}  // namespace provisioner::store
