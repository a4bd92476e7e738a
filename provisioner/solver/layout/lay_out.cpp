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

namespace {

long work_of_preparing(const LayoutProblem& problem, const Selection& selection) {
    constexpr long per_name = 100;
    long names = 0;
    for (const auto& group : problem.present) names += std::ssize(group.services);
    return work_of_kind_rules(problem.cluster_template.constraints, selection) + per_name * names;
}

// Each group of nodes is compared with each name of the rules.
long work_of_checking(const LayoutProblem& problem, const Selection& selection,
                      const ClusterLayout& layout) {
    constexpr long per_name = 20;
    const auto& constraints = problem.cluster_template.constraints;
    long names = std::ssize(constraints.services);
    if (!constraints.must_coexist.empty()) names += std::ssize(selection.services);
    for (const auto* groups : {&constraints.must_coexist, &constraints.cant_coexist}) {
        for (const auto& group : *groups) names += std::ssize(group);
    }
    long work = 0;
    for (const auto& group : layout.groups) {
        work += per_name * (names + 3 * std::ssize(group.services));
    }
    return work;
}

}  // namespace

SearchResult lay_out(const LayoutProblem& problem, const Selection& selection, Budget& budget) {
    if (!budget.work(work_of_preparing(problem, selection))) {
        return {.answer = Answer::gave_up, .layout = {}};
    }
    const auto rules = kind_rules(problem.cluster_template.constraints, selection);
    const auto filling = fill(rules,
                              remainder_of(rules, problem.cluster_template.constraints,
                                           problem.present, problem.machines),
                              budget);
    SearchResult result{.answer = filling.answer, .layout = {}};
    if (filling.answer != Answer::yes) return result;
    result.layout = layout_of(rules, filling);
    if (!budget.work(work_of_checking(problem, selection, result.layout))) {
        return {.answer = Answer::gave_up, .layout = {}};
    }
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
