#include "provisioner/solver/solve.hpp"

#include <algorithm>
#include <stdexcept>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/explain.hpp"
#include "provisioner/solver/search.hpp"
#include "provisioner/solver/selection.hpp"
#include "provisioner/solver/sentences.hpp"

namespace provisioner::solver {

namespace {

Unsatisfiable refused(std::string reason, std::string field) {
    return {.text = "", .reasons = {std::move(reason)}, .field = std::move(field)};
}

Unsatisfiable too_hard(const KindRules& rules, long max_steps) {
    const auto units = static_cast<long>(rules.units.units.size());
    return refused(
        "This layout is too hard to work out, because the rules leave " +
            counted(units, "service") +
            " or groups of services too many ways to share nodes (gave up after " +
            counted(max_steps, "step") +
            "). Choose fewer services, or say in the template which of them share nodes.",
        "services");
}

Unsatisfiable why_impossible(const LayoutProblem& problem, const Selection& selection,
                             long max_steps) {
    const RuleBook book{.constraints = problem.cluster_template.constraints,
                        .selection = selection,
                        .machines = problem.machines,
                        .present = problem.present};
    Budget budget(max_steps);
    return explain_clash(book, find_clash(book, budget));
}

ClusterLayout layout_of(const KindRules& rules, const Filling& filling) {
    ClusterLayout layout;
    for (const auto& [kind, nodes] : filling.kinds) {
        const auto& machine = rules.machines[kind.machine];
        layout.groups.push_back({.hardware_type = machine.hardware_type,
                                 .image_type = machine.image_type,
                                 .services = services_of(rules.units, kind.units),
                                 .count = static_cast<int>(nodes)});
    }
    return layout;
}

// Nodes that are there already may break rules on their own account; new ones never do.
void check(const LayoutProblem& problem, const Selection& selection, const ClusterLayout& layout) {
    const auto& constraints = problem.cluster_template.constraints;
    const bool good_nodes =
        std::all_of(layout.groups.begin(), layout.groups.end(), [&](const NodeGroup& group) {
            return may_share_a_node(constraints, selection.services, group.services) &&
                   may_run_on_its_machine(constraints, group);
        });
    const bool good_numbers =
        !problem.present.empty() || quantities_hold(constraints, selection.services, layout);
    if (!good_nodes || !good_numbers) {
        throw std::logic_error("the solver made a layout that breaks a rule");
    }
}

}  // namespace

base::expected<ClusterLayout, Unsatisfiable> solve(const LayoutProblem& problem, long max_steps) {
    const auto selection = select(problem);
    if (!selection) return base::unexpected(selection.error());
    if (problem.machines < 1) {
        return base::unexpected(refused("A cluster needs at least 1 machine.", "numMachines"));
    }
    if (selection->services.empty()) {
        return base::unexpected(refused("A cluster needs at least 1 service.", "services"));
    }
    const auto rules = kind_rules(problem.cluster_template.constraints, *selection);
    Budget budget(max_steps);
    const auto filling =
        fill(rules, remainder_of(rules, problem.present, problem.machines), budget);
    if (filling.answer == Answer::gave_up) return base::unexpected(too_hard(rules, max_steps));
    if (filling.answer == Answer::no) {
        return base::unexpected(why_impossible(problem, *selection, max_steps));
    }
    auto layout = layout_of(rules, filling);
    check(problem, *selection, layout);
    return layout;
}

std::string draw(const ClusterLayout& layout) {
    std::string text;
    for (const auto& group : layout.groups) {
        text += std::to_string(group.count) + " x " + group.hardware_type + "/" + group.image_type +
                ": " + joined(group.services, ", ") + "\n";
    }
    return text;
}

std::string wire_message(const Unsatisfiable& unsatisfiable) {
    const std::string message = "Layout solving failed";
    return unsatisfiable.text.empty() ? message : message + ": " + unsatisfiable.text;
}

}  // namespace provisioner::solver
