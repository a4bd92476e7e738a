#include <boost/test/unit_test.hpp>
#include <set>

#include "provisioner/planner/passes/chain_actions.hpp"
#include "provisioner/planner/passes/forget_implied_orders.hpp"
#include "provisioner/planner/passes/order_services.hpp"
#include "provisioner/planner/passes/serialise_nodes.hpp"
#include "provisioner/planner/plan.hpp"
#include "provisioner/planner/scope.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/drawing.hpp"
#include "tests/unit/provisioner/planner/cases.hpp"
#include "tests/unit/provisioner/planner/random_cases.hpp"
#include "tests/unit/provisioner/planner/reference_rules.hpp"

using namespace provisioner::model;
using namespace provisioner::planner;
using namespace tests;

BOOST_AUTO_TEST_SUITE(random_clusters)

namespace {

const std::vector<Operation> operations{
    Operation::cluster_create,    Operation::cluster_delete,
    Operation::cluster_configure, Operation::cluster_configure_with_restart,
    Operation::stop_services,     Operation::start_services,
    Operation::restart_services,  Operation::add_services};

PlanRequest random_request(unsigned seed) {
    Dice dice(seed);
    PlanRequest request;
    request.operation = operations[dice.below(operations.size())];
    request.services = random_services(dice);
    std::vector<std::string> names;
    for (const auto& service : request.services) names.push_back(service.header.name);
    std::set<std::string> placed;
    const std::size_t nodes = 1 + dice.below(5);
    for (std::size_t node = 0; node < nodes; ++node) {
        const auto chosen = dice.some(names, 2);
        placed.insert(chosen.begin(), chosen.end());
        request.nodes.push_back({.name = "n" + std::to_string(node + 1), .services = chosen});
        if (dice.one_in(4)) request.only_nodes.push_back(node);
    }
    if (dice.one_in(2)) {
        request.only_services = dice.some(std::vector(placed.begin(), placed.end()), 2);
    }
    return request;
}

/// Lets the first service need others, which may need it.
void add_a_circle(PlanRequest& request, unsigned seed) {
    Dice dice(seed);
    auto& services = request.services;
    const auto target = services[dice.below(services.size())].header.name;
    services.front().dependencies.runtime.required.push_back(target);
    services.front().dependencies.install.required.push_back(services.back().header.name);
}

using Reach = std::vector<std::vector<bool>>;

/// For each task all that come after it, in however many steps.
Reach reach_of(const TaskGraph& graph) {
    const std::size_t count = graph.tasks().size();
    Reach reach(count, std::vector<bool>(count, false));
    for (std::size_t from = 0; from < count; ++from) {
        std::vector<std::size_t> open = graph.followers(from);
        while (!open.empty()) {
            const std::size_t task = open.back();
            open.pop_back();
            if (reach[from][task]) continue;
            reach[from][task] = true;
            const auto& next = graph.followers(task);
            open.insert(open.end(), next.begin(), next.end());
        }
    }
    return reach;
}

void check_that_nothing_runs_at_once_on_a_node(const TaskGraph& graph, const Reach& reach) {
    const auto& tasks = graph.tasks();
    for (std::size_t one = 0; one < tasks.size(); ++one) {
        BOOST_TEST(!reach[one][one]);
        for (std::size_t other = one + 1; other < tasks.size(); ++other) {
            if (tasks[one].node != tasks[other].node) continue;
            BOOST_TEST((reach[one][other] || reach[other][one]));
        }
    }
}

void check_that_every_order_is_kept(const TaskGraph& wanted, const TaskGraph& graph,
                                    const Reach& reach) {
    for (std::size_t before = 0; before < wanted.tasks().size(); ++before) {
        const auto from = graph.find(wanted.tasks()[before]);
        BOOST_REQUIRE(from);
        for (const std::size_t after : wanted.followers(before)) {
            const auto to = graph.find(wanted.tasks()[after]);
            BOOST_REQUIRE(to);
            BOOST_TEST(reach[*from][*to]);
        }
    }
}

/// Of a row, a task holds up directly only the first it has to.
void check_that_no_order_is_superfluous(const TaskGraph& graph, const Reach& reach) {
    for (std::size_t before = 0; before < graph.tasks().size(); ++before) {
        for (const std::size_t after : graph.followers(before)) {
            for (const std::size_t between : graph.followers(before)) {
                const bool same_row = graph.tasks()[between].node == graph.tasks()[after].node;
                BOOST_TEST(!(same_row && between != after && reach[between][after]));
            }
        }
    }
}

void check(const PlanRequest& request) {
    const auto wanted = plan_dependencies(request);
    const auto graph = plan(request);

    BOOST_REQUIRE(wanted.has_value() == graph.has_value());
    if (!graph) {
        BOOST_TEST(!graph.error().empty());
        BOOST_TEST((graph.error() == wanted.error()));
        return;
    }
    BOOST_TEST(graph->tasks().size() == wanted->tasks().size());
    const Reach reach = reach_of(*graph);
    check_that_nothing_runs_at_once_on_a_node(*graph, reach);
    check_that_every_order_is_kept(*wanted, *graph, reach);
    check_that_no_order_is_superfluous(*graph, reach);
}

/// The plan as it would be if no service waited for the addresses of other nodes.
TaskGraph plan_without_addresses(const PlanRequest& request) {
    TaskGraph graph;
    const auto scope = scope_of(request).value();
    chain_actions_of_each_service(graph, scope);
    order_services_by_dependency(graph, scope, Barriers::thin);
    serialise_each_node(graph);
    forget_implied_orders(graph);
    return graph;
}

/// Whether no task of a service may run before all machines of the graph have their addresses.
bool addresses_come_first(const TaskGraph& graph) {
    const Reach reach = reach_of(graph);
    const auto& tasks = graph.tasks();
    for (std::size_t one = 0; one < tasks.size(); ++one) {
        for (std::size_t other = 0; other < tasks.size(); ++other) {
            const bool awaited =
                tasks[one].action == Action::confirm && !tasks[other].service.empty();
            if (awaited && !reach[one][other]) return false;
        }
    }
    return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(waiting_for_addresses_changes_no_stage_of_a_create) {
    for (unsigned seed = 1; seed <= 400; ++seed) {
        BOOST_TEST_INFO_SCOPE("seed " << seed);
        auto request = random_request(seed);
        request.operation = Operation::cluster_create;
        request.only_nodes.clear();
        request.only_services.clear();

        const auto graph = plan(request);

        BOOST_REQUIRE(graph);
        BOOST_TEST(draw_stages(*graph) == draw_stages(plan_without_addresses(request)));
        BOOST_TEST(addresses_come_first(*graph));
    }
}

BOOST_AUTO_TEST_CASE(in_a_large_create_too) {
    const PlanRequest request{
        .operation = Operation::cluster_create,
        .nodes = nodes_with(std::vector<std::vector<std::string>>(70, {"a", "b"})),
        .services = {a_service("a", service_actions),
                     needing(a_service("b", service_actions), {"a"})},
        .only_nodes = {},
        .only_services = {}};

    const auto graph = plan(request).value();

    BOOST_TEST(draw_stages(graph) == draw_stages(plan_without_addresses(request)));
    BOOST_TEST(addresses_come_first(graph));
}

BOOST_AUTO_TEST_CASE(dependencies_are_those_of_the_written_rules) {
    std::size_t with_orders = 0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
        BOOST_TEST_INFO_SCOPE("seed " << seed);
        const auto request = random_request(seed);

        const auto graph = plan_dependencies(request);

        BOOST_REQUIRE(graph);
        const auto drawn = draw(*graph);

        BOOST_TEST(drawn == reference_orders(request));
        if (drawn.find("->") != std::string::npos) ++with_orders;
    }
    BOOST_TEST(with_orders > 200U);
}

BOOST_AUTO_TEST_CASE(a_plan_keeps_every_dependency_and_one_task_at_a_time) {
    for (unsigned seed = 1; seed <= 400; ++seed) {
        BOOST_TEST_INFO_SCOPE("seed " << seed);
        check(random_request(seed));
    }
}

BOOST_AUTO_TEST_CASE(a_circle_is_planned_around_or_told_but_never_forgotten) {
    std::size_t told = 0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
        BOOST_TEST_INFO_SCOPE("seed " << seed);
        auto request = random_request(seed);
        add_a_circle(request, seed);

        check(request);

        if (!plan(request)) ++told;
    }
    BOOST_TEST(told > 30U);
}

