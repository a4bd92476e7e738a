#include <boost/test/unit_test.hpp>

#include "provisioner/planner/plan.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/drawing.hpp"
#include "tests/unit/provisioner/planner/cases.hpp"

using namespace provisioner::model;
using namespace provisioner::planner;
using namespace tests;

BOOST_AUTO_TEST_SUITE(dependencies_of_a_plan)

namespace {

using Actions = std::vector<Action>;

const Actions all_actions{Action::install, Action::configure, Action::initialize, Action::start,
                          Action::stop};

/// n1 {s1}, n2 {s1, s2, s3}; at run time s2 needs s1, s3 needs s1 and s2.
PlanRequest small_cluster(Operation operation, const Actions& s1, const Actions& s2,
                          const Actions& s3) {
    return {.operation = operation,
            .nodes = nodes_with({{"s1"}, {"s1", "s2", "s3"}}),
            .services = {a_service("s1", s1), needing(a_service("s2", s2), {"s1"}),
                         needing(a_service("s3", s3), {"s1", "s2"})},
            .only_nodes = {},
            .only_services = {}};
}

PlanRequest running_cluster(Operation operation, const std::vector<std::string>& named = {}) {
    const Actions actions{Action::start, Action::stop};
    auto request = small_cluster(operation, actions, actions, actions);
    request.only_services = named;
    return request;
}

PlanRequest new_cluster() {
    return small_cluster(Operation::cluster_create, {Action::configure, Action::start},
                         {Action::install, Action::configure},
                         {Action::install, Action::configure, Action::initialize, Action::start});
}

std::string drawn(const PlanRequest& request) {
    const auto graph = plan_dependencies(request);
    BOOST_REQUIRE(graph);
    return draw(*graph);
}

const std::vector<std::string> all_stops{"stop s3@n2 -> stop s2@n2 -> stop s1@n1, stop s1@n2"};
const std::vector<std::string> all_starts{"start s1@n1, start s1@n2 -> start s2@n2 -> start s3@n2"};

}  // namespace

BOOST_AUTO_TEST_CASE(create_walks_every_service_and_waits_for_starts) {
    BOOST_TEST(drawn(new_cluster()) ==
               orders({"create n1 -> confirm n1 -> bootstrap n1 -> configure s1@n1 -> start s1@n1",
                       "create n2 -> confirm n2 -> bootstrap n2 -> configure s1@n2 -> start s1@n2",
                       "bootstrap n2 -> install s2@n2 -> configure s2@n2",
                       "bootstrap n2 -> install s3@n2 -> configure s3@n2 -> initialize s3@n2",
                       "initialize s3@n2 -> start s3@n2",
                       "start s1@n1, start s1@n2 -> initialize s3@n2, start s3@n2",
                       "confirm n1, confirm n2 -> configure s1@n1, configure s1@n2",
                       "confirm n1, confirm n2 -> install s2@n2, install s3@n2"}));
}

BOOST_AUTO_TEST_CASE(create_of_one_node_takes_only_its_own_chain) {
    auto request = new_cluster();
    request.only_nodes = {0};

    BOOST_TEST(drawn(request) ==
               orders({"create n1 -> confirm n1 -> bootstrap n1 -> configure s1@n1 -> start s1@n1",
                       "confirm n1 -> configure s1@n1"}));
}

BOOST_AUTO_TEST_CASE(a_start_on_a_node_that_is_not_planned_enters_without_its_chain) {
    auto request = new_cluster();
    request.only_nodes = {1};

    BOOST_TEST(
        drawn(request) ==
        orders({"create n2 -> confirm n2 -> bootstrap n2 -> configure s1@n2 -> start s1@n2",
                "bootstrap n2 -> install s2@n2 -> configure s2@n2",
                "bootstrap n2 -> install s3@n2 -> configure s3@n2 -> initialize s3@n2",
                "initialize s3@n2 -> start s3@n2",
                "start s1@n1, start s1@n2 -> initialize s3@n2, start s3@n2",
                "confirm n2 -> configure s1@n2, install s2@n2, install s3@n2, start s1@n1"}));
}

