#pragma once

#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// A node as the planner sees it.
struct PlannedNode {
    /// What drawings and messages call it.
    std::string name;
    std::vector<std::string> services;
};

/// Everything a plan depends on, in one value.
struct PlanRequest {
    model::Operation operation = model::Operation::cluster_create;
    /// All nodes of the cluster, by nodenum.
    std::vector<PlannedNode> nodes;
    /// Definitions of all services of the cluster.
    std::vector<model::Service> services;
    /// Indices of the nodes the operation works on; empty means all.
    std::vector<std::size_t> only_nodes;
    /// Names of the services the operation is for, before expansion; empty means all.
    std::vector<std::string> only_services;
};

/// The tasks of an operation and their order: every dependency is kept, and the tasks of a node lie
/// in a row, so that at most one runs on it at any time. Orders that others imply are left out.
/// An operation without tasks gives an empty graph. Problems: a circle of dependencies (named), a
/// node's service that is not defined, a named service that is on no node. Throws std::logic_error
/// for an index in `only_nodes` that is no node. The same request gives the same graph everywhere.
/// O(V log V) for V tasks, however many wait for each other.
base::Checked<TaskGraph> plan(const PlanRequest& request);

/// The same tasks before those of a node are put in a row: just what depends on what, written out
/// in full (n * m orders where n tasks wait for m). For explaining and testing; jobs use `plan`.
base::Checked<TaskGraph> plan_dependencies(const PlanRequest& request);

/// How many tasks of a graph do what an operation does, in the order it does it; actions without a
/// task are left out.
std::vector<std::pair<model::Action, int>> count_by_action(const TaskGraph& graph,
                                                           model::Operation operation);

/// A graph as the API's `plans` shows it: stages of task indices, no two tasks of one stage on the
/// same node, in a stage by node. A stage is a round of the graph, or part of one where it has
/// several tasks of a node. Empty stages do not occur. Throws std::logic_error for a circle.
std::vector<std::vector<std::size_t>> stages(const TaskGraph& graph);

}  // namespace provisioner::planner
