#include "provisioner/planner/change.hpp"

#include <algorithm>
#include <numeric>

#include "provisioner/planner/circles.hpp"
#include "provisioner/planner/passes/await_addresses.hpp"
#include "provisioner/planner/passes/chain_actions.hpp"
#include "provisioner/planner/passes/change_places.hpp"
#include "provisioner/planner/passes/change_services.hpp"
#include "provisioner/planner/passes/forget_implied_orders.hpp"
#include "provisioner/planner/passes/order_services.hpp"
#include "provisioner/planner/passes/resume_nodes.hpp"
#include "provisioner/planner/passes/serialise_nodes.hpp"
#include "provisioner/planner/plan.hpp"

namespace provisioner::planner {

namespace {

/// A create of the cluster as it will be, limited to the nodes that join.
PlanRequest create_of_what_comes(const ChangeRequest& request) {
    PlanRequest create{.operation = model::Operation::cluster_create,
                       .nodes = {},
                       .services = request.services,
                       .only_nodes = {},
                       .only_services = {}};
    for (std::size_t at = 0; at < request.nodes.size(); ++at) {
        const ChangedNode& node = request.nodes[at];
        const bool comes =
            node.membership == Membership::joins || node.membership == Membership::resumes;
        const bool there = comes || node.membership == Membership::stays;
        create.nodes.push_back(
            {.name = node.name, .services = there ? node.services : std::vector<std::string>{}});
        if (comes) create.only_nodes.push_back(at);
    }
    return create;
}

base::Problems circles_among_all(const ChangeRequest& request) {
    auto problems = circles_among(request.services);
    if (problems.empty()) {
        problems.push_back({"services", "what the services need leaves no order to work in"});
    }
    return problems;
}

base::Checked<TaskGraph> dependencies_of(const ChangeRequest& request, Barriers barriers) {
    const auto places = places_of(request);
    if (!places) return base::unexpected(places.error());
    TaskGraph graph;
    const PlanRequest create = create_of_what_comes(request);
    if (!create.only_nodes.empty()) {
        auto scope = scope_of(create);
        if (!scope) return base::unexpected(scope.error());
        scope->others_are_installed = true;
        chain_actions_of_each_service(graph, *scope);
        order_services_by_dependency(graph, *scope, barriers);
        stop_what_has_begun(graph, *places);
    }
    reconfigure_what_stays(graph, *places, barriers);
    remove_what_leaves(graph, *places, barriers);
    await_addresses(graph, barriers);
    const auto rounds = graph.rounds();
    if (!rounds) return base::unexpected(circles_among_all(request));
    return leave_out_done(graph, *places, *rounds);
}

/// The same tasks and orders, numbered so that each comes after all that it waits for: the last
/// start or stop of a service is then the one with the highest number. `rounds` are those of
/// `graph`.
TaskGraph in_order(const TaskGraph& graph, const std::vector<int>& rounds) {
    std::vector<std::size_t> tasks(graph.tasks().size());
    std::iota(tasks.begin(), tasks.end(), 0);
    std::ranges::stable_sort(tasks, {}, [&](std::size_t task) { return rounds[task]; });
    TaskGraph ordered;
    std::vector<std::size_t> numbers(tasks.size());
    for (const std::size_t task : tasks) numbers[task] = ordered.add(graph.tasks()[task]);
    for (const std::size_t task : tasks) {
        for (const std::size_t follower : graph.followers(task)) {
            ordered.order(numbers[task], numbers[follower]);
        }
    }
    return ordered;
}

}  // namespace

base::Checked<TaskGraph> plan_change_dependencies(const ChangeRequest& request) {
    return dependencies_of(request, Barriers::complete);
}

base::Checked<TaskGraph> plan_change(const ChangeRequest& request) {
    auto graph = dependencies_of(request, Barriers::thin);
    if (!graph) return graph;
    serialise_each_node(*graph);
    forget_implied_orders(*graph);
    const auto rounds = graph->rounds();
    if (!rounds) return base::unexpected(circles_among_all(request));
    return in_order(*graph, *rounds);
}

}  // namespace provisioner::planner
