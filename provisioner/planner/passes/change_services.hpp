#pragma once

#include "provisioner/planner/passes/barrier.hpp"
#include "provisioner/planner/passes/change_places.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Adds the tasks that reconfigure dependents and peers, and orders them behind the tasks of
/// joining nodes. The graph must already hold the tasks of the nodes that join.
void reconfigure_what_stays(TaskGraph& graph, const ChangePlaces& places, Barriers barriers);

/// Adds the tasks that stop and remove departing services, and delete departing machines. They wait
/// for the tasks that reconfigure_what_stays() adds, so call that first. A machine that cannot be
/// deleted thus delays nothing else.
void remove_what_leaves(TaskGraph& graph, const ChangePlaces& places, Barriers barriers);

}  // namespace provisioner::planner
