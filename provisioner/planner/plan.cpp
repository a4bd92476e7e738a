#include "provisioner/planner/plan.hpp"

#include <algorithm>

#include "provisioner/planner/circles.hpp"
#include "provisioner/planner/passes/await_addresses.hpp"
#include "provisioner/planner/passes/chain_actions.hpp"
#include "provisioner/planner/passes/forget_implied_orders.hpp"
#include "provisioner/planner/passes/order_services.hpp"
#include "provisioner/planner/passes/serialise_nodes.hpp"
#include "provisioner/planner/scope.hpp"

namespace provisioner::planner {

base::Checked<TaskGraph> plan_dependencies(const PlanRequest& request) {
    const auto scope = scope_of(request);
    if (!scope) return base::unexpected(scope.error());
    TaskGraph graph;
    chain_actions_of_each_service(graph, *scope);
    order_services_by_dependency(graph, *scope, Barriers::complete);
    await_addresses(graph, Barriers::complete);
    if (!graph.rounds()) return base::unexpected(circles(*scope));
    return graph;
}

base::Checked<TaskGraph> plan(const PlanRequest& request) {
    const auto scope = scope_of(request);
    if (!scope) return base::unexpected(scope.error());
    TaskGraph graph;
    chain_actions_of_each_service(graph, *scope);
    order_services_by_dependency(graph, *scope, Barriers::thin);
    await_addresses(graph, Barriers::thin);
    if (!graph.rounds()) return base::unexpected(circles(*scope));
    // Rows follow the rounds, so all dependencies must be in the graph by then.
    serialise_each_node(graph);
    // Most implied orders are implied by the rows, so the rows must exist.
    forget_implied_orders(graph);
    return graph;
}

std::vector<std::pair<model::Action, int>> count_by_action(const TaskGraph& graph) {
    using enum model::Action;
    std::vector<std::pair<model::Action, int>> counts;
    for (const model::Action action : {create, confirm, bootstrap, install, stop, configure,
                                       initialize, start, remove, delete_machine}) {
        const auto count = std::ranges::count(graph.tasks(), action, &TaskKey::action);
        if (count > 0) counts.emplace_back(action, static_cast<int>(count));
    }
    return counts;
}

}  // namespace provisioner::planner