BOOST_AUTO_TEST_CASE(the_same_request_gives_the_same_plan) {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        BOOST_TEST_INFO_SCOPE("seed " << seed);
        const auto request = random_request(seed);
        const auto first = plan(request);
        const auto second = plan(request);

        BOOST_REQUIRE(first);
        BOOST_TEST(draw(*first) == draw(*second));
        BOOST_TEST(draw_stages(*first) == draw_stages(*second));
    }
}

BOOST_AUTO_TEST_CASE(large_barriers_pass_through_a_few_tasks_and_lose_nothing) {
    const std::vector<std::string> names{"a", "b", "c"};
    const PlanRequest request{.operation = Operation::restart_services,
                              .nodes = nodes_with(std::vector<std::vector<std::string>>(80, names)),
                              .services = {a_service("a", service_actions),
                                           needing(a_service("b", service_actions), {"a"}),
                                           needing(a_service("c", service_actions), {"a"})},
                              .only_nodes = {},
                              .only_services = {}};

    check(request);

    const auto graph = plan(request).value();
    std::size_t orders_given = 0;
    for (std::size_t task = 0; task < graph.tasks().size(); ++task) {
        orders_given += graph.waits_for(task);
    }
    BOOST_TEST(orders_given < 2'500U);
}

BOOST_AUTO_TEST_SUITE_END()
