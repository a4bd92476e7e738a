#include "provisioner/planner/circles.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace provisioner::planner {

namespace {

using model::Action;

/// A kind of dependency, its name for people, and the actions it orders.
struct Kind {
    std::string_view name;
    DependencyRelation Scope::*relation;
    std::span<const Action> ordered;
};

constexpr std::array install_ordered{Action::install};
constexpr std::array runtime_ordered{Action::start, Action::stop};
constexpr std::array kinds{Kind{"install", &Scope::install, install_ordered},
                           Kind{"runtime", &Scope::runtime, runtime_ordered}};

bool clash(const Scope& scope, const Kind& kind, const std::string& one, const std::string& other) {
    const DependencyRelation& relation = scope.*kind.relation;
    if (!relation.needs(one, other) || !relation.needs(other, one)) return false;
    return std::ranges::any_of(kind.ordered, [&](Action action) {
        return scope.does(action) && scope.defines(one, action) && scope.defines(other, action);
    });
}

/// "a needs b, b needs c and c needs a" for the circle a, b, c, a.
std::string in_words(const std::vector<std::string>& circle) {
    std::string words;
    for (std::size_t at = 0; at + 1 < circle.size(); ++at) {
        const bool last = at + 2 == circle.size();
        if (at > 0) words += last ? " and " : ", ";
        words += circle[at] + " needs " + circle[at + 1];
    }
    return words;
}

base::Problem problem_of(const DependencyRelation& relation, std::string_view kind,
                         const std::string& one, const std::string& other) {
    auto circle = relation.way(one, other);
    const auto back = relation.way(other, one);
    circle.insert(circle.end(), back.begin() + 1, back.end());
    return {"services", in_words(circle) + ": a circle of " + std::string(kind) +
                            " dependencies leaves no order to work in"};
}

std::vector<std::string> worked_on(const Scope& scope) {
    std::vector<std::string> names;
    for (const auto& name : scope.planned_services) {
        if (!scope.planned_nodes_of(name).empty()) names.push_back(name);
    }
    return names;
}

/// Whether `through` is in a circle with `service`; always true when `through` is empty.
bool takes_part(const DependencyRelation& relation, const std::string& service,
                const std::string& through) {
    if (through.empty() || service == through) return true;
    return relation.needs(service, through) && relation.needs(through, service);
}

struct FoundCircle {
    base::Problem problem{};
    std::set<std::string> services{};
};

/// Every circle, or those that contain one service.
std::vector<FoundCircle> circles_through(const Scope& scope, const std::string& through) {
    std::vector<FoundCircle> found;
    const auto names = worked_on(scope);
    for (const Kind& kind : kinds) {
        const DependencyRelation& relation = scope.*kind.relation;
        std::set<std::string> named;
        for (const auto& one : names) {
            if (named.contains(one) || !takes_part(relation, one, through)) continue;
            const auto other = std::ranges::find_if(names, [&](const auto& name) {
                return name != one && clash(scope, kind, one, name);
            });
            if (other == names.end()) continue;
            FoundCircle circle{.problem = problem_of(relation, kind.name, one, *other),
                               .services = {one}};
            for (const auto& name : names) {
                const bool is_in_it = relation.needs(one, name) && relation.needs(name, one);
                if (is_in_it) circle.services.insert(name);
            }
            named.insert(circle.services.begin(), circle.services.end());
            found.push_back(std::move(circle));
        }
    }
    return found;
}

/// Those of a cluster with all of these services, each once.
std::vector<FoundCircle> circles_of_cluster(const std::vector<model::Service>& services,
                                            const std::string& through) {
    PlanRequest request;
    request.services = services;
    auto& node = request.nodes.emplace_back();
    for (const model::Service& service : services) node.services.push_back(service.header.name);
    std::vector<FoundCircle> circles;
    for (const auto operation :
         {model::Operation::cluster_create, model::Operation::restart_services}) {
        request.operation = operation;
        const auto scope = scope_of(request);
        if (!scope) throw std::logic_error(base::to_text(scope.error()));
        for (auto& circle : circles_through(*scope, through)) {
            const bool is_told =
                std::ranges::count(circles, circle.problem, &FoundCircle::problem) > 0;
            if (!is_told) circles.push_back(std::move(circle));
        }
    }
    return circles;
}

base::Problems problems_of(const std::vector<FoundCircle>& circles) {
    base::Problems problems;
    for (const FoundCircle& circle : circles) problems.push_back(circle.problem);
    return problems;
}

}  // namespace

base::Problems circles(const Scope& scope) {
    return problems_of(circles_through(scope, ""));
}

base::Problems circles_among(const std::vector<model::Service>& services,
                             const std::string& through) {
    return problems_of(circles_of_cluster(services, through));
}

std::map<std::string, base::Problems> circles_by_service(
    const std::vector<model::Service>& services) {
    std::map<std::string, base::Problems> by_service;
    for (const FoundCircle& circle : circles_of_cluster(services, "")) {
        for (const auto& name : circle.services) by_service[name].push_back(circle.problem);
    }
    return by_service;
}

}  // namespace provisioner::planner
