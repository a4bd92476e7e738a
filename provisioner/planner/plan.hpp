#pragma once

#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// A node of the cluster, as the planner of an operation sees it.
struct PlannedNode {
    /// Hostname or nodenum, for drawings and messages. The planner identifies nodes by index.
    std::string name;
    /// Names of the services on the node, each once; may be empty.
    std::vector<std::string> services;
};

/// Everything a plan depends on, in one value. Made by the operations that create a cluster, delete
/// it or act on its services.
struct PlanRequest {
    model::Operation operation = model::Operation::cluster_create;
    /// All nodes of the cluster, by nodenum. TaskKey::node is an index into this list.
    std::vector<PlannedNode> nodes;
    /// Definitions of all services of the cluster; others are ignored. An operation that touches
    /// machines only needs none.
    std::vector<model::Service> services;
    /// Indices of the nodes the operation works on, in any order; empty means all.
    std::vector<std::size_t> only_nodes;
    /// Names of the services the operation is for, before expansion by dependencies. Empty means
    /// all, and hardware actions of nodes without services too.
    std::vector<std::string> only_services;
};

/// The tasks of an operation and their order. Every dependency is kept. The tasks of a node form a
/// row, so at most one task runs on a node at any time. Orders that others imply are left out.
///
/// An operation without tasks gives an empty graph. Refused with Problems for a circle of
/// dependencies, which is named. Refused too for a node's service without a definition, and for a
/// named service that is on no node. Throws std::logic_error for an index in `only_nodes` that is
/// no node.
///
/// Pure; the same request gives the same graph everywhere. O(V log V) for V tasks, however many
/// wait for each other: large barriers are thinned (passes/barrier.hpp).
base::Checked<TaskGraph> plan(const PlanRequest& request);

/// The same tasks with complete barriers, and without the rows of nodes: only what depends on what.
/// Where n tasks wait for m, the graph has n * m orders. For tests and explanations; jobs use
/// plan().
base::Checked<TaskGraph> plan_dependencies(const PlanRequest& request);

/// The number of tasks per action, in the order in which operations do them. Actions without a task
/// are left out.
std::vector<std::pair<model::Action, int>> count_by_action(const TaskGraph& graph);

/// The graph as the API's `plans` shows it: stages of task indices. No two tasks of a stage are on
/// the same node; within a stage tasks are sorted by node. A stage is a round of the graph, or a
/// part of a round with several tasks on one node. No stage is empty. Throws std::logic_error for a
/// circle.
std::vector<std::vector<std::size_t>> stages(const TaskGraph& graph);

}  // namespace provisioner::planner
