#pragma once

#include <cstddef>
#include <vector>

#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Indices of tasks in a graph.
using Tasks = std::vector<std::size_t>;

/// Up to this many orders each task waits for each other one directly. Beyond it, writing and
/// counting down the rows costs more than one more round.
inline constexpr std::size_t most_direct_orders = 4096;

/// How "each of n tasks waits for each of m tasks" becomes orders. Complete barriers are easy to
/// read and to compare; jobs are stored with thin ones.
enum class Barriers {
    /// All n * m orders.
    complete,
    /// Fewer orders with the same effect. Orders that another task of the same service implies are
    /// left out. In a large barrier a few of the n wait for all m. Each of the others waits for one
    /// of these few. That costs O(n + m) orders and one more round. Large means more than 4096
    /// orders, with more than 8 tasks on each side.
    thin
};

/// Makes each of `after` wait for all of `before`; does nothing when one of them is empty. In a
/// large thin barrier the first of `after` wait for all, and each of the others waits for one of
/// these. So tasks in several barriers must come in the same order in all of them. Otherwise
/// circles could arise.
void add_barrier(TaskGraph& graph, const Tasks& before, const Tasks& after, Barriers barriers);

/// The same with given relays. In a large thin barrier the first of `relays` wait for all of
/// `before`. Each of `after` waits for one of these. `relays` must not be empty when `before` is
/// not. A small barrier ignores them.
void add_barrier(TaskGraph& graph, const Tasks& before, const Tasks& relays, const Tasks& after,
                 Barriers barriers);

}  // namespace provisioner::planner
