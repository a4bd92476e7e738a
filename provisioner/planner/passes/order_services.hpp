#pragma once

#include "provisioner/planner/passes/barrier.hpp"
#include "provisioner/planner/scope.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Second pass: makes tasks wait for tasks of the services they depend on, on all nodes. An install
/// waits for installs; initialize and start wait for starts. A stop waits for the stops of
/// dependents. Starts and stops that must be waited for enter the graph even if their node or
/// service is not planned.
void order_services_by_dependency(TaskGraph& graph, const Scope& scope, Barriers barriers);

}  // namespace provisioner::planner
