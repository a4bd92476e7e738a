#pragma once

#include "provisioner/planner/passes/barrier.hpp"
#include "provisioner/planner/scope.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Second pass: lets tasks wait for those of the services they depend on, on whatever node:
/// install for install; initialize and start for start; stop for the stop of who depends on it.
/// A start that has to be waited for enters the graph even if its service or node is not planned.
void order_services_by_dependency(TaskGraph& graph, const Scope& scope, Barriers barriers);

}  // namespace provisioner::planner
