#include "provisioner/solver/layout/feasibility.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace provisioner::solver {

namespace {

// Numbers of nodes needed, by unit, and the units still to be laid.
struct Demand {
    std::vector<long> needed;
    UnitSet units;
};

// The work of one test on sets of units.
long set_work(const KindRules& rules) {
    return words_of(std::ssize(rules.units.units));
}

bool is_in_a_larger_conflict(const KindRules& rules, std::size_t unit, const UnitSet& among) {
    return std::any_of(rules.larger_conflicts.begin(), rules.larger_conflicts.end(),
                       [&](const UnitSet& conflict) {
                           return conflict.test(unit) && conflict.is_subset_of(among);
                       });
}

// Whether every node with `other` may take `unit` too, and `unit` is needed on no more nodes.
bool goes_along(const KindRules& rules, const Demand& demand, std::size_t unit, std::size_t other) {
    return unit != other && demand.needed[unit] <= demand.needed[other] &&
           !rules.conflicts[unit].test(other) &&
           (rules.conflicts[unit] & demand.units).is_subset_of(rules.conflicts[other]) &&
           rules.carriers[other].is_subset_of(rules.carriers[unit]);
}

bool can_be_anywhere(const KindRules& rules, const Demand& demand, std::size_t unit) {
    return rules.carriers[unit].all() && !rules.conflicts[unit].intersects(demand.units);
}

// False too when the budget ends.
bool can_be_left_out(const KindRules& rules, const Demand& demand, std::size_t unit,
                     Budget& budget) {
    if (!budget.work(set_work(rules) + std::ssize(rules.larger_conflicts))) return false;
    if (is_in_a_larger_conflict(rules, unit, demand.units)) return false;
    if (can_be_anywhere(rules, demand, unit)) return true;
    const long work = 8 + 2 * set_work(rules) + words_of(std::ssize(rules.machines));
    for (auto i = demand.units.find_first(); i != UnitSet::npos; i = demand.units.find_next(i)) {
        if (!budget.work(1)) return false;
        if (demand.needed[unit] > demand.needed[i] || rules.conflicts[unit].test(i)) continue;
        if (!budget.work(work)) return false;
        if (goes_along(rules, demand, unit, i)) return true;
    }
    return false;
}

void leave_out_what_goes_along(const KindRules& rules, Demand& demand, Budget& budget) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (auto i = demand.units.find_first(); i != UnitSet::npos;
             i = demand.units.find_next(i)) {
            if (!can_be_left_out(rules, demand, i, budget)) continue;
            demand.units.reset(i);
            changed = true;
        }
    }
}

// Nodes needed by a set of mutually exclusive units that contains `unit`. Built greedily, the most
// demanding unit first, so it is a lower bound; the more so when the budget ends.
long needed_apart(const KindRules& rules, const Demand& demand, std::size_t unit, Budget& budget) {
    long total = demand.needed[unit];
    auto others = demand.units & rules.conflicts[unit];
    while (others.any()) {
        if (!budget.work(2 * set_work(rules) + static_cast<long>(others.count()))) break;
        auto most = others.find_first();
        for (auto i = most; i != UnitSet::npos; i = others.find_next(i)) {
            if (demand.needed[i] > demand.needed[most]) most = i;
        }
        total += demand.needed[most];
        others &= rules.conflicts[most];
    }
    return total;
}

bool is_too_much(const KindRules& rules, const Demand& demand, long nodes, Budget& budget) {
    for (auto i = demand.units.find_first(); i != UnitSet::npos; i = demand.units.find_next(i)) {
        if (needed_apart(rules, demand, i, budget) > nodes) return true;
    }
    return false;
}

// Every unit on every group it takes is a call within a call. Threads have stacks of 8 MB.
constexpr long deepest = 10'000;

// Lays units on groups of like nodes, splitting groups as needed. A branch restores `groups_` and
// `demand_` before it returns, so failed branches leave no trace.
class Laying {
 public:
    Laying(const KindRules& rules, Demand demand, long nodes, Budget& budget)
        : rules_(rules), demand_(std::move(demand)), budget_(budget) {
        MachineSet all(rules.machines.size());
        all.set();
        groups_.push_back({rules.none(), all, nodes});
    }

    Answer lay() {
        const bool done = lay_next();
        if (gave_up_) return Answer::gave_up;
        return done ? Answer::yes : Answer::no;
    }

 private:
    struct LikeNodes {
        UnitSet units;
        MachineSet machines;
        long count;
    };

    bool has_given_up() {
        if (budget_.work_left() == 0) gave_up_ = true;
        return gave_up_;
    }

    bool takes(const LikeNodes& group, std::size_t unit) {
        budget_.work(work_of_taking_);
        return group.count > 0 && group.machines.intersects(rules_.carriers[unit]) &&
               rules_.may_join(unit, group.units);
    }

    long places_for(std::size_t unit) {
        long places = 0;
        for (const auto& group : groups_) places += takes(group, unit) ? group.count : 0;
        return places;
    }

