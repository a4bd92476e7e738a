#pragma once

#include <vector>

#include "provisioner/solver/layout/kinds.hpp"

namespace provisioner::solver {

/// What is still to be laid out.
struct Remainder {
    /// Nodes without services yet, >= 0.
    long nodes = 0;
    /// By unit: how many of these nodes must have it, >= 0; and how many may, which is negative
    /// where more than allowed have it already.
    std::vector<long> needed;
    std::vector<long> room;
};

/// What `nodes` further nodes must and may have beside those that are `present`. The rules were
/// made of these constraints.
Remainder remainder_of(const KindRules& rules, const model::Constraints& constraints,
                       const std::vector<NodeGroup>& present, long nodes);

/// What is left when `count` of the nodes have the units of `set`.
Remainder without(Remainder remainder, const UnitSet& set, long count);

}  // namespace provisioner::solver
