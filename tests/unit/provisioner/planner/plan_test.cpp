#include "provisioner/planner/plan.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "tests/support/builders.hpp"
#include "tests/support/drawing.hpp"
#include "tests/unit/provisioner/planner/cases.hpp"

using namespace provisioner::model;
using namespace provisioner::planner;
using namespace tests;

namespace {

const std::vector<Action> runnable{Action::install, Action::start, Action::stop};

PlanRequest whole(Operation operation, const std::vector<std::vector<std::string>>& nodes,
                  const std::vector<Service>& services) {
    return {.operation = operation,
            .nodes = nodes_with(nodes),
            .services = services,
            .only_nodes = {},
            .only_services = {}};
}

/// One database and two web nodes, `web` needing `sql`, which `db` provides.
PlanRequest webapp(Operation operation) {
    auto db = a_service("db", runnable);
    db.dependencies.provides = {"sql"};
    return whole(operation, {{"hosts", "db"}, {"hosts", "web"}, {"hosts", "web"}},
                 {a_service("hosts", {Action::configure}), db,
                  needing(a_service("web", runnable), {"sql"})});
}

/// The same with `cache`, which needs `web`, added to the second node.
PlanRequest webapp_with_cache() {
    auto request = webapp(Operation::add_services);
    request.nodes[1].services.push_back("cache");
    request.services.push_back(
        needing(a_service("cache", {Action::install, Action::start}), {"web"}));
    request.only_nodes = {1};
    request.only_services = {"cache"};
    return request;
}

PlanRequest circle_of(const std::vector<Action>& ca, const std::vector<Action>& cb) {
    return whole(Operation::cluster_create, {{"ca", "cb"}},
                 {needing(a_service("ca", ca), {"cb"}), needing(a_service("cb", cb), {"ca"})});
}

std::string staged(const PlanRequest& request) {
    const auto graph = plan(request);
    BOOST_REQUIRE(graph);
    return draw_stages(*graph);
}

std::string refused(const PlanRequest& request) {
    const auto graph = plan(request);
    BOOST_REQUIRE(!graph);
    BOOST_TEST((plan_dependencies(request).error() == graph.error()));
    return to_text(graph.error());
}

std::size_t orders_in(const TaskGraph& graph) {
    std::size_t count = 0;
    for (std::size_t task = 0; task < graph.tasks().size(); ++task) count += graph.waits_for(task);
    return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(whole_plans)

BOOST_AUTO_TEST_CASE(a_hadoop_file_system_of_two_nodes) {
    const std::vector<Action> actions{Action::install, Action::configure, Action::initialize,
                                      Action::start};
    const auto request =
        whole(Operation::cluster_create, {{"hosts", "namenode"}, {"hosts", "datanode"}},
              {a_service("hosts", {Action::configure}), a_service("namenode", actions),
               needing(a_service("datanode", actions), {"namenode"})});

    BOOST_TEST(staged(request) ==
               "[CREATE n1, CREATE n2] [CONFIRM n1, CONFIRM n2] [BOOTSTRAP n1, BOOTSTRAP n2] "
               "[INSTALL namenode@n1, INSTALL datanode@n2] "
               "[CONFIGURE hosts@n1, CONFIGURE hosts@n2] "
               "[CONFIGURE namenode@n1, CONFIGURE datanode@n2] [INITIALIZE namenode@n1] "
               "[START namenode@n1] [INITIALIZE datanode@n2] [START datanode@n2]");
}

BOOST_AUTO_TEST_CASE(a_web_application_from_create_to_delete) {
    BOOST_TEST(staged(webapp(Operation::cluster_create)) ==
               "[CREATE n1, CREATE n2, CREATE n3] [CONFIRM n1, CONFIRM n2, CONFIRM n3] "
               "[BOOTSTRAP n1, BOOTSTRAP n2, BOOTSTRAP n3] "
               "[INSTALL db@n1, INSTALL web@n2, INSTALL web@n3] "
               "[CONFIGURE hosts@n1, CONFIGURE hosts@n2, CONFIGURE hosts@n3] "
               "[START db@n1] [START web@n2, START web@n3]");
    BOOST_TEST(staged(webapp(Operation::start_services)) ==
               "[START db@n1] [START web@n2, START web@n3]");
    BOOST_TEST(
        staged(webapp(Operation::restart_services)) ==
        "[STOP web@n2, STOP web@n3] [STOP db@n1] [START db@n1] [START web@n2, START web@n3]");
    BOOST_TEST(staged(webapp(Operation::cluster_configure)) ==
               "[BOOTSTRAP n1, BOOTSTRAP n2, BOOTSTRAP n3] "
               "[CONFIGURE hosts@n1, CONFIGURE hosts@n2, CONFIGURE hosts@n3]");
    BOOST_TEST(staged(webapp(Operation::cluster_delete)) == "[DELETE n1, DELETE n2, DELETE n3]");
}

BOOST_AUTO_TEST_CASE(stopping_a_database_stops_who_uses_it_first) {
    auto request = webapp(Operation::stop_services);
    request.only_services = {"db"};

    BOOST_TEST(staged(request) == "[STOP web@n2, STOP web@n3] [STOP db@n1]");
}

BOOST_AUTO_TEST_CASE(an_added_cache_waits_for_the_web_servers) {
    BOOST_TEST(staged(webapp_with_cache()) ==
               "[BOOTSTRAP n2, START web@n3] [START web@n2] [INSTALL cache@n2] [START cache@n2]");
}

BOOST_AUTO_TEST_CASE(a_service_without_actions_still_gets_its_machine) {
    const std::vector<Service> idle{a_service("idle")};

    BOOST_TEST(staged(whole(Operation::cluster_create, {{"idle"}}, idle)) ==
               "[CREATE n1] [CONFIRM n1] [BOOTSTRAP n1]");
    BOOST_TEST(staged(whole(Operation::cluster_delete, {{"idle"}, {"idle"}}, idle)) ==
               "[DELETE n1, DELETE n2]");
}

BOOST_AUTO_TEST_CASE(a_node_without_services_is_created_and_deleted) {
    BOOST_TEST(staged(whole(Operation::cluster_create, {{}}, {})) ==
               "[CREATE n1] [CONFIRM n1] [BOOTSTRAP n1]");
    BOOST_TEST(staged(whole(Operation::cluster_delete, {{}}, {})) == "[DELETE n1]");
}

BOOST_AUTO_TEST_CASE(a_node_that_gets_no_added_service_is_left_alone) {
    auto request = webapp_with_cache();
    request.only_nodes = {1, 2};

    BOOST_TEST(staged(request).find("BOOTSTRAP n3") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_to_do_is_an_empty_graph) {
    auto stop_hosts = webapp(Operation::stop_services);
    stop_hosts.only_services = {"hosts"};

    BOOST_TEST(staged(stop_hosts) == "");
    BOOST_TEST(staged(webapp(Operation::solve_layout)) == "");
    BOOST_TEST(staged(whole(Operation::cluster_delete, {}, {})) == "");
}

BOOST_AUTO_TEST_CASE(the_tasks_of_a_node_are_a_row_without_superfluous_orders) {
    const auto graph = plan(webapp(Operation::cluster_create));

    BOOST_REQUIRE(graph);
    BOOST_TEST(draw(*graph) == orders({"create n1 -> confirm n1 -> bootstrap n1 -> install db@n1",
                                       "install db@n1 -> configure hosts@n1 -> start db@n1",
                                       "create n2 -> confirm n2 -> bootstrap n2 -> install web@n2",
                                       "install web@n2 -> configure hosts@n2 -> start web@n2",
                                       "create n3 -> confirm n3 -> bootstrap n3 -> install web@n3",
                                       "install web@n3 -> configure hosts@n3 -> start web@n3",
                                       "start db@n1 -> start web@n2, start web@n3",
                                       "confirm n1 -> install web@n2, install web@n3",
                                       "confirm n2 -> install db@n1, install web@n3",
                                       "confirm n3 -> install db@n1, install web@n2"}));
}

BOOST_AUTO_TEST_CASE(a_bootstrap_does_not_wait_for_the_addresses_of_others) {
    BOOST_TEST(draw(plan(whole(Operation::cluster_create, {{"a"}, {}},
                               {a_service("a", {Action::configure})}))
                        .value()) ==
               orders({"create n1 -> confirm n1 -> bootstrap n1", "bootstrap n1 -> configure a@n1",
                       "create n2 -> confirm n2 -> bootstrap n2", "confirm n2 -> configure a@n1"}));
}

BOOST_AUTO_TEST_CASE(who_has_most_behind_it_comes_first_on_its_node) {
    const std::vector<Action> start{Action::start};
    const auto request = whole(
        Operation::start_services, {{"a", "z"}, {"y"}},
        {a_service("a", start), a_service("z", start), needing(a_service("y", start), {"z"})});

    BOOST_TEST(draw(plan(request).value()) ==
               orders({"start z@n1 -> start a@n1", "start z@n1 -> start y@n2"}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(plans_that_cannot_be)

BOOST_AUTO_TEST_CASE(a_circle_of_dependencies_is_a_problem_that_names_its_services) {
    BOOST_TEST(refused(circle_of(runnable, runnable)) ==
               "services: ca needs cb and cb needs ca: a circle of runtime dependencies leaves no "
               "order to work in");
}

BOOST_AUTO_TEST_CASE(every_circle_is_told_with_those_it_leads_through) {
    const std::vector<Action> start{Action::start};
    const std::vector<Action> install{Action::install};
    const auto request =
        whole(Operation::cluster_create, {{"a", "b", "c", "d", "x", "y"}},
              {needing(a_service("a", start), {"b"}), needing(a_service("b"), {"c"}),
               needing(a_service("c", start), {"a"}), needing(a_service("d", start), {"a"}),
               needing_to_install(a_service("x", install), {"y"}),
               needing_to_install(a_service("y", install), {"x"})});

    BOOST_TEST(refused(request) ==
               "services: x needs y and y needs x: a circle of install dependencies leaves no "
               "order to work in; "
               "services: a needs b, b needs c and c needs a: a circle of runtime dependencies "
               "leaves no order to work in");
}

BOOST_AUTO_TEST_CASE(a_circle_that_orders_nothing_is_no_problem) {
    BOOST_TEST(staged(circle_of({Action::start}, {Action::install})) ==
               "[CREATE n1] [CONFIRM n1] [BOOTSTRAP n1] [START ca@n1] [INSTALL cb@n1]");

    auto deletion = circle_of(runnable, runnable);
    deletion.operation = Operation::cluster_delete;
    BOOST_TEST(staged(deletion) == "[DELETE n1]");
}

BOOST_AUTO_TEST_CASE(unknown_services_are_problems) {
    auto request = webapp(Operation::start_services);
    request.only_services = {"mail"};
    BOOST_TEST(refused(request) == "services: service mail is not on the cluster");

    request = webapp(Operation::start_services);
    request.services.pop_back();
    BOOST_TEST(refused(request) == "services: service web of node n2 is not defined");
}

BOOST_AUTO_TEST_CASE(a_machine_can_be_deleted_without_knowing_its_services) {
    BOOST_TEST(staged(whole(Operation::cluster_delete, {{"forgotten"}}, {})) == "[DELETE n1]");
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_exist_is_a_mistake_of_the_caller) {
    auto request = webapp(Operation::add_services);
    request.only_nodes = {3};

    BOOST_CHECK_THROW(plan(request), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(large_plans)

BOOST_AUTO_TEST_CASE(ten_services_on_each_of_a_thousand_nodes_need_few_orders) {
    const std::vector<Action> actions{Action::install, Action::configure, Action::initialize,
                                      Action::start};
    std::vector<Service> services;
    std::vector<std::string> names;
    for (const char digit : std::string("0123456789")) {
        services.push_back(needing(a_service(std::string("s") + digit, actions), names));
        names.push_back(std::string("s") + digit);
    }

    const auto graph = plan(whole(Operation::cluster_create,
                                  std::vector<std::vector<std::string>>(1000, names), services));

    BOOST_REQUIRE(graph);
    BOOST_TEST(graph->tasks().size() == 43'000U);
    BOOST_TEST(orders_in(*graph) < 95'000U);
}

BOOST_AUTO_TEST_CASE(many_addresses_are_awaited_by_a_few_bootstraps_for_all) {
    const std::size_t nodes = 100;
    const auto graph =
        plan(whole(Operation::cluster_create, std::vector(nodes, std::vector<std::string>{"a"}),
                   {a_service("a", {Action::install, Action::start})}));

    BOOST_REQUIRE(graph);
    // Five tasks in a row on each node, four bootstraps that wait for all, one order more for each
    // service that waits for one of another node.
    BOOST_TEST(orders_in(*graph) == 4 * nodes + 4 * (nodes - 1) + (nodes - 4));
    // The services have the round they would have without waiting.
    BOOST_TEST(stages(*graph).size() == 5U);
    const auto drawn = draw(*graph);
    BOOST_TEST(drawn.find("confirm n100 -> bootstrap n4\n") != std::string::npos);
    BOOST_TEST(drawn.find("bootstrap n4 -> install a@n100\n") != std::string::npos);
    BOOST_TEST(drawn.find("confirm n100 -> bootstrap n5\n") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