    bool lay_next() {
        if (demand_.units.none()) return true;
        auto next = UnitSet::npos;
        long least = std::numeric_limits<long>::max();
        std::size_t most_conflicts = 0;
        for (auto i = demand_.units.find_first(); i != UnitSet::npos;
             i = demand_.units.find_next(i)) {
            const long choice = places_for(i) - demand_.needed[i];
            budget_.work(set_work(rules_));
            if (has_given_up() || choice < 0) return false;
            const auto conflicting = (rules_.conflicts[i] & demand_.units).count();
            if (choice > least || (choice == least && conflicting <= most_conflicts)) continue;
            next = i;
            least = choice;
            most_conflicts = conflicting;
        }
        demand_.units.reset(next);
        const bool done = spread(next, 0, groups_.size(), demand_.needed[next], least);
        demand_.units.set(next);
        return done;
    }

    // Lays the unit on `left` more nodes of the groups from `group` to `end`. Groups that have
    // something already are filled first. `spare` is how many of the possible places may stay
    // without the unit.
    bool spread(std::size_t unit, std::size_t group, std::size_t end, long left, long spare) {
        if (left == 0) return lay_next();
        // The first group holds the empty nodes and comes last.
        const auto place = [&] { return group + 1 == end ? 0 : group + 1; };
        while (group != end && !takes(groups_[place()], unit)) ++group;
        if (depth_ == deepest) gave_up_ = true;
        if (group == end || has_given_up()) return false;
        const auto at = place();

        const long places = groups_[at].count;
        const long most = std::min(places, left);
        for (long count = most; count >= 0 && places - count <= spare; --count) {
            if (!budget_.spend() || !budget_.work(work_of_splitting_)) gave_up_ = true;
            if (gave_up_) return false;
            if (spread_with(unit, group, end, at, count, left, spare)) return true;
        }
        return false;
    }

    bool spread_with(std::size_t unit, std::size_t group, std::size_t end, std::size_t at,
                     long count, long left, long spare) {
        const auto before = groups_[at];
        if (count > 0) {
            auto with = before;
            with.units.set(unit);
            with.machines &= rules_.carriers[unit];
            with.count = count;
            groups_[at].count -= count;
            groups_.push_back(std::move(with));
        }
        ++depth_;
        const bool done =
            spread(unit, group + 1, end, left - count, spare - (before.count - count));
        --depth_;
        if (count > 0) groups_.pop_back();
        groups_[at] = before;
        return done;
    }

    const KindRules& rules_;
    Demand demand_;
    Budget& budget_;
    std::vector<LikeNodes> groups_;
    long work_of_taking_ = set_work(rules_) + words_of(std::ssize(rules_.machines)) +
                           std::ssize(rules_.larger_conflicts);
    // Splitting copies a group twice.
    long work_of_splitting_ = 4 * (set_work(rules_) + words_of(std::ssize(rules_.machines)));
    long depth_ = 0;
    bool gave_up_ = false;
};

bool is_within_room(const Remainder& remainder) {
    for (std::size_t i = 0; i < remainder.needed.size(); ++i) {
        const long room = std::max(0L, std::min(remainder.room[i], remainder.nodes));
        if (remainder.needed[i] > room) return false;
    }
    return true;
}

// Being on no node at all breaks a negative maximum too.
bool has_negative_maximum(const Units& units) {
    return std::any_of(units.units.begin(), units.units.end(),
                       [](const Unit& unit) { return unit.max < 0; });
}

// Whether `used` nodes can each have at least one unit.
bool can_be_filled(const Remainder& remainder, long used) {
    long total = 0;
    for (const long room : remainder.room) {
        total += std::clamp(room, 0L, remainder.nodes);
        if (total >= used) return true;
    }
    return total >= used;
}

}  // namespace

Answer Feasibility::is_possible(const Remainder& remainder, long used) {
    if (has_negative_maximum(rules_.units) || !is_within_room(remainder)) return Answer::no;
    if (rules_.units.everywhere.empty() && !can_be_filled(remainder, used)) return Answer::no;
    return can_carry(remainder.needed, remainder.nodes);
}

Answer Feasibility::can_carry(const std::vector<long>& needed, long nodes) {
    Demand demand{.needed = needed, .units = rules_.none()};
    for (std::size_t i = 0; i < needed.size(); ++i) {
        if (needed[i] > nodes) return Answer::no;
        if (needed[i] < 1) continue;
        if (rules_.units.units[i].max < 1) return Answer::no;
        demand.units.set(i);
    }
    if (!budget_.work(std::ssize(needed))) return Answer::gave_up;
    leave_out_what_goes_along(rules_, demand, budget_);
    if (is_too_much(rules_, demand, nodes, budget_)) return Answer::no;
    if (budget_.work_left() == 0) return Answer::gave_up;
    return Laying(rules_, std::move(demand), nodes, budget_).lay();
}

}  // namespace provisioner::solver
