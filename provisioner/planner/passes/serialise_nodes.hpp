#pragma once

#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Third pass: puts the tasks of each node in a row, so that at most one runs on it at a time: by
/// round, then who has most rounds behind it, then by service. Rounds grow along every order, so no
/// row can close a circle; and work of an earlier round never waits for work of a later one, as it
/// was when whole clusters went from stage to stage.
/// Throws std::logic_error if the graph has a circle. O(V log V + E).
void serialise_each_node(TaskGraph& graph);

}  // namespace provisioner::planner
