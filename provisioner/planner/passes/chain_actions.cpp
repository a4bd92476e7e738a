#include "provisioner/planner/passes/chain_actions.hpp"

#include <optional>

namespace provisioner::planner {

namespace {

/// Adds the actions of one service on one node; with an empty service only the hardware actions.
void chain(TaskGraph& graph, const Scope& scope, std::size_t node, const std::string& service) {
    std::optional<std::size_t> previous;
    for (const model::Action action : scope.actions) {
        const bool hardware = model::is_hardware_action(action);
        if (!hardware && (service.empty() || !scope.defines(service, action))) continue;
        const std::size_t task = graph.add({node, action, hardware ? std::string() : service});
        if (previous) graph.order(*previous, task);
        previous = task;
    }
}

}  // namespace

void chain_actions_of_each_service(TaskGraph& graph, const Scope& scope) {
    for (const std::size_t node : scope.planned_nodes) {
        if (scope.whole_nodes) chain(graph, scope, node, "");
        for (const auto& service : scope.nodes[node].services) {
            if (scope.planned_services.contains(service)) chain(graph, scope, node, service);
        }
    }
}

}  // namespace provisioner::planner
