#include "provisioner/solver/layout/kinds.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

#include "provisioner/solver/constraints.hpp"

namespace provisioner::solver {

namespace {

using Names = std::vector<std::string>;

std::size_t rank_of(const std::string& name, const std::optional<Names>& preferred) {
    if (!preferred) return 0;
    return static_cast<std::size_t>(std::find(preferred->begin(), preferred->end(), name) -
                                    preferred->begin());
}

// Disjoint sets of services (union-find), each named by its smallest index.
class Ties {
 public:
    explicit Ties(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }

    std::size_t root_of(std::size_t index) const {
        while (parent_[index] != index) index = parent_[index];
        return index;
    }

    void tie(std::size_t a, std::size_t b) {
        const auto [low, high] = std::minmax({root_of(a), root_of(b)});
        parent_[high] = low;
    }

 private:
    std::vector<std::size_t> parent_;
};

Names constrained_among(const Names& services, const Names& everywhere) {
    Names sorted = services;
    std::sort(sorted.begin(), sorted.end());
    Names constrained;
    std::set_difference(sorted.begin(), sorted.end(), everywhere.begin(), everywhere.end(),
                        std::back_inserter(constrained));
    return constrained;
}

// `services` must be sorted.
void tie_group(Ties& ties, const Names& services, const Names& group) {
    std::set<std::size_t> members;
    for (const auto& name : group) {
        const auto found = std::lower_bound(services.begin(), services.end(), name);
        if (found == services.end() || *found != name) continue;
        members.insert(static_cast<std::size_t>(found - services.begin()));
    }
    for (const auto i : members) ties.tie(*members.begin(), i);
}

// The entries of each service, in the order written. The names refer to the constraints.
using Entries = std::map<std::string_view, std::vector<const model::ServiceConstraint*>>;

Entries entries_of(const model::Constraints& constraints) {
    Entries entries;
    for (const auto& [service, rule] : constraints.services) entries[service].push_back(&rule);
    return entries;
}

void add_to_unit(Unit& unit, const std::string& service, const Entries& entries) {
    unit.services.push_back(service);
    const auto found = entries.find(service);
    if (found == entries.end()) return;
    const auto* rule = found->second.front();
    unit.min = std::max<long>(unit.min, rule->min);
    unit.max = std::min<long>(unit.max, rule->max);
}

std::vector<Machine> machines_of(const Selection& selection, const Preferences& preferences) {
    std::vector<Machine> machines;
    for (const auto& hardware : selection.hardware_types) {
        for (const auto& image : selection.image_types) machines.push_back({hardware, image});
    }
    std::sort(machines.begin(), machines.end(),
              [&](const Machine& a, const Machine& b) { return is_preferred(a, b, preferences); });
    return machines;
}

// The units that must not all be on one node. Nothing for an empty group, and for one with a
// service that is not on the cluster.
std::optional<UnitSet> units_of_group(const Names& group,
                                      const std::map<std::string, std::size_t>& unit_of,
                                      UnitSet none) {
    if (group.empty()) return std::nullopt;
    for (const auto& service : group) {
        const auto found = unit_of.find(service);
        if (found == unit_of.end()) return std::nullopt;
        none.set(found->second);
    }
    return none;
}

void forbid_groups(const model::Constraints& constraints, KindRules& rules) {
    std::map<std::string, std::size_t> unit_of;
    auto& units = rules.units.units;
    for (std::size_t i = 0; i < units.size(); ++i) {
        for (const auto& service : units[i].services) unit_of[service] = i;
    }
    for (const auto& group : constraints.cant_coexist) {
        const auto set = units_of_group(group, unit_of, rules.none());
        if (!set) continue;
        const auto first = set->find_first();
        const auto second = set->find_next(first);
        if (set->count() == 1) units[first].max = 0;
        if (set->count() == 2) {
            rules.conflicts[first].set(second);
            rules.conflicts[second].set(first);
        }
        if (set->count() > 2) rules.larger_conflicts.push_back(*set);
    }
}

// The types that some entry of the unit's services does not admit.
std::set<std::string_view> refused_types(const Unit& unit, const Entries& entries,
                                         const Names& types,
                                         Names model::ServiceConstraint::*allowed) {
    std::set<std::string_view> refused;
    for (const auto& service : unit.services) {
        const auto found = entries.find(service);
        if (found == entries.end()) continue;
        for (const auto* rule : found->second) {
            const auto& names = rule->*allowed;
            if (names.empty()) continue;
            const std::set<std::string_view> admitted(names.begin(), names.end());
            for (const auto& type : types) {
                if (!admitted.contains(type)) refused.insert(type);
            }
        }
    }
    return refused;
}

void match_machines(const model::Constraints& constraints, const Selection& selection,
                    KindRules& rules) {
    const auto entries = entries_of(constraints);
    rules.carries.assign(rules.machines.size(), rules.none());
    for (std::size_t i = 0; i < rules.units.units.size(); ++i) {
        auto& unit = rules.units.units[i];
        const auto hardware = refused_types(unit, entries, selection.hardware_types,
                                            &model::ServiceConstraint::hardware_types);
        const auto images = refused_types(unit, entries, selection.image_types,
                                          &model::ServiceConstraint::image_types);
        MachineSet carriers(rules.machines.size());
        for (std::size_t m = 0; m < rules.machines.size(); ++m) {
            const auto& machine = rules.machines[m];
            if (!hardware.empty() && hardware.contains(machine.hardware_type)) continue;
            if (!images.empty() && images.contains(machine.image_type)) continue;
            carriers.set(m);
            rules.carries[m].set(i);
        }
        if (carriers.none()) unit.max = 0;
        rules.carriers.push_back(std::move(carriers));
    }
}

void part_those_without_a_common_machine(KindRules& rules) {
    for (std::size_t a = 0; a < rules.carriers.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (rules.carriers[a].intersects(rules.carriers[b])) continue;
            rules.conflicts[a].set(b);
            rules.conflicts[b].set(a);
        }
    }
}

}  // namespace

