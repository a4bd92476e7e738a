#pragma once

#include <set>
#include <vector>

#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/clusters/node.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// The numbers of the nodes that the latest job left unfinished: those that it was taking away, and
/// those that it creates and did not finish. An incomplete cluster shrinks only without all of
/// them. `nodes`: all of the cluster. Reads the tasks of the job.
std::set<int> unfinished_machines(store::Connection& connection, const model::Cluster& cluster,
                                  const std::vector<model::Node>& nodes);

}  // namespace provisioner::operations
