#pragma once

#include <utility>
#include <vector>

#include "provisioner/solver/layout/best_kind.hpp"
#include "provisioner/solver/layout/feasibility.hpp"

namespace provisioner::solver {

/// The answer of fill().
struct Filling {
    Answer answer = Answer::no;
    /// Kinds with their number of nodes (>= 1), in order of preference. Complete only when `answer`
    /// is yes.
    std::vector<std::pair<NodeKind, long>> kinds;
};

/// Gives every node of the remainder a kind. The first kind in order of preference gets as many
/// nodes as possible, then the second. So the vector of numbers of nodes per kind is the
/// lexicographically largest one.
///
/// Never backtracks. Each round takes the most preferred kind that leaves the rest possible, on as
/// many nodes as leave it possible. No layout contains a kind that was passed over, since such a
/// layout could have begun with it. A kind that makes the rest impossible yields a clause: units of
/// which the next kind must have one. So kinds are not tried one by one. Numbers of nodes are found
/// by bisection, so time hardly depends on them.
///
/// `no` is a proof. `gave_up` when the budget ends.
Filling fill(const KindRules& rules, Remainder remainder, Budget& budget);

}  // namespace provisioner::solver
