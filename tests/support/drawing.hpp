#pragma once

#include <string>

#include "provisioner/planner/task_graph.hpp"

namespace tests {

/// A graph as text, a line for each order, sorted: "bootstrap n1 -> start web@n1\n". Nodes are n1,
/// n2, ... by index. A task without any order is a line of its own.
std::string draw(const provisioner::planner::TaskGraph& graph);

/// The stages of a graph: "[CREATE n1, CREATE n2] [START web@n1]".
std::string draw_stages(const provisioner::planner::TaskGraph& graph);

/// The rounds of a graph in the same form, in each the tasks in the order they were added;
/// "circle" if it has one.
std::string draw_rounds(const provisioner::planner::TaskGraph& graph);

}  // namespace tests
