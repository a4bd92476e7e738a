#pragma once

#include <vector>

#include "provisioner/solver/layout/kinds.hpp"

namespace provisioner::solver {

/// What the search still has to lay out. It starts as remainder_of() and shrinks by without().
struct Remainder {
    /// Nodes without services yet, >= 0.
    long nodes = 0;
    /// By unit: how many of these nodes must have it. Values below 1 mean none.
    std::vector<long> needed;
    /// By unit: how many of these nodes may have it. Negative when more nodes have it than allowed.
    std::vector<long> room;
};

/// What `nodes` further nodes must and may have beside those that are `present`. `rules` must have
/// been made from `constraints`.
Remainder remainder_of(const KindRules& rules, const model::Constraints& constraints,
                       const std::vector<NodeGroup>& present, long nodes);

/// The remainder after `count` of its nodes got exactly the units of `set`.
Remainder without(Remainder remainder, const UnitSet& set, long count);

}  // namespace provisioner::solver
