#include "provisioner/solver/remainder.hpp"

#include <algorithm>

namespace provisioner::solver {

namespace {

// A unit is on a node when all its services are, and takes room there when one is.
struct Presence {
    long whole = 0;
    long partly = 0;
};

Presence presence_of(const Unit& unit, const std::vector<NodeGroup>& present) {
    Presence presence;
    for (const auto& group : present) {
        const auto here = std::count_if(
            unit.services.begin(), unit.services.end(), [&](const std::string& service) {
                return std::find(group.services.begin(), group.services.end(), service) !=
                       group.services.end();
            });
        if (here > 0) presence.partly += group.count;
        if (here == std::ssize(unit.services)) presence.whole += group.count;
    }
    return presence;
}

}  // namespace

Remainder remainder_of(const KindRules& rules, const std::vector<NodeGroup>& present, long nodes) {
    Remainder remainder{.nodes = nodes, .needed = {}, .room = {}};
    for (const auto& unit : rules.units.units) {
        const auto presence = presence_of(unit, present);
        remainder.needed.push_back(std::max(0L, unit.min - presence.whole));
        remainder.room.push_back(unit.max - presence.partly);
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
