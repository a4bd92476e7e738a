#include "provisioner/solver/layout/lay_out.hpp"

#include <algorithm>
#include <stdexcept>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/layout/search.hpp"

namespace provisioner::solver {

namespace {

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

// Present nodes may break the quantities without the new nodes' fault, so these are checked only
// without present nodes.
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

SearchResult lay_out(const LayoutProblem& problem, const Selection& selection, Budget& budget) {
    const auto rules = kind_rules(problem.cluster_template.constraints, selection);
    const auto filling = fill(rules,
                              remainder_of(rules, problem.cluster_template.constraints,
                                           problem.present, problem.machines),
                              budget);
    SearchResult result{.answer = filling.answer, .layout = {}};
    if (filling.answer != Answer::yes) return result;
    result.layout = layout_of(rules, filling);
    check(problem, selection, result.layout);
    return result;
}

Answer has_layout(const LayoutProblem& problem, Budget& budget) {
    const auto selection = select(problem);
    if (!selection || selection->services.empty() || problem.machines < 1) return Answer::no;
    return lay_out(problem, *selection, budget).answer;
}

RuleBook rule_book(const LayoutProblem& problem, const Selection& selection) {
    return {.constraints = problem.cluster_template.constraints,
            .selection = selection,
            .machines = problem.machines,
            .present = problem.present};
}

}  // namespace provisioner::solver
