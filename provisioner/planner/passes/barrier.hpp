#pragma once

#include <cstddef>
#include <vector>

#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Indices of tasks of a graph.
using Tasks = std::vector<std::size_t>;

/// How "every one of these n tasks waits for every one of those m" becomes orders of a graph.
enum class Barriers {
    /// All n * m of them, as the rules say.
    complete,
    /// Fewer with the same effect: none that another task of the same service passes on. Where
    /// n * m is large, a few of the n wait for all m and the others wait for one of these few, so
    /// the cost is O(n + m) and one more round.
    thin
};

/// Lets each of `after` wait for all of `before`; nothing happens when one of them is empty. Where
/// barriers are thin the first of `after` are the ones the others wait for, so tasks that stand in
/// several barriers must come in the same order in all of them.
void add_barrier(TaskGraph& graph, const Tasks& before, const Tasks& after, Barriers barriers);

/// The same, but where barriers are thin the first of `relays` wait for all of `before`, and each
/// of `after` for one of these. `relays` is not empty when `before` is not.
void add_barrier(TaskGraph& graph, const Tasks& before, const Tasks& relays, const Tasks& after,
                 Barriers barriers);

}  // namespace provisioner::planner
