#include "provisioner/solver/layout/remainder.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "provisioner/solver/constraints.hpp"

namespace provisioner::solver {

namespace {

struct Quantity {
    long needed = 0;
    long room = model::no_maximum;
};

// A present node may have only a part of a unit, so each service of the unit is counted separately.
Quantity quantity_left(const Unit& unit,
                       const std::map<std::string_view, const model::ServiceConstraint*>& entries,
                       const std::unordered_map<std::string_view, long>& present) {
    Quantity left{.needed = 0, .room = unit.max};
    if (unit.max > 0) left.room = model::no_maximum;
    for (const auto& service : unit.services) {
        const auto found = entries.find(service);
        if (found == entries.end()) continue;
        const auto* written = found->second;
        const auto nodes = present.find(service);
        const long here = nodes == present.end() ? 0 : nodes->second;
        left.needed = std::max(left.needed, written->min - here);
        left.room = std::min(left.room, written->max - here);
    }
    return left;
}

}  // namespace

Remainder remainder_of(const KindRules& rules, const model::Constraints& constraints,
                       const std::vector<NodeGroup>& present, long nodes) {
    Remainder remainder{.nodes = nodes, .needed = {}, .room = {}};
    std::map<std::string_view, const model::ServiceConstraint*> entries;
    for (const auto& [service, rule] : constraints.services) entries.emplace(service, &rule);
    const auto here = nodes_by_service(present);
    for (const auto& unit : rules.units.units) {
        const auto left = present.empty() ? Quantity{.needed = unit.min, .room = unit.max}
                                          : quantity_left(unit, entries, here);
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
