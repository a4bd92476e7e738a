#include "provisioner/solver/search.hpp"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace provisioner::solver {

namespace {

// A kind of node, reduced to the units whose numbers matter.
struct Slot {
    UnitSet units = 0;
    std::size_t kind = 0;
};

template <class Visit>
void for_each_unit(UnitSet set, Visit visit) {
    for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

// Walks through the slots and gives each as many nodes as it can have, backtracking over the
// numbers.
class Search {
 public:
    Search(const CountProblem& problem, Budget& budget)
        : problem_(problem), budget_(budget), left_(problem.nodes) {
        note_bounds();
        make_slots();
        look_ahead();
    }

    Counts run() {
        std::size_t slot = 0;
        bool going = fits() && can_follow(0);
        while (going && left_ > 0) {
            if (!budget_.spend()) return {.end = SearchEnd::gave_up, .chosen = {}};
            const bool down = slot < slots_.size() && settle(slot, most_in(slot));
            if (down) ++slot;
            if (!down) going = step_back(slot);
        }
        if (gave_up_) return {.end = SearchEnd::gave_up, .chosen = {}};
        if (!going) return {.end = SearchEnd::impossible, .chosen = {}};
        return {.end = SearchEnd::found, .chosen = chosen()};
    }

 private:
    struct Choice {
        std::size_t slot = 0;
        long nodes = 0;
    };

    void note_bounds() {
        for (std::size_t i = 0; i < problem_.bounds.size(); ++i) {
            const auto& bounds = problem_.bounds[i];
            needed_.push_back(bounds.min);
            room_.push_back(std::clamp(bounds.max, 0L, problem_.nodes));
            if (bounds.min > 0) wanted_ |= UnitSet{1} << i;
            if (bounds.max < problem_.nodes) capped_ |= UnitSet{1} << i;
        }
    }

    // Of kinds that differ only in units without bounds the first can stand for all: nodes moved
    // there from the others make the vector larger and break nothing.
    void make_slots() {
        std::unordered_set<UnitSet> seen;
        for (std::size_t i = 0; i < problem_.kinds.size(); ++i) {
            const UnitSet units = problem_.kinds[i] & (wanted_ | capped_);
            if (seen.insert(units).second) slots_.push_back({units, i});
        }
    }

    void look_ahead() {
        ahead_.resize(slots_.size() + 1, 0);
        uncapped_ahead_.resize(slots_.size() + 1, false);
        together_.resize(problem_.bounds.size(), 0);
        for (std::size_t i = slots_.size(); i-- > 0;) {
            const UnitSet units = slots_[i].units;
            ahead_[i] = ahead_[i + 1] | units;
            uncapped_ahead_[i] = uncapped_ahead_[i + 1] || (units & capped_) == 0;
            for_each_unit(units & wanted_, [&](std::size_t unit) { together_[unit] |= units; });
        }
    }

    // Nodes that `units` need for themselves at least: the largest sum found over units that never
    // meet on a node. With many units this is the dear part, so that each start counts as a step.
    [[nodiscard]] long nodes_needed_by(UnitSet units) const {
        long most = 0;
        for_each_unit(units, [&](std::size_t first) {
            budget_.spend();
            long sum = needed_[first];
            UnitSet apart = units & ~together_[first];
            while (apart != 0) {
                const auto next = neediest(apart);
                sum += needed_[next];
                apart &= ~together_[next] & ~(UnitSet{1} << next);
            }
            most = std::max(most, sum);
        });
        return most;
    }

    [[nodiscard]] std::size_t neediest(UnitSet units) const {
        auto best = static_cast<std::size_t>(std::countr_zero(units));
        for_each_unit(units, [&](std::size_t unit) {
            if (needed_[unit] > needed_[best]) best = unit;
        });
        return best;
    }

    [[nodiscard]] UnitSet still_needed() const {
        UnitSet units = 0;
        for_each_unit(wanted_, [&](std::size_t unit) {
            if (needed_[unit] > 0) units |= UnitSet{1} << unit;
        });
        return units;
    }

    // Necessary, not sufficient: whether the nodes left suffice for what is needed.
    [[nodiscard]] bool fits() const {
        const UnitSet needed = still_needed();
        bool room_enough = true;
        for_each_unit(needed, [&](std::size_t unit) {
            if (needed_[unit] > room_[unit]) room_enough = false;
        });
        return room_enough && nodes_needed_by(needed) <= left_;
    }

    // Necessary, not sufficient: whether the slots from `slot` on have what is needed and room for
    // the nodes left.
    [[nodiscard]] bool can_follow(std::size_t slot) const {
        if ((still_needed() & ~ahead_[slot]) != 0) return false;
        return uncapped_ahead_[slot] || left_ <= room_ahead(slot);
    }

    // Every node from `slot` on takes room of at least one capped unit, so there are at most this
    // many.
    [[nodiscard]] long room_ahead(std::size_t slot) const {
        long room = 0;
        for_each_unit(ahead_[slot] & capped_, [&](std::size_t unit) { room += room_[unit]; });
        return room;
    }

    // Tight bounds here spare trying one number after another.
    [[nodiscard]] long most_in(std::size_t slot) const {
        const UnitSet units = slots_[slot].units;
        long most = std::min(left_, most_that_leave_room(slot));
        for_each_unit(units, [&](std::size_t unit) { most = std::min(most, room_[unit]); });
        if (most <= 0) return 0;
        return std::clamp(left_ - nodes_needed_by(still_needed() & ~units), 0L, most);
    }

    // Each node here uses up room of the later slots. From left - n <= room - n * shared.
    [[nodiscard]] long most_that_leave_room(std::size_t slot) const {
        const long shared = std::popcount(slots_[slot].units & ahead_[slot + 1] & capped_);
        if (uncapped_ahead_[slot + 1] || shared < 2) return left_;
        return std::max(0L, room_ahead(slot + 1) - left_) / (shared - 1);
    }

    void place(std::size_t slot, long nodes) {
        left_ -= nodes;
        for_each_unit(slots_[slot].units, [&](std::size_t unit) {
            needed_[unit] -= nodes;
            room_[unit] -= nodes;
        });
    }

    // Puts the largest promising number of nodes, at most `most`, into the slot; false when there
    // is none. What fitted before still fits when the slot stays empty.
    bool settle(std::size_t slot, long most) {
        for (long nodes = most; nodes >= 0; --nodes) {
            gave_up_ = !budget_.spend();
            if (gave_up_) return false;
            place(slot, nodes);
            if ((nodes == 0 || fits()) && can_follow(slot + 1)) {
                if (nodes > 0) choices_.push_back({slot, nodes});
                return true;
            }
            place(slot, -nodes);
        }
        return false;
    }

    // A slot with no nodes has no smaller number to try, so only the others are remembered.
    bool step_back(std::size_t& slot) {
        while (!choices_.empty() && !gave_up_) {
            const auto last = choices_.back();
            choices_.pop_back();
            place(last.slot, -last.nodes);
            if (!settle(last.slot, last.nodes - 1)) continue;
            slot = last.slot + 1;
            return true;
        }
        return false;
    }

    [[nodiscard]] std::vector<std::pair<std::size_t, long>> chosen() const {
        std::vector<std::pair<std::size_t, long>> result;
        for (const auto& choice : choices_) {
            result.emplace_back(slots_[choice.slot].kind, choice.nodes);
        }
        return result;
    }

    const CountProblem& problem_;
    Budget& budget_;
    std::vector<Slot> slots_;
    std::vector<Choice> choices_;
    long left_;
    bool gave_up_ = false;
    // By unit: nodes it still must have (negative: more than it must), nodes it still may have.
    std::vector<long> needed_;
    std::vector<long> room_;
    // By unit: what it shares a kind with.
    std::vector<UnitSet> together_;
    // By slot: units of it and the later ones; whether one of them has no capped unit.
    std::vector<UnitSet> ahead_;
    std::vector<bool> uncapped_ahead_;
    UnitSet wanted_ = 0;
    UnitSet capped_ = 0;
};

}  // namespace

CountProblem count_problem(const Candidates& candidates, long nodes) {
    CountProblem problem;
    problem.nodes = nodes;
    for (const auto& layout : candidates.layouts) problem.kinds.push_back(layout.units);
    for (const auto& unit : candidates.units.units) problem.bounds.push_back({unit.min, unit.max});
    return problem;
}

Counts find_counts(const CountProblem& problem, Budget& budget) {
    return Search(problem, budget).run();
}

}  // namespace provisioner::solver
