#pragma once

#include "provisioner/planner/passes/barrier.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Makes the first tasks of services wait until all machines the graph creates have their
/// addresses. The configuration that each of them receives may name any node, and a macro without
/// an address fails for good. Bootstraps do not wait.
///
/// With thin barriers and many nodes, a few bootstraps wait for all confirms. The services wait for
/// one of these bootstraps, which adds no round. Without a confirm task in the graph the pass does
/// nothing. It must run after all service tasks were added.
void await_addresses(TaskGraph& graph, Barriers barriers);

}  // namespace provisioner::planner
