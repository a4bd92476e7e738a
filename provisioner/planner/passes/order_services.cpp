#include "provisioner/planner/passes/order_services.hpp"

#include <array>

#include "provisioner/planner/passes/barrier.hpp"

namespace provisioner::planner {

namespace {

using model::Action;

/// Each task for `waiting` waits for the tasks for `awaited` of the services in `relation`.
struct Rule {
    Action waiting;
    Action awaited;
    DependencyRelation Scope::*relation;
    /// Whether services that the operation does not work on are ignored.
    bool only_planned;
};

constexpr std::array rules{Rule{Action::install, Action::install, &Scope::install, true},
                           Rule{Action::initialize, Action::start, &Scope::runtime, false},
                           Rule{Action::start, Action::start, &Scope::runtime, false},
                           Rule{Action::stop, Action::stop, &Scope::runtime_reversed, false}};

Tasks tasks_of(TaskGraph& graph, Action action, const std::string& service,
               const std::vector<std::size_t>& nodes) {
    Tasks tasks;
    tasks.reserve(nodes.size());
    for (const std::size_t node : nodes) tasks.push_back(graph.add({node, action, service}));
    return tasks;
}

Tasks awaited_tasks(TaskGraph& graph, const Scope& scope, const Rule& rule,
                    const std::string& service) {
    Tasks found;
    for (const auto& other : (scope.*rule.relation).awaited(service, rule.awaited)) {
        if (rule.only_planned && !scope.planned_services.contains(other)) continue;
        const bool only_here = rule.only_planned && scope.others_are_installed;
        const auto nodes = only_here ? scope.planned_nodes_of(other) : scope.nodes_of.at(other);
        const Tasks more = tasks_of(graph, rule.awaited, other, nodes);
        found.insert(found.end(), more.begin(), more.end());
    }
    return found;
}

/// On its node, a start that follows the initialize of its service has already waited.
bool has_waited_before(const Scope& scope, const Rule& rule, const std::string& service) {
    return rule.waiting == Action::start && scope.does(Action::initialize) &&
           scope.defines(service, Action::initialize);
}

void apply(const Rule& rule, TaskGraph& graph, const Scope& scope, Barriers barriers) {
    for (const auto& service : scope.planned_services) {
        if (!scope.defines(service, rule.waiting)) continue;
        if (barriers == Barriers::thin && has_waited_before(scope, rule, service)) continue;
        const auto nodes = scope.planned_nodes_of(service);
        if (nodes.empty()) continue;
        const Tasks before = awaited_tasks(graph, scope, rule, service);
        const Tasks after = tasks_of(graph, rule.waiting, service, nodes);
        add_barrier(graph, before, after, barriers);
    }
}

}  // namespace

void order_services_by_dependency(TaskGraph& graph, const Scope& scope, Barriers barriers) {
    for (const Rule& rule : rules) {
        if (scope.does(rule.waiting)) apply(rule, graph, scope, barriers);
    }
}

}  // namespace provisioner::planner
