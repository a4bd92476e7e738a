#include "provisioner/solver/layout/search.hpp"

#include <algorithm>
#include <stdexcept>

namespace provisioner::solver {

namespace {

class Filler {
 public:
    Filler(const KindRules& rules, Remainder remainder, Budget& budget)
        : rules_(rules),
          remainder_(std::move(remainder)),
          budget_(budget),
          feasibility_(rules, budget) {}

    Filling fill() {
        filling_.answer = is_possible(remainder_);
        while (filling_.answer == Answer::yes && remainder_.nodes > 0) {
            filling_.answer = add_best_kind();
        }
        return std::move(filling_);
    }

 private:
    Answer is_possible(const Remainder& remainder) {
        return feasibility_.is_possible(remainder, remainder.nodes);
    }

    Answer add_best_kind() {
        if (!budget_.work(std::ssize(remainder_.room) + std::ssize(one_of_)))
            return Answer::gave_up;
        const auto kind = best_kind(rules_, wanted(), budget_);
        if (!kind && budget_.left() > 0 && budget_.work_left() > 0)
            throw std::logic_error("a possible layout has no kinds");
        if (!kind) return Answer::gave_up;
        const auto rest = without(remainder_, kind->units, 1);
        const auto carried = feasibility_.can_carry(rest.needed, rest.nodes);
        if (carried == Answer::gave_up) return carried;
        if (carried == Answer::no) return learn_from(kind->units);

        const auto count = most_nodes_of(*kind);
        if (!count) return Answer::gave_up;
        remainder_ = without(remainder_, kind->units, *count);
        filling_.kinds.emplace_back(*kind, *count);
        return Answer::yes;
    }

    KindWanted wanted() const {
        KindWanted wanted{.available = rules_.none(),
                          .one_of = one_of_,
                          .scarce = rules_.none(),
                          .scarce_limit = 0};
        long fillable = 0;
        for (std::size_t i = 0; i < remainder_.room.size(); ++i) {
            const long room = remainder_.room[i];
            if (room < 1) continue;
            wanted.available.set(i);
            if (room < remainder_.nodes) wanted.scarce.set(i);
            fillable += std::min(room, remainder_.nodes - 1);
        }
        // Each later node needs at least one unit too, so this node may not use up the rest.
        wanted.scarce_limit = fillable - (remainder_.nodes - 1);
        const bool always_something =
            !rules_.units.everywhere.empty() ||
            wanted.scarce_limit >= static_cast<long>(wanted.scarce.count());
        if (always_something) {
            wanted.scarce.reset();
            wanted.scarce_limit = 0;
        }
        return wanted;
    }

    // After a node with `units` the rest cannot have what it needs. The set of needed units is
    // extended as long as that stays true. The next node must have one of the units outside the
    // extended set.
    Answer learn_from(const UnitSet& units) {
        auto needed = rules_.none();
        for (std::size_t i = 0; i < remainder_.needed.size(); ++i) {
            if (remainder_.needed[i] > 0) needed.set(i);
        }
        auto others = needed - units;
        for (auto i = others.find_first(); i != UnitSet::npos; i = others.find_next(i)) {
            others.reset(i);
            const auto rest = without(remainder_, needed - others, 1);
            const auto carried = feasibility_.can_carry(rest.needed, rest.nodes);
            if (carried == Answer::gave_up) return carried;
            if (carried == Answer::yes) others.set(i);
        }
        one_of_.push_back(std::move(others));
        return Answer::yes;
    }

    // One node is known to be possible. If some number is impossible, every larger number is too.
    std::optional<long> most_nodes_of(const NodeKind& kind) {
        long possible = 1;
        long beyond = remainder_.nodes + 1;
        for (auto i = kind.units.find_first(); i != UnitSet::npos; i = kind.units.find_next(i)) {
            beyond = std::min(beyond, remainder_.room[i] + 1);
        }
        long next = beyond - 1;
        while (possible + 1 < beyond) {
            const auto answer = is_possible(without(remainder_, kind.units, next));
            if (answer == Answer::gave_up) return std::nullopt;
            (answer == Answer::yes ? possible : beyond) = next;
            next = possible + (beyond - possible) / 2;
        }
        return possible;
    }

    const KindRules& rules_;
    Remainder remainder_;
    Budget& budget_;
    Feasibility feasibility_;
    // Every further kind has at least one unit of each of these sets.
    std::vector<UnitSet> one_of_;
    Filling filling_;
};

}  // namespace

Filling fill(const KindRules& rules, Remainder remainder, Budget& budget) {
    return Filler(rules, std::move(remainder), budget).fill();
}

}  // namespace provisioner::solver
