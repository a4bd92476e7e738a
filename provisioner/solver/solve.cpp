#include "provisioner/solver/solve.hpp"

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

Unsatisfiable too_hard(const std::string& why, long max_steps) {
    return refused(
        "This layout is too hard to work out, because " + why + " (gave up after " +
            counted(max_steps, "step") +
            "). Choose fewer services, or say in the template which of them share nodes.",
        "services");
}

Unsatisfiable too_many_kinds(const Candidates& candidates, long max_steps) {
    return too_hard(counted(static_cast<long>(candidates.units.units.size()), "service") +
                        " or groups of services can be combined on a node in too many ways",
                    max_steps);
}

Unsatisfiable too_long_a_search(const Candidates& candidates, int machines, long max_steps) {
    return too_hard("there are " + counted(static_cast<long>(candidates.layouts.size()), "kind") +
                        " of node for " + counted(machines, "machine") +
                        " and the wanted numbers of nodes leave too many combinations to try",
                    max_steps);
}

Unsatisfiable why_impossible(const LayoutProblem& problem, const Selection& selection,
                             long max_steps) {
    const RuleBook book{.constraints = problem.cluster_template.constraints,
                        .selection = selection,
                        .machines = problem.machines};
    Budget budget(max_steps);
    return explain_clash(book, find_clash(book, budget));
}

ClusterLayout layout_of(const Candidates& candidates, const Counts& counts) {
    ClusterLayout layout;
    for (const auto& [kind, nodes] : counts.chosen) {
        const auto& node = candidates.layouts[kind];
        const auto& machine = candidates.machines[node.machine];
        layout.groups.push_back({.hardware_type = machine.hardware_type,
                                 .image_type = machine.image_type,
                                 .services = services_of(candidates.units, node.units),
                                 .count = static_cast<int>(nodes)});
    }
    return layout;
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
    const auto& constraints = problem.cluster_template.constraints;
    Budget budget(max_steps);
    const auto candidates = find_candidates(constraints, *selection, {}, budget);
    if (!candidates.complete) return base::unexpected(too_many_kinds(candidates, max_steps));

    const auto counts = find_counts(count_problem(candidates, problem.machines), budget);
    if (counts.end == SearchEnd::gave_up) {
        return base::unexpected(too_long_a_search(candidates, problem.machines, max_steps));
    }
    if (counts.end == SearchEnd::impossible) {
        return base::unexpected(why_impossible(problem, *selection, max_steps));
    }
    auto layout = layout_of(candidates, counts);
    if (!is_acceptable(constraints, selection->services, layout)) {
        throw std::logic_error("the solver made a layout that breaks a rule");
    }
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