BOOST_AUTO_TEST_CASE(an_added_service_walks_from_bootstrap) {
    const PlanRequest request{.operation = Operation::add_services,
                              .nodes = nodes_with({{"s1"}, {"s1"}}),
                              .services = {a_service("s1", all_actions)},
                              .only_nodes = {0, 1},
                              .only_services = {"s1"}};

    BOOST_TEST(drawn(request) ==
               orders({"bootstrap n1 -> install s1@n1 -> configure s1@n1 -> initialize s1@n1",
                       "initialize s1@n1 -> start s1@n1",
                       "bootstrap n2 -> install s1@n2 -> configure s1@n2 -> initialize s1@n2",
                       "initialize s1@n2 -> start s1@n2"}));
}

BOOST_AUTO_TEST_CASE(added_services_start_what_they_need_again) {
    auto request = small_cluster(Operation::add_services, all_actions, all_actions, all_actions);
    request.only_nodes = {1};
    request.only_services = {"s2", "s3"};

    BOOST_TEST(
        drawn(request) ==
        orders({"bootstrap n2 -> install s2@n2 -> configure s2@n2 -> initialize s2@n2",
                "initialize s2@n2 -> start s2@n2",
                "bootstrap n2 -> install s3@n2 -> configure s3@n2 -> initialize s3@n2",
                "initialize s3@n2 -> start s3@n2", "start s2@n2 -> initialize s3@n2, start s3@n2",
                "start s1@n1, start s1@n2 -> initialize s2@n2, start s2@n2"}));
}

BOOST_AUTO_TEST_CASE(what_is_already_installed_is_not_installed_again) {
    auto s3 = a_service("s3", all_actions);
    s3.dependencies.install.used = {"s1", "s2"};
    const PlanRequest request{
        .operation = Operation::add_services,
        .nodes = nodes_with({{"s1", "s2", "s3"}}),
        .services = {a_service("s1", all_actions),
                     needing_to_install(a_service("s2", all_actions), {"s1"}), s3},
        .only_nodes = {0},
        .only_services = {"s3"}};

    BOOST_TEST(drawn(request) ==
               orders({"bootstrap n1 -> install s3@n1 -> configure s3@n1 -> initialize s3@n1",
                       "initialize s3@n1 -> start s3@n1"}));
}

BOOST_AUTO_TEST_CASE(installs_and_starts_follow_their_own_dependencies) {
    auto s3 = a_service("s3", all_actions);
    s3.dependencies.install.used = {"s1", "s2"};
    s3.dependencies.runtime.used = {"s1", "s2"};
    const PlanRequest request{
        .operation = Operation::cluster_create,
        .nodes = nodes_with({{"s1", "s2", "s3"}}),
        .services = {a_service("s1", all_actions),
                     needing_to_install(a_service("s2", all_actions), {"s1"}), s3},
        .only_nodes = {},
        .only_services = {}};

    std::vector<std::string> chains{"create n1 -> confirm n1 -> bootstrap n1",
                                    "confirm n1 -> install s1@n1",
                                    "install s1@n1 -> install s2@n1 -> install s3@n1",
                                    "start s1@n1, start s2@n1 -> initialize s3@n1, start s3@n1"};
    for (const std::string at : {"s1@n1", "s2@n1", "s3@n1"}) {
        chains.push_back("bootstrap n1 -> install " + at + " -> configure " + at);
        chains.push_back("configure " + at + " -> initialize " + at + " -> start " + at);
    }
    BOOST_TEST(drawn(request) == orders(chains));
}

