#pragma once

#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Last pass: removes orders that the rows of the nodes imply. Of the tasks on another node, a task
/// needs to wait only for the last. Of its followers on another node, it needs to delay only the
/// first. What waits for what, directly or not, stays the same.
///
/// Requires serialise_each_node(): tasks of one node must have different rounds. Throws
/// std::logic_error if the graph has a circle. Expected O(V + E).
void forget_implied_orders(TaskGraph& graph);

}  // namespace provisioner::planner
