#include "provisioner/solver/layout/remainder.hpp"

#include <algorithm>

#include "provisioner/solver/constraints.hpp"

namespace provisioner::solver {

namespace {

struct Quantity {
    long needed = 0;
    long room = model::no_maximum;
};

// A present node may have only a part of a unit, so each service of the unit is counted separately.
Quantity quantity_left(const Unit& unit, const model::Constraints& constraints,
                       const std::vector<NodeGroup>& present) {
    Quantity left{.needed = unit.min, .room = unit.max};
    if (present.empty()) return left;
    left.needed = 0;
    if (unit.max > 0) left.room = model::no_maximum;
    for (const auto& service : unit.services) {
        const auto* written = model::constraint_on(constraints, service);
        if (written == nullptr) continue;
        const long here = nodes_with(service, present);
        left.needed = std::max(left.needed, written->min - here);
        left.room = std::min(left.room, written->max - here);
    }
    return left;
}

}  // namespace

Remainder remainder_of(const KindRules& rules, const model::Constraints& constraints,
                       const std::vector<NodeGroup>& present, long nodes) {
    Remainder remainder{.nodes = nodes, .needed = {}, .room = {}};
    for (const auto& unit : rules.units.units) {
        const auto left = quantity_left(unit, constraints, present);
        remainder.needed.push_back(left.needed);
        remainder.room.push_back(left.room);
    }
    return remainder;
}

Remainder without(Remainder remainder, const UnitSet& set, long count) {
    remainder.nodes -= count;
    for (auto i = set.find_first(); i != UnitSet::npos; i = set.find_next(i)) {
        remainder.needed[i] = std::max(0L, remainder.needed[i] - count);
        remainder.room[i] -= count;
    }
    return remainder;
}

}  // namespace provisioner::solver