BOOST_AUTO_TEST_CASE(configure_bootstraps_and_configures_in_no_order_of_services) {
    const auto request = small_cluster(Operation::cluster_configure, {Action::configure},
                                       {Action::install}, {Action::configure});

    BOOST_TEST(drawn(request) == orders({"bootstrap n1 -> configure s1@n1",
                                         "bootstrap n2 -> configure s1@n2, configure s3@n2"}));
}

BOOST_AUTO_TEST_CASE(configure_with_restart_stops_downwards_and_starts_upwards) {
    const Actions restarting{Action::configure, Action::start, Action::stop};
    const auto request = small_cluster(Operation::cluster_configure_with_restart, restarting,
                                       {Action::install, Action::start, Action::stop}, restarting);

    auto chains = all_stops;
    chains.insert(chains.end(), all_starts.begin(), all_starts.end());
    chains.insert(chains.end(), {"bootstrap n1 -> stop s1@n1 -> configure s1@n1 -> start s1@n1",
                                 "bootstrap n2 -> stop s1@n2 -> configure s1@n2 -> start s1@n2",
                                 "bootstrap n2 -> stop s2@n2 -> start s2@n2",
                                 "bootstrap n2 -> stop s3@n2 -> configure s3@n2 -> start s3@n2"});
    BOOST_TEST(drawn(request) == orders(chains));
}

BOOST_AUTO_TEST_CASE(stop_takes_along_who_depends_on_the_named) {
    BOOST_TEST(drawn(running_cluster(Operation::stop_services)) == orders(all_stops));
    BOOST_TEST(drawn(running_cluster(Operation::stop_services, {"s2"})) ==
               orders({"stop s3@n2 -> stop s2@n2"}));
    BOOST_TEST(drawn(running_cluster(Operation::stop_services, {"s1"})) == orders(all_stops));
}

BOOST_AUTO_TEST_CASE(start_takes_along_what_the_named_depend_on) {
    BOOST_TEST(drawn(running_cluster(Operation::start_services)) == orders(all_starts));
    BOOST_TEST(drawn(running_cluster(Operation::start_services, {"s2"})) ==
               orders({"start s1@n1, start s1@n2 -> start s2@n2"}));
    BOOST_TEST(drawn(running_cluster(Operation::start_services, {"s3"})) == orders(all_starts));
}

BOOST_AUTO_TEST_CASE(restart_stops_and_starts_each) {
    auto chains = all_stops;
    chains.insert(chains.end(), all_starts.begin(), all_starts.end());
    for (const std::string at : {"s1@n1", "s1@n2", "s2@n2", "s3@n2"}) {
        chains.push_back("stop " + at + " -> start " + at);
    }

    BOOST_TEST(drawn(running_cluster(Operation::restart_services)) == orders(chains));
    BOOST_TEST(drawn(running_cluster(Operation::restart_services, {"s2"})) ==
               orders({"stop s3@n2 -> stop s2@n2 -> start s2@n2 -> start s3@n2",
                       "stop s3@n2 -> start s3@n2", "start s1@n1, start s1@n2 -> start s2@n2"}));
}

BOOST_AUTO_TEST_CASE(stop_looks_through_services_that_cannot_stop) {
    const Actions actions{Action::start, Action::stop};
    const auto request = small_cluster(Operation::stop_services, actions, {Action::start}, actions);

    BOOST_TEST(drawn(request) == orders({"stop s3@n2 -> stop s1@n1, stop s1@n2"}));
}

BOOST_AUTO_TEST_CASE(a_service_on_no_node_is_not_on_the_cluster) {
    const auto start = std::vector{Action::start};
    const PlanRequest request{
        .operation = Operation::start_services,
        .nodes = nodes_with({{"a", "c"}}),
        .services = {needing(a_service("a", start), {"b", "c"}),
                     needing(a_service("b", start), {"a"}), a_service("c", start)},
        .only_nodes = {},
        .only_services = {}};

    BOOST_TEST(drawn(request) == orders({"start c@n1 -> start a@n1"}));
}

BOOST_AUTO_TEST_SUITE_END()
