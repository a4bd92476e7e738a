#pragma once

#include "provisioner/planner/scope.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// How "every one of these n tasks waits for every one of those m" becomes orders of a graph.
enum class Barriers {
    /// All n * m of them, as the rules say.
    complete,
    /// Fewer with the same effect: none that another task of the same service passes on. Where
    /// n * m is large, a few of the n wait for all m and the others wait for one of these few, so
    /// the cost is O(n + m) and one more round.
    thin
};

/// Second pass: lets tasks wait for those of the services they depend on, on whatever node:
/// install for install; initialize and start for start; stop for the stop of who depends on it.
/// A start that has to be waited for enters the graph even if its service or node is not planned.
void order_services_by_dependency(TaskGraph& graph, const Scope& scope, Barriers barriers);

}  // namespace provisioner::planner
