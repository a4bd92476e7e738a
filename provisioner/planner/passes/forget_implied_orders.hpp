#pragma once

#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Last pass: with the tasks of each node in a row, a task need wait only for the last of those of
/// another node it waits for, and need hold up only the first of those that wait for it; the other
/// orders follow and are forgotten. What waits for what, directly or not, stays the same.
/// Throws std::logic_error if the graph has a circle. O(V + E log V).
void forget_implied_orders(TaskGraph& graph);

}  // namespace provisioner::planner
