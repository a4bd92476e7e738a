#include "provisioner/planner/scope.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace provisioner::planner {

namespace {

using model::Operation;

std::map<std::string, std::vector<std::size_t>> nodes_by_service(
    const std::vector<PlannedNode>& nodes) {
    std::map<std::string, std::vector<std::size_t>> found;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        for (const auto& service : nodes[node].services) {
            auto& places = found[service];
            if (places.empty() || places.back() != node) places.push_back(node);
        }
    }
    return found;
}

std::map<std::string, const model::Service*> placed_services(
    const PlanRequest& request, const std::map<std::string, std::vector<std::size_t>>& nodes_of) {
    std::map<std::string, const model::Service*> found;
    for (const auto& service : request.services) {
        const auto& name = service.header.name;
        if (nodes_of.contains(name)) found.emplace(name, &service);
    }
    return found;
}

std::vector<const model::Service*> definitions(
    const std::map<std::string, const model::Service*>& services) {
    std::vector<const model::Service*> found;
    found.reserve(services.size());
    for (const auto& [name, service] : services) found.push_back(service);
    return found;
}

std::vector<std::size_t> planned_nodes(const PlanRequest& request) {
    if (request.only_nodes.empty()) {
        std::vector<std::size_t> all(request.nodes.size());
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    const std::set<std::size_t> named(request.only_nodes.begin(), request.only_nodes.end());
    if (*named.rbegin() >= request.nodes.size()) {
        throw std::logic_error("a plan is limited to a node that does not exist");
    }
    return {named.begin(), named.end()};
}

/// The relation by which named services are expanded; null when they are not.
const DependencyRelation* expansion_of(Operation operation, const DependencyRelation& runtime,
                                       const DependencyRelation& reversed) {
    switch (operation) {
        case Operation::start_services:
            return &runtime;
        case Operation::stop_services:
        case Operation::restart_services:
            return &reversed;
        case Operation::solve_layout:
        case Operation::cluster_create:
        case Operation::cluster_delete:
        case Operation::cluster_configure:
        case Operation::cluster_configure_with_restart:
        case Operation::add_services:
        case Operation::cluster_grow:
        case Operation::cluster_shrink:
        case Operation::remove_services:
        case Operation::replace_node:
            return nullptr;
    }
    throw std::logic_error("unknown operation");
}

std::set<std::string> planned_services(const PlanRequest& request, const Scope& scope) {
    if (!request.only_services.empty()) {
        return expanded(request.operation, request.only_services, scope.runtime,
                        scope.runtime_reversed);
    }
    std::set<std::string> planned;
    for (const auto& [name, service] : scope.services) planned.insert(name);
    return planned;
}

base::Problems problems_of(const PlanRequest& request, const Scope& scope) {
    base::Problems problems;
    const bool only_hardware = std::ranges::all_of(scope.actions, model::is_hardware_action);
    for (const auto& [name, nodes] : scope.nodes_of) {
        if (only_hardware || scope.services.contains(name)) continue;
        std::string message = "service " + name;
        message += " of node " + request.nodes[nodes.front()].name + " is not defined";
        problems.push_back({"services", std::move(message)});
    }
    for (const auto& name : request.only_services) {
        if (scope.nodes_of.contains(name)) continue;
        problems.push_back({"services", "service " + name + " is not on the cluster"});
    }
    return problems;
}

}  // namespace

std::set<std::string> expanded(Operation operation, const std::vector<std::string>& services,
                               const DependencyRelation& runtime,
                               const DependencyRelation& reversed) {
    std::set<std::string> all(services.begin(), services.end());
    const DependencyRelation* expansion = expansion_of(operation, runtime, reversed);
    if (!expansion) return all;
    for (const auto& name : services) {
        for (const auto& other : expansion->all_needs_of(name)) all.insert(other);
    }
    return all;
}

bool Scope::does(model::Action action) const {
    return std::ranges::find(actions, action) != actions.end();
}

bool Scope::defines(const std::string& service, model::Action action) const {
    return services.at(service)->actions.contains(action);
}

std::vector<std::size_t> Scope::planned_nodes_of(const std::string& service) const {
    std::vector<std::size_t> both;
    std::ranges::set_intersection(planned_nodes, nodes_of.at(service), std::back_inserter(both));
    return both;
}

base::Checked<Scope> scope_of(const PlanRequest& request) {
    auto nodes_of = nodes_by_service(request.nodes);
    auto services = placed_services(request, nodes_of);
    const auto defined = definitions(services);
    const DependencyRelation runtime(defined, DependencyKind::runtime);
    Scope scope{.actions = model::actions_of(request.operation),
                .nodes = request.nodes,
                .planned_nodes = planned_nodes(request),
                .services = std::move(services),
                .nodes_of = std::move(nodes_of),
                .planned_services = {},
                .whole_nodes = request.only_services.empty(),
                .install = DependencyRelation(defined, DependencyKind::install),
                .runtime = runtime,
                .runtime_reversed = runtime.reversed()};
    auto problems = problems_of(request, scope);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    scope.planned_services = planned_services(request, scope);
    return scope;
}

}  // namespace provisioner::planner
