#pragma once

#include <optional>

#include "provisioner/solver/layout/budget.hpp"
#include "provisioner/solver/layout/kinds.hpp"

namespace provisioner::solver {

/// A kind of node: a set of units and the machine that carries it, an index into
/// KindRules::machines.
struct NodeKind {
    UnitSet units;
    std::size_t machine = 0;

    bool operator==(const NodeKind&) const = default;
};

/// Which kinds are asked for.
struct KindWanted {
    /// The units the kind may have.
    UnitSet available;
    /// Of each of these sets it must have a unit.
    std::vector<UnitSet> one_of;
    /// Of these units it may have no more than `scarce_limit`.
    UnitSet scarce;
    long scarce_limit = 0;
};

/// The most preferred kind of those wanted: the most services; then the first machine; then the
/// first names of services, in order. A set of units comes with the first machine that carries it.
/// Nothing when there is no such kind or, with the budget at 0, when that is not known. Looks at
/// sets unit by unit and leaves out what cannot become better than the best one found
/// (branch and bound; the bound counts one unit of each set that all shun each other). A step is a
/// set looked at.
std::optional<NodeKind> best_kind(const KindRules& rules, const KindWanted& wanted, Budget& budget);

}  // namespace provisioner::solver
