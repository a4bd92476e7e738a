#include "provisioner/solver/candidates.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
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

// Disjoint sets of services, each named by its smallest index.
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

void tie_group(Ties& ties, const Names& services, const Names& group) {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < services.size(); ++i) {
        if (std::find(group.begin(), group.end(), services[i]) == group.end()) continue;
        if (first) ties.tie(*first, i);
        if (!first) first = i;
    }
}

void add_to_unit(Unit& unit, const std::string& service, const model::Constraints& constraints) {
    unit.services.push_back(service);
    const auto* rule = model::constraint_on(constraints, service);
    if (rule == nullptr) return;
    unit.min = std::max(unit.min, rule->min);
    unit.max = std::min(unit.max, rule->max);
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

// Grows sets unit by unit, with the unit before without it, so that sets of equal size come out in
// the order of their service names.
class SetGrower {
 public:
    SetGrower(const model::Constraints& constraints, Candidates& into, Budget& budget)
        : into_(into), budget_(budget) {
        forbid_together(constraints);
        for (const auto& unit : into.units.units)
            machines_of_unit_.push_back(fit(unit, constraints));
    }

    void grow() {
        std::vector<bool> all(into_.machines.size(), true);
        into_.complete = extend(0, {}, all);
    }

 private:
    // Empty when the unit fits every machine.
    std::vector<bool> fit(const Unit& unit, const model::Constraints& constraints) const {
        NodeGroup node{
            .hardware_type = "", .image_type = "", .services = unit.services, .count = 1};
        std::vector<bool> fits;
        for (const auto& machine : into_.machines) {
            node.hardware_type = machine.hardware_type;
            node.image_type = machine.image_type;
            fits.push_back(may_run_on_its_machine(constraints, node));
        }
        if (std::find(fits.begin(), fits.end(), false) == fits.end()) fits.clear();
        return fits;
    }

    void forbid_together(const model::Constraints& constraints) {
        std::map<std::string, std::size_t> unit_of;
        const auto& units = into_.units.units;
        for (std::size_t i = 0; i < units.size(); ++i) {
            for (const auto& service : units[i].services) unit_of[service] = i;
        }
        forbidden_.resize(units.size());
        for (const auto& group : constraints.cant_coexist) {
            UnitSet set = 0;
            for (const auto& service : group) {
                const auto found = unit_of.find(service);
                set = found == unit_of.end() ? 0 : set | UnitSet{1} << found->second;
                if (set == 0) break;
            }
            if (set != 0)
                forbidden_[static_cast<std::size_t>(std::bit_width(set)) - 1].push_back(set);
        }
    }

    bool breaks_a_rule(std::size_t newest, UnitSet set) const {
        return std::any_of(forbidden_[newest].begin(), forbidden_[newest].end(),
                           [&](UnitSet forbidden) { return (set & forbidden) == forbidden; });
    }

    bool extend(std::size_t unit, NodeLayout node, const std::vector<bool>& machines) {
        if (!budget_.spend()) return false;
        if (unit == into_.units.units.size()) return keep(node);
        return extend_with(unit, node, machines) && extend(unit + 1, node, machines);
    }

    bool extend_with(std::size_t unit, NodeLayout node, const std::vector<bool>& machines) {
        node.units |= UnitSet{1} << unit;
        node.services += static_cast<int>(into_.units.units[unit].services.size());
        if (into_.units.units[unit].max < 1 || breaks_a_rule(unit, node.units)) return true;
        const auto& fits = machines_of_unit_[unit];
        if (fits.empty()) return extend(unit + 1, node, machines);

        auto narrowed = machines;
        for (std::size_t i = 0; i < narrowed.size(); ++i) narrowed[i] = machines[i] && fits[i];
        while (node.machine < narrowed.size() && !narrowed[node.machine]) ++node.machine;
        return node.machine == narrowed.size() || extend(unit + 1, node, narrowed);
    }

    bool keep(NodeLayout node) {
        node.services += static_cast<int>(into_.units.everywhere.size());
        if (node.services > 0) into_.layouts.push_back(node);
        return true;
    }

    Candidates& into_;
    Budget& budget_;
    std::vector<std::vector<bool>> machines_of_unit_;
    // By the last of their units: groups that must not be together.
    std::vector<std::vector<UnitSet>> forbidden_;
};

}  // namespace

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

    std::map<std::size_t, std::size_t> unit_of_root;
    for (std::size_t i = 0; i < constrained.size(); ++i) {
        const auto [entry, is_new] = unit_of_root.emplace(ties.root_of(i), result.units.size());
        if (is_new) result.units.emplace_back();
        add_to_unit(result.units[entry->second], constrained[i], constraints);
    }
    return result;
}

std::vector<std::string> services_of(const Units& units, UnitSet set) {
    Names names = units.everywhere;
    for (std::size_t i = 0; i < units.units.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        const auto& services = units.units[i].services;
        names.insert(names.end(), services.begin(), services.end());
    }
    std::sort(names.begin(), names.end());
    return names;
}

Candidates find_candidates(const model::Constraints& constraints, const Selection& selection,
                           const Preferences& preferences, Budget& budget) {
    Candidates found;
    found.units = group_services(constraints, selection.services);
    found.machines = machines_of(selection, preferences);
    if (found.units.units.size() > max_units) {
        found.complete = false;
        return found;
    }
    if (found.machines.empty()) return found;
    SetGrower(constraints, found, budget).grow();
    std::stable_sort(found.layouts.begin(), found.layouts.end(),
                     [](const NodeLayout& a, const NodeLayout& b) {
                         if (a.services != b.services) return a.services > b.services;
                         return a.machine < b.machine;
                     });
    return found;
}

}  // namespace provisioner::solver
