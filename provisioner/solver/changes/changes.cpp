#include "provisioner/solver/changes/changes.hpp"

#include <numeric>
#include <stdexcept>

#include "provisioner/solver/sentences.hpp"

namespace provisioner::solver {

namespace {

using Kind = Rule::Kind;

model::ServiceConstraint& written_for(LayoutProblem& problem, const std::string& service) {
    for (auto& [name, constraint] : problem.cluster_template.constraints.services) {
        if (name == service) return constraint;
    }
    throw std::logic_error("a rule is about a service without an entry");
}

void drop(const Rule& rule, LayoutProblem& problem) {
    auto& constraints = problem.cluster_template.constraints;
    switch (rule.kind) {
        // Emptied, not erased: other rules refer to groups by index, and an empty group forbids
        // nothing.
        case Kind::together:
            constraints.must_coexist.at(rule.group).clear();
            return;
        case Kind::apart:
            constraints.cant_coexist.at(rule.group).clear();
            return;
        case Kind::hardware:
            written_for(problem, rule.service).hardware_types.clear();
            return;
        case Kind::image:
            written_for(problem, rule.service).image_types.clear();
            return;
        case Kind::at_most:
            written_for(problem, rule.service).max = model::no_maximum;
            return;
        case Kind::at_least:
            written_for(problem, rule.service).min = 0;
            return;
        case Kind::all_machines:
        case Kind::only_machines:
            break;
    }
    throw std::logic_error("the number of machines is no rule of a template");
}

}  // namespace

LayoutProblem with_services(LayoutProblem problem, const std::vector<std::string>& services) {
    problem.services = services;
    return problem;
}

LayoutProblem with_type(LayoutProblem problem, Kind kind, const std::string& type) {
    (kind == Kind::hardware ? problem.hardware_type : problem.image_type) = type;
    return problem;
}

LayoutProblem without(LayoutProblem problem, const std::vector<Rule>& rules) {
    for (const auto& rule : rules) drop(rule, problem);
    return problem;
}

TemplatePart part_of(const model::Constraints& constraints, const Rule& rule) {
    switch (rule.kind) {
        case Kind::together:
            return {.kind = TemplatePart::Kind::together,
                    .services = constraints.must_coexist.at(rule.group)};
        case Kind::apart:
            return {.kind = TemplatePart::Kind::apart,
                    .services = constraints.cant_coexist.at(rule.group)};
        case Kind::hardware:
            return {.kind = TemplatePart::Kind::hardware, .services = {rule.service}};
        case Kind::image:
            return {.kind = TemplatePart::Kind::image, .services = {rule.service}};
        case Kind::at_most:
            return {.kind = TemplatePart::Kind::at_most, .services = {rule.service}};
        case Kind::at_least:
            return {.kind = TemplatePart::Kind::at_least, .services = {rule.service}};
        case Kind::all_machines:
        case Kind::only_machines:
            break;
    }
    throw std::logic_error("the number of machines is no rule of a template");
}

int total_nodes(const LayoutProblem& problem) {
    return std::accumulate(problem.present.begin(), problem.present.end(), problem.machines,
                           [](int sum, const NodeGroup& group) { return sum + group.count; });
}

std::vector<TemplatePart> parts_of_size(int least, int most) {
    std::vector<TemplatePart> parts{
        {.kind = TemplatePart::Kind::machines_at_least, .bound = least}};
    if (most != model::no_maximum) {
        parts.push_back({.kind = TemplatePart::Kind::machines_at_most, .bound = most});
    }
    return parts;
}

Change with_machines(const LayoutProblem& problem, int machines) {
    Change change{.is_in_request = true,
                  .clause = "ask for " + counted(machines, "machine") +
                            (problem.present.empty() ? "" : " more"),
                  .changed = problem};
    change.changed.machines = machines;
    const int size = total_nodes(change.changed);
    auto& constraints = change.changed.cluster_template.constraints;
    const bool fits = size >= constraints.size_min && size <= constraints.size_max;
    if (fits) return change;
    const bool too_many = size > constraints.size_max;
    change.is_in_request = false;
    change.clause = std::string("let clusters of the template have ") +
                    (too_many ? "up to " : "as few as ") + counted(size, "machine") + " and " +
                    change.clause;
    (too_many ? constraints.size_max : constraints.size_min) = size;
    change.parts = parts_of_size(constraints.size_min, constraints.size_max);
    return change;
}

Change with_type_for_service(const LayoutProblem& problem, const Rule& rule,
                             const std::string& type) {
    Change change{.is_in_request = false,
                  .clause = "let " + rule.service + " run on " + noun_of(rule.kind) + " type " +
                            type + " as well",
                  .changed = problem};
    auto& written = written_for(change.changed, rule.service);
    (rule.kind == Kind::hardware ? written.hardware_types : written.image_types).push_back(type);
    change.parts = {part_of(problem.cluster_template.constraints, rule)};
    change.parts.front().type = type;
    return change;
}

Change with_bound(const LayoutProblem& problem, const Rule& rule, int bound) {
    Change change{.is_in_request = false, .clause = "", .changed = problem};
    auto& written = written_for(change.changed, rule.service);
    if (rule.kind == Kind::at_most) {
        change.clause = "let " + rule.service + " be on up to " + counted(bound, "machine");
        written.max = bound;
    } else {
        change.clause = bound > 0
                            ? "let " + counted(bound, "machine") + " be enough for " + rule.service
                            : "drop the minimum of " + rule.service;
        written.min = bound;
    }
    change.parts = {part_of(problem.cluster_template.constraints, rule)};
    change.parts.front().bound = bound;
    return change;
}

}  // namespace provisioner::solver
