#pragma once

#include <string>

#include "provisioner/planner/task_graph.hpp"

namespace tests {

/// A graph as text, for comparison in tests. One line for each order, sorted: "bootstrap n1 ->
/// start web@n1\n". n1, n2, ... are the nodes by index. A task without any order has a line of its
/// own.
std::string draw(const provisioner::planner::TaskGraph& graph);

/// The stages of a graph: "[CREATE n1, CREATE n2] [START web@n1]". A stage has at most one task of
/// each node. Throws std::logic_error for a graph with a circle.
std::string draw_stages(const provisioner::planner::TaskGraph& graph);

/// The rounds of a graph in the same form. A task's round is its longest distance from a task that
/// waits for nothing. Within a round, tasks are in the order they were added. "circle" for a graph
/// that has one.
std::string draw_rounds(const provisioner::planner::TaskGraph& graph);

}  // namespace tests
