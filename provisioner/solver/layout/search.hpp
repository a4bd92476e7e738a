#pragma once

#include <utility>
#include <vector>

#include "provisioner/solver/layout/best_kind.hpp"
#include "provisioner/solver/layout/feasibility.hpp"

namespace provisioner::solver {

/// Kinds that occur, in order of preference, with their number of nodes; with `answer` not yes they
/// are no layout.
struct Filling {
    Answer answer = Answer::no;
    std::vector<std::pair<NodeKind, long>> kinds;
};

/// Gives every node of the remainder a kind, so that of all vectors of numbers of nodes per kind,
/// kinds in order of preference, the lexicographically largest is taken: as many nodes as possible
/// of the first kind, then of the second, and so on.
///
/// Never goes back: the next kind is the most preferred one with which what remains is possible,
/// and as many nodes as remain possible get it. A kind that was passed over is in no layout at all,
/// since a layout that has it somewhere could as well have begun with it. A kind with which the
/// rest cannot have what it needs tells of which units the next one must have at least one, so
/// kinds are not tried one by one. `no` is a proof.
Filling fill(const KindRules& rules, Remainder remainder, Budget& budget);

}  // namespace provisioner::solver
