#pragma once

#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Third pass: puts the tasks of each node in a row. So at most one task runs on a node at any
/// time.
///
/// The order is: by round, then most rounds behind it first, then by service, then by action.
/// Rounds grow along every order, so a row cannot close a circle. Work of an earlier round never
/// waits for work of a later one on the node. All dependencies must be in the graph before this
/// pass. Throws std::logic_error if the graph has a circle. O(V log V + E).
void serialise_each_node(TaskGraph& graph);

}  // namespace provisioner::planner
