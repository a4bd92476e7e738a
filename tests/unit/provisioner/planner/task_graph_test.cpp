#include "provisioner/planner/task_graph.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/drawing.hpp"

using namespace tests;
using provisioner::model::Action;
using provisioner::planner::TaskGraph;
using provisioner::planner::TaskKey;
using Keys = std::vector<TaskKey>;

BOOST_AUTO_TEST_SUITE(task_graph)

namespace {

void chain(TaskGraph& graph, const Keys& keys) {
    for (std::size_t at = 1; at < keys.size(); ++at) graph.order(keys[at - 1], keys[at]);
}

/// The worked example of two services d and r on one host.
TaskGraph one_host() {
    TaskGraph graph;
    for (const char* service : {"d", "r"}) {
        chain(graph, {{0, Action::create, ""},
                      {0, Action::bootstrap, ""},
                      {0, Action::install, service},
                      {0, Action::configure, service},
                      {0, Action::initialize, service},
                      {0, Action::start, service}});
    }
    graph.order({0, Action::initialize, "d"}, {0, Action::initialize, "r"});
    graph.order({0, Action::initialize, "d"}, {0, Action::start, "r"});
    graph.order({0, Action::start, "d"}, {0, Action::initialize, "r"});
    return graph;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_task_added_twice_is_one_task) {
    TaskGraph graph;

    const auto first = graph.add({1, Action::start, "web"});
    const auto again = graph.add({1, Action::start, "web"});

    BOOST_TEST(first == again);
    BOOST_TEST(graph.tasks().size() == 1U);
    BOOST_TEST(graph.find({1, Action::start, "web"}).value() == first);
    BOOST_TEST(!graph.find({1, Action::stop, "web"}));
    BOOST_TEST(!graph.find({0, Action::start, "web"}));
}

BOOST_AUTO_TEST_CASE(an_order_given_twice_counts_once) {
    TaskGraph graph;

    graph.order({0, Action::create, ""}, {0, Action::confirm, ""});
    graph.order({0, Action::create, ""}, {0, Action::confirm, ""});

    BOOST_TEST(draw(graph) == "create n1 -> confirm n1\n");
    BOOST_TEST(graph.waits_for(1) == 1U);
}

BOOST_AUTO_TEST_CASE(followers_are_ascending_in_whatever_order_they_come) {
    TaskGraph graph;
    for (std::size_t node = 0; node < 5; ++node) graph.add({node, Action::create, ""});

    for (const std::size_t follower : {3, 1, 4, 2}) graph.order(0, follower);

    BOOST_TEST(graph.followers(0) == (std::vector<std::size_t>{1, 2, 3, 4}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_forgotten_order_is_no_longer_waited_for) {
    TaskGraph graph = one_host();
    const auto from = graph.find({0, Action::initialize, "d"}).value();
    const auto to = graph.find({0, Action::start, "r"}).value();

    graph.forget_orders_if(
        [&](std::size_t before, std::size_t after) { return before == from && after == to; });

    BOOST_TEST(draw(graph).find("initialize d@n1 -> start r@n1") == std::string::npos);
    BOOST_TEST(graph.waits_for(to) == 1U);
}

BOOST_AUTO_TEST_CASE(the_round_of_a_task_is_its_longest_distance_from_a_source) {
    const TaskGraph graph = one_host();

    BOOST_TEST(draw_rounds(graph) ==
               "[CREATE n1] [BOOTSTRAP n1] [INSTALL d@n1, INSTALL r@n1] "
               "[CONFIGURE d@n1, CONFIGURE r@n1] [INITIALIZE d@n1] [START d@n1] "
               "[INITIALIZE r@n1] [START r@n1]");
}

BOOST_AUTO_TEST_CASE(rounds_of_two_hosts_that_wait_for_each_other) {
    TaskGraph graph;
    for (const auto& [node, service] :
         {std::pair{0U, "d"}, std::pair{0U, "r"}, std::pair{1U, "n"}, std::pair{1U, "h"}}) {
        chain(graph, {{node, Action::create, ""},
                      {node, Action::bootstrap, ""},
                      {node, Action::install, service},
                      {node, Action::configure, service},
                      {node, Action::start, service}});
    }

    graph.order({0, Action::start, "d"}, {0, Action::configure, "r"});
    graph.order({0, Action::start, "d"}, {1, Action::start, "n"});
    graph.order({0, Action::start, "d"}, {1, Action::configure, "h"});
    graph.order({1, Action::start, "n"}, {1, Action::configure, "h"});

    BOOST_TEST(draw_rounds(graph) ==
               "[CREATE n1, CREATE n2] [BOOTSTRAP n1, BOOTSTRAP n2] "
               "[INSTALL d@n1, INSTALL r@n1, INSTALL n@n2, INSTALL h@n2] "
               "[CONFIGURE d@n1, CONFIGURE n@n2] [START d@n1] [CONFIGURE r@n1, START n@n2] "
               "[START r@n1, CONFIGURE h@n2] [START h@n2]");
}

BOOST_AUTO_TEST_CASE(a_task_that_waits_for_itself_is_a_circle) {
    TaskGraph graph = one_host();

    graph.order({0, Action::bootstrap, ""}, {0, Action::bootstrap, ""});

    BOOST_TEST(!graph.rounds());
}

BOOST_AUTO_TEST_CASE(an_empty_graph_has_no_rounds_and_no_circle) {
    const TaskGraph graph;

    BOOST_REQUIRE(graph.rounds());
    BOOST_TEST(graph.rounds()->empty());
}

BOOST_AUTO_TEST_SUITE_END()
