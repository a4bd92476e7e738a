#include "provisioner/solver/solve.hpp"

#include <stdexcept>

#include "provisioner/solver/explain/explain.hpp"
#include "provisioner/solver/explain/remedies.hpp"
#include "provisioner/solver/layout/lay_out.hpp"
#include "provisioner/solver/sentences.hpp"

namespace provisioner::solver {

namespace {

// Remedies are optional, so they may take only a small part of the answer's time.
constexpr long steps_per_step_for_remedies = 8;

Unsatisfiable refused(std::string reason, std::string field) {
    return {.text = "", .reasons = {std::move(reason)}, .field = std::move(field)};
}

Unsatisfiable too_hard(const LayoutProblem& problem, const Selection& selection, long max_steps) {
    const auto units = group_services(problem.cluster_template.constraints, selection.services);
    return refused(
        "This layout is too hard to work out, because the rules leave " +
            counted(static_cast<long>(units.units.size()), "service") +
            " or groups of services too many ways to share machines (gave up after " +
            counted(max_steps, "step") +
            "). Choose fewer services, or say in the template which of them share machines.",
        "services");
}

Unsatisfiable why_impossible(const LayoutProblem& problem, const Selection& selection,
                             long max_steps) {
    const auto book = rule_book(problem, selection);
    Budget budget(max_steps);
    const auto clash = find_clash(book, budget);
    auto why = explain_clash(book, clash);
    Budget for_remedies(max_steps / steps_per_step_for_remedies);
    why.remedies = remedies_for(problem, book, clash, for_remedies);
    return why;
}

}  // namespace

base::expected<ClusterLayout, Unsatisfiable> solve(const LayoutProblem& problem, long max_steps) {
    const auto selection = select(problem);
    if (!selection) {
        auto why = selection.error();
        Budget for_remedies(max_steps / steps_per_step_for_remedies);
        why.remedies = remedies_for(problem, for_remedies);
        return base::unexpected(std::move(why));
    }
    if (problem.machines < 1) {
        return base::unexpected(refused("A cluster needs at least 1 machine.", "numMachines"));
    }
    if (selection->services.empty()) {
        return base::unexpected(refused("A cluster needs at least 1 service.", "services"));
    }
    Budget budget(max_steps);
    auto attempt = lay_out(problem, *selection, budget);
    switch (attempt.answer) {
        case Answer::yes:
            return std::move(attempt.layout);
        case Answer::gave_up:
            return base::unexpected(too_hard(problem, *selection, max_steps));
        case Answer::no:
            return base::unexpected(why_impossible(problem, *selection, max_steps));
    }
    throw std::logic_error("an answer is of no kind");
}

std::optional<ClusterLayout> find_layout(const LayoutProblem& problem, long max_steps) {
    const auto selection = select(problem);
    if (!selection || selection->services.empty() || problem.machines < 1) return std::nullopt;
    Budget budget(max_steps);
    auto attempt = lay_out(problem, *selection, budget);
    if (attempt.answer != Answer::yes) return std::nullopt;
    return std::move(attempt.layout);
}

std::string draw(const ClusterLayout& layout) {
    std::string text;
    for (const auto& group : layout.groups) {
        text += std::to_string(group.count) + " x " + group.hardware_type + "/" + group.image_type +
                ": " + joined(group.services, ", ") + "\n";
    }
    return text;
}

bool are_of_a_kind(const NodeGroup& one, const NodeGroup& other) {
    return one.hardware_type == other.hardware_type && one.image_type == other.image_type &&
           one.services == other.services;
}

int count_of(const ClusterLayout& layout, const NodeGroup& group) {
    int count = 0;
    for (const NodeGroup& other : layout.groups) {
        if (are_of_a_kind(other, group)) count += other.count;
    }
    return count;
}

std::string wire_message(const Unsatisfiable& unsatisfiable) {
    const std::string message = "Layout solving failed";
    return unsatisfiable.text.empty() ? message : message + ": " + unsatisfiable.text;
}

}  // namespace provisioner::solver
