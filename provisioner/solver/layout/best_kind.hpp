#pragma once

#include <optional>

#include "provisioner/solver/layout/budget.hpp"
#include "provisioner/solver/layout/kinds.hpp"

namespace provisioner::solver {

/// A kind of node: a set of units and the machine that carries them.
struct NodeKind {
    /// By index into Units::units. May be empty when some services are on every node.
    UnitSet units;
    /// Index into KindRules::machines.
    std::size_t machine = 0;

    bool operator==(const NodeKind&) const = default;
};

/// Limits on the kind to search for, set by the search for each round (search.cpp).
struct KindWanted {
    /// The units the kind may have: those with room left.
    UnitSet available;
    /// The kind must have at least one unit of each set.
    std::vector<UnitSet> one_of;
    /// The kind may have at most `scarce_limit` of these units. Later nodes need the rest to have
    /// anything to run.
    UnitSet scarce;
    long scarce_limit = 0;
};

/// The most preferred kind within the limits: most services, then first machine, then the
/// lexicographically first service names. A set of units always comes with the first machine that
/// carries it.
///
/// Returns nothing when there is no such kind. With an exhausted budget, nothing means that the
/// answer is not known. Method: branch and bound, unit by unit. The bound counts one unit of each
/// set whose members all exclude each other. A step is one set looked at; the worst case is
/// exponential in the number of units.
std::optional<NodeKind> best_kind(const KindRules& rules, const KindWanted& wanted, Budget& budget);

}  // namespace provisioner::solver