bool KindRules::may_join(std::size_t unit, const UnitSet& set) const {
    if (conflicts[unit].intersects(set)) return false;
    return std::none_of(
        larger_conflicts.begin(), larger_conflicts.end(), [&](const UnitSet& conflict) {
            return conflict.test(unit) && (conflict - set).count() == 1 && !set.test(unit);
        });
}

bool is_preferred(const Machine& a, const Machine& b, const Preferences& preferences) {
    const auto key = [&](const Machine& machine) {
        return std::tuple(rank_of(machine.hardware_type, preferences.hardware_types),
                          rank_of(machine.image_type, preferences.image_types),
                          std::string_view(machine.hardware_type),
                          std::string_view(machine.image_type));
    };
    return key(a) < key(b);
}

Units group_services(const model::Constraints& constraints,
                     const std::vector<std::string>& services) {
    Units result;
    result.everywhere = unconstrained_services(constraints, services);
    const auto constrained = constrained_among(services, result.everywhere);
    Ties ties(constrained.size());
    for (const auto& group : constraints.must_coexist) tie_group(ties, constrained, group);

    const auto entries = entries_of(constraints);
    std::map<std::size_t, std::size_t> unit_of_root;
    for (std::size_t i = 0; i < constrained.size(); ++i) {
        const auto [entry, is_new] = unit_of_root.emplace(ties.root_of(i), result.units.size());
        if (is_new) result.units.emplace_back();
        add_to_unit(result.units[entry->second], constrained[i], entries);
    }
    return result;
}

long work_of_kind_rules(const model::Constraints& constraints, const Selection& selection) {
    // A name that is looked up in a tree costs as much as so many words of a set.
    constexpr long per_name = 100;
    const auto services = std::ssize(selection.services);
    const auto types = std::ssize(selection.hardware_types) + std::ssize(selection.image_types);
    const auto machines = std::ssize(selection.hardware_types) * std::ssize(selection.image_types);
    long names = services;
    long groups = 0;
    for (const auto* all : {&constraints.must_coexist, &constraints.cant_coexist}) {
        groups += std::ssize(*all);
        for (const auto& group : *all) names += std::ssize(group);
    }
    for (const auto& [service, rule] : constraints.services) {
        const auto admitted = std::ssize(rule.hardware_types) + std::ssize(rule.image_types);
        names += 1 + admitted + (admitted > 0 ? types : 0);
    }
    return per_name * (names + machines) + services * machines + groups * words_of(services) +
           services * services / 2 * words_of(machines);
}

KindRules kind_rules(const model::Constraints& constraints, const Selection& selection,
                     const Preferences& preferences) {
    KindRules rules;
    rules.units = group_services(constraints, selection.services);
    rules.machines = machines_of(selection, preferences);
    rules.conflicts.assign(rules.units.units.size(), rules.none());
    forbid_groups(constraints, rules);
    match_machines(constraints, selection, rules);
    part_those_without_a_common_machine(rules);
    return rules;
}

std::vector<std::string> services_of(const Units& units, const UnitSet& set) {
    Names names = units.everywhere;
    for (auto i = set.find_first(); i != UnitSet::npos; i = set.find_next(i)) {
        const auto& services = units.units[i].services;
        names.insert(names.end(), services.begin(), services.end());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace provisioner::solver
