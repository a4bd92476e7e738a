#include "provisioner/solver/explain/reasons.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/layout/budget.hpp"
#include "provisioner/solver/layout/kinds.hpp"
#include "provisioner/solver/layout/lay_out.hpp"
#include "provisioner/solver/sentences.hpp"

namespace provisioner::solver {

namespace {

using Names = std::vector<std::string>;
using Found = std::unordered_set<std::string_view>;

// In the units of Budget: well over what the layouts of people need, about a second.
constexpr long most_work = 400'000'000;
// A rule that is compared with a node.
constexpr long work_of_a_rule = 100;
// A sentence.
constexpr long work_of_a_service = 200;

class Reasons {
 public:
    Reasons(const LayoutProblem& problem, const Selection& selection, const ClusterLayout& layout)
        : book_(rule_book(problem, selection)),
          units_(group_services(book_.constraints, selection.services)),
          everywhere_(units_.everywhere.begin(), units_.everywhere.end()),
          nodes_(nodes_by_service(layout.groups)),
          rules_(std::ssize(rules_of(book_))) {
        for (const auto& unit : units_.units) {
            for (const auto& service : unit.services) unit_of_[service] = &unit;
        }
        for (const auto& [service, nodes] : nodes_by_service(problem.present)) {
            nodes_[service] += nodes;
        }
    }

    [[nodiscard]] GroupReasons about(const NodeGroup& group) {
        const Found found(group.services.begin(), group.services.end());
        GroupReasons reasons{.services = {}, .machine = about_machine(group)};
        for (const auto& service : book_.selection.services) {
            const bool here = found.contains(service);
            reasons.services.push_back(
                {service, here,
                 here ? why_here(service) : service + " is not here: " + why_not(service, group)});
        }
        return reasons;
    }

 private:
    // The services that always come together with this one, itself included.
    [[nodiscard]] Names unit_of(const std::string& service) const {
        const auto found = unit_of_.find(service);
        return found == unit_of_.end() ? Names{service} : found->second->services;
    }

    [[nodiscard]] long all_with(const std::string& service) const {
        const auto found = nodes_.find(service);
        return found == nodes_.end() ? 0 : found->second;
    }

    [[nodiscard]] std::string why_here(const std::string& service) const {
        if (everywhere_.contains(service)) {
            return service + " is on every machine: no rule of the template is about it.";
        }
        auto companions = unit_of(service);
        std::erase(companions, service);
        const std::string with =
            companions.empty() ? "" : " It comes together with " + listed(companions, "and") + ".";
        const auto* written = model::constraint_on(book_.constraints, service);
        const long nodes = all_with(service);
        if (written != nullptr && written->min > 0 && nodes == written->min) {
            return service + " needs at least " + counted(nodes, "machine") +
                   " and is on no more than that." + with;
        }
        return "A machine takes every service it may have, and " + service + " may be here." + with;
    }

    [[nodiscard]] std::string why_not(const std::string& service, const NodeGroup& group) {
        if (!budget_.work(work_of_a_service + work_of_a_rule * rules_)) {
            return "the rules of the template leave it no place on these machines. There are too "
                   "many "
                   "of them to find the one that matters.";
        }
        const auto unit = unit_of(service);
        const std::string as_well =
            unit.size() == 1 ? "" : listed(unit, "and") + " come together, and ";
        if (const auto rule = rule_against(book_, group, unit)) {
            return as_well + clause(book_, *rule) + ".";
        }
        for (const auto& name : unit) {
            const auto* written = model::constraint_on(book_.constraints, name);
            const bool full = written != nullptr && all_with(name) >= written->max;
            if (full) {
                return as_well + name + " may be on at most " + counted(written->max, "machine") +
                       ", and is.";
            }
        }
        throw std::logic_error("a layout lacks " + service + " without a reason");
    }

    [[nodiscard]] static std::string about_type(const std::string& noun, const std::string& type,
                                                const Names& usable, const Names& fitting,
                                                const Names& choosy) {
        if (usable.size() == 1) {
            return type + " is the only " + noun + " type this cluster can have.";
        }
        if (fitting.size() == 1) {
            return type + " is the only " + noun + " type " + listed(choosy, "and") +
                   (choosy.size() > 1 ? " may run on together." : " may run on.");
        }
        return type + " comes first of the " + noun +
               " types these services may run on: " + listed(fitting, "and") + ".";
    }

    using TypesOfService = Names model::ServiceConstraint::*;

    [[nodiscard]] std::string about_type(const std::string& noun, const std::string& type,
                                         const NodeGroup& group, const Names& usable,
                                         TypesOfService types) const {
        Names fitting = usable;
        Names choosy;
        for (const auto& service : group.services) {
            const auto* written = model::constraint_on(book_.constraints, service);
            if (written == nullptr || (written->*types).empty()) continue;
            choosy.push_back(service);
            std::erase_if(fitting,
                          [&](const auto& name) { return !contains(written->*types, name); });
        }
        return about_type(noun, type, usable, fitting, choosy);
    }

    [[nodiscard]] std::string about_machine(const NodeGroup& group) const {
        using Constraint = model::ServiceConstraint;
        return about_type("hardware", group.hardware_type, group, book_.selection.hardware_types,
                          &Constraint::hardware_types) +
               " " +
               about_type("image", group.image_type, group, book_.selection.image_types,
                          &Constraint::image_types);
    }

    RuleBook book_;
    Units units_;
    Found everywhere_;
    // By service: its unit, and the nodes that have it, present or new.
    std::unordered_map<std::string_view, const Unit*> unit_of_;
    std::unordered_map<std::string_view, long> nodes_;
    long rules_;
    Budget budget_{0, most_work};
};

}  // namespace

std::vector<GroupReasons> reasons_for(const LayoutProblem& problem, const ClusterLayout& layout) {
    const auto selection = select(problem);
    if (!selection) throw std::logic_error("there is no layout of a request that is unsound");
    Reasons reasons(problem, *selection, layout);
    std::vector<GroupReasons> all;
    for (const auto& group : layout.groups) all.push_back(reasons.about(group));
    return all;
}

}  // namespace provisioner::solver
