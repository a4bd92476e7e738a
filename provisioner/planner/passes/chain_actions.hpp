#pragma once

#include "provisioner/planner/scope.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// First pass: on every planned node, each planned service walks the actions of the operation, each
/// waiting for the one before. Hardware actions are once per node; an action the service does not
/// define is left out. Nodes without services get just the hardware actions.
void chain_actions_of_each_service(TaskGraph& graph, const Scope& scope);

}  // namespace provisioner::planner
