#pragma once

#include "provisioner/planner/passes/barrier.hpp"
#include "provisioner/planner/passes/change_places.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Tells the services that stay what has changed: chains and orders of `dependents` and `peers`,
/// behind what arrives on the nodes the graph makes already.
void tell_who_stays(TaskGraph& graph, const ChangePlaces& places, Barriers barriers);

/// Stops and removes what goes, behind those who were told, and deletes the machines that go.
void let_go(TaskGraph& graph, const ChangePlaces& places, Barriers barriers);

}  // namespace provisioner::planner
