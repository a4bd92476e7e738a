#pragma once

#include "provisioner/planner/passes/barrier.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Lets every first task of a service wait until all machines the graph makes have their addresses:
/// the cluster's configuration, which each of them gets, may speak of any node. Bootstraps go on.
/// Where barriers are thin and the cluster is large, it is a few bootstraps that wait, and the
/// services wait for one of these: no round more. Nothing happens where no machine is made.
void await_addresses(TaskGraph& graph, Barriers barriers);

}  // namespace provisioner::planner
