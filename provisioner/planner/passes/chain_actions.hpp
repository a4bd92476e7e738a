#pragma once

#include "provisioner/planner/scope.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// First pass: on every planned node, each planned service goes through the actions of the
/// operation. Each task waits for the one before. Hardware actions occur once per node and are
/// shared by its services. Actions that a service does not define are left out. A node without
/// services gets only the hardware actions.
void chain_actions_of_each_service(TaskGraph& graph, const Scope& scope);

}  // namespace provisioner::planner
