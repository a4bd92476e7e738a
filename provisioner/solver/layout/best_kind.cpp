#include "provisioner/solver/layout/best_kind.hpp"

#include <algorithm>

namespace provisioner::solver {

namespace {

class KindSearch {
 public:
    KindSearch(const KindRules& rules, const KindWanted& wanted, Budget& budget)
        : rules_(rules), wanted_(wanted), budget_(budget), in_a_larger_conflict_(rules.none()) {
        for (const auto& unit : rules.units.units) {
            services_.push_back(static_cast<long>(unit.services.size()));
        }
        for (const auto& conflict : rules.larger_conflicts) in_a_larger_conflict_ |= conflict;
        // -1 admits a kind without units. Such a node is valid only when some services are on every
        // node.
        most_services_ = rules.units.everywhere.empty() ? 0 : -1;
    }

    std::optional<NodeKind> search() {
        std::vector<UnitSet> seen;
        for (std::size_t machine = 0; machine < rules_.machines.size(); ++machine) {
            if (!budget_.work(set_work_ * (1 + std::ssize(seen)))) return std::nullopt;
            auto carried = rules_.carries[machine] & wanted_.available;
            const bool adds_nothing =
                std::any_of(seen.begin(), seen.end(),
                            [&](const UnitSet& other) { return carried.is_subset_of(other); });
            if (adds_nothing) continue;
            machine_ = machine;
            look_at(rules_.none(), carried, 0, 0);
            if (gave_up_) return std::nullopt;
            seen.push_back(std::move(carried));
        }
        return best_;
    }

 private:
    // Upper bound for the services that can be added from `open` after `scarce` scarce units were
    // taken.
    long bound(const UnitSet& open, long scarce) {
        const long apart = bound_of_conflicting_sets(open);
        const auto scarce_ones = open & wanted_.scarce;
        if (scarce_ones.none()) return apart;
        long most = 0;
        for (auto i = scarce_ones.find_first(); i != UnitSet::npos; i = scarce_ones.find_next(i)) {
            most = std::max(most, services_[i]);
        }
        return std::min(apart, bound_of_conflicting_sets(open - scarce_ones) +
                                   most * (wanted_.scarce_limit - scarce));
    }

    // Counts one unit of each set whose members all exclude each other.
    long bound_of_conflicting_sets(UnitSet open) {
        long total = 0;
        for (auto i = open.find_first(); i != UnitSet::npos; i = open.find_next(i)) {
            long most = services_[i];
            auto common = open & rules_.conflicts[i];
            budget_.work(8 + 2 * set_work_);
            for (auto j = common.find_next(i); j != UnitSet::npos; j = common.find_next(j)) {
                budget_.work(set_work_);
                most = std::max(most, services_[j]);
                open.reset(j);
                common &= rules_.conflicts[j];
            }
            total += most;
        }
        return total;
    }

    bool can_have_one_of_each(const UnitSet& chosen, const UnitSet& open) const {
        return std::all_of(wanted_.one_of.begin(), wanted_.one_of.end(), [&](const UnitSet& set) {
            return set.intersects(chosen) || set.intersects(open);
        });
    }

    // Whether taking the unit excludes no open unit and breaks no rule. Then leaving it out cannot
    // be better.
    bool is_harmless(std::size_t unit, const UnitSet& open) const {
        return !in_a_larger_conflict_.test(unit) && !wanted_.scarce.test(unit) &&
               !rules_.conflicts[unit].intersects(open);
    }

    // Units are tried in order, each first with and then without. So among sets with equally many
    // services the one with the first names is found first.
    void look_at(const UnitSet& chosen, UnitSet open, long services, long scarce) {
        // Every step copies sets, and compares them with those of each clause and larger conflict.
        const long sets = 4 + std::ssize(wanted_.one_of) + std::ssize(rules_.larger_conflicts);
        if (!budget_.spend() || !budget_.work(sets * (4 + set_work_))) gave_up_ = true;
        if (gave_up_ || !can_have_one_of_each(chosen, open)) return;
        if (services + bound(open, scarce) <= most_services_) return;
        const auto unit = open.find_first();
        if (unit == UnitSet::npos) {
            most_services_ = services;
            best_ = NodeKind{.units = chosen, .machine = machine_};
            return;
        }
        open.reset(unit);
        const long scarce_then = scarce + (wanted_.scarce.test(unit) ? 1 : 0);
        if (scarce_then <= wanted_.scarce_limit && rules_.may_join(unit, chosen)) {
            auto with = chosen;
            with.set(unit);
            look_at(with, open - rules_.conflicts[unit], services + services_[unit], scarce_then);
            if (is_harmless(unit, open)) return;
        }
        look_at(chosen, std::move(open), services, scarce);
    }

    const KindRules& rules_;
    const KindWanted& wanted_;
    Budget& budget_;
    std::vector<long> services_;
    long set_work_ = words_of(std::ssize(rules_.units.units));
    UnitSet in_a_larger_conflict_;
    std::size_t machine_ = 0;
    long most_services_ = 0;
    std::optional<NodeKind> best_;
    bool gave_up_ = false;
};

}  // namespace

std::optional<NodeKind> best_kind(const KindRules& rules, const KindWanted& wanted,
                                  Budget& budget) {
    return KindSearch(rules, wanted, budget).search();
}

}  // namespace provisioner::solver
