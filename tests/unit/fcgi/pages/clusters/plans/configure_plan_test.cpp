#include "fcgi/pages/clusters/plans/configure_plan.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(plan_of_a_configuration)

namespace {

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::planner::TaskGraph;

std::vector<Node> machines(int count) {
    std::vector<Node> nodes;
    for (int number = 1; number <= count; ++number) {
        nodes.emplace_back();
        nodes.back().id = NodeId{number};
        nodes.back().hostname = "shop-" + std::to_string(number) + ".local";
    }
    return nodes;
}

std::vector<std::string> sentences(const TaskGraph& graph, int count) {
    const auto json = configuration_plan_json(graph, machines(count), {});
    std::vector<std::string> texts;
    for (const auto& touched : json.at("touched")) texts.push_back(touched.at("text"));
    return texts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_says_which_services_restart_on_which_machines) {
    TaskGraph graph;
    for (std::size_t node = 0; node < 5; ++node) {
        graph.order({node, Action::stop, "web"}, {node, Action::configure, "web"});
    }
    graph.add({1, Action::configure, "cron"});
    graph.add({3, Action::configure, "cron"});

    const auto texts = sentences(graph, 5);

    BOOST_REQUIRE(texts.size() == 2U);
    BOOST_TEST(texts[0] == "Interrupted by a restart: web on all 5 machines");
    BOOST_TEST(texts[1] == "Reconfigured without a restart: cron on shop-2 and shop-4");
}

BOOST_AUTO_TEST_CASE(services_of_the_same_machines_share_a_sentence_and_few_machines_are_named) {
    TaskGraph graph;
    for (std::size_t node = 0; node < 6; ++node) {
        graph.add({node, Action::stop, "cache"});
        graph.add({node, Action::stop, "web"});
    }

    const auto texts = sentences(graph, 9);

    BOOST_REQUIRE(texts.size() == 1U);
    BOOST_TEST(texts[0] ==
               "Interrupted by a restart: cache and web on shop-1, shop-2, shop-3 and 3 more");
}

BOOST_AUTO_TEST_CASE(what_is_stopped_is_not_interrupted_and_is_started_again) {
    TaskGraph graph;
    for (std::size_t node = 0; node < 2; ++node) {
        graph.order({node, Action::stop, "web"}, {node, Action::configure, "web"});
        graph.order({node, Action::configure, "web"}, {node, Action::start, "web"});
    }

    const auto json = configuration_plan_json(graph, machines(2), {}, {{NodeId{2}, "web"}});

    BOOST_REQUIRE(json.at("touched").size() == 2U);
    BOOST_TEST(json.at("touched")[0].at("text") == "Interrupted by a restart: web on shop-1");
    BOOST_TEST(json.at("touched")[1].at("text") == "Started again: web on shop-2");
}

BOOST_AUTO_TEST_CASE(its_tasks_are_counted_in_the_order_of_their_actions) {
    TaskGraph graph;
    graph.order({0, Action::stop, "web"}, {0, Action::configure, "web"});
    graph.order({0, Action::configure, "web"}, {0, Action::start, "web"});

    const auto json = configuration_plan_json(graph, machines(1), {});

    BOOST_TEST(json.at("plan_sentence") == "3 tasks in 3 stages, counted by action");
    BOOST_TEST(json.at("tasks")[0].at("action") == "stop");
    BOOST_TEST(json.at("tasks").size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
