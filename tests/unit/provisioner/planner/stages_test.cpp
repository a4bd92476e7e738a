#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "provisioner/planner/plan.hpp"
#include "tests/support/drawing.hpp"

using namespace tests;
using provisioner::model::Action;
using provisioner::planner::TaskGraph;
using provisioner::planner::TaskKey;

BOOST_AUTO_TEST_SUITE(stages_of_a_graph)

namespace {

using Round = std::vector<TaskKey>;

/// A graph in which every task of a round waits for every task of the round before.
TaskGraph in_rounds(const std::vector<Round>& rounds) {
    TaskGraph graph;
    for (const auto& round : rounds) {
        for (const auto& task : round) graph.add(task);
    }
    for (std::size_t at = 1; at < rounds.size(); ++at) {
        for (const auto& before : rounds[at - 1]) {
            for (const auto& after : rounds[at]) graph.order(before, after);
        }
    }
    return graph;
}

TaskKey start(std::size_t node, const std::string& service) {
    return {node, Action::start, service};
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_stage_has_two_tasks_of_one_node) {
    const auto graph = in_rounds({{start(0, "a"), start(0, "b"), start(2, "c")},
                                  {start(0, "d"), start(1, "e"), start(2, "f")},
                                  {start(0, "g"), start(0, "h"), start(2, "i")}});

    BOOST_TEST(draw_stages(graph) ==
               "[START a@n1, START c@n3] [START b@n1] [START d@n1, START e@n2, START f@n3] "
               "[START g@n1, START i@n3] [START h@n1]");
}

BOOST_AUTO_TEST_CASE(tasks_of_a_stage_are_in_the_order_of_their_nodes) {
    const auto graph = in_rounds({{start(2, "a"), start(0, "b"), start(1, "c")}});

    BOOST_TEST(draw_stages(graph) == "[START b@n1, START c@n2, START a@n3]");
}

BOOST_AUTO_TEST_CASE(no_tasks_no_stages) {
    BOOST_TEST(draw_stages(TaskGraph()) == "");
}

BOOST_AUTO_TEST_CASE(a_circle_has_no_stages) {
    TaskGraph graph;
    graph.order(start(0, "a"), start(0, "b"));
    graph.order(start(0, "b"), start(0, "a"));

    BOOST_CHECK_THROW(stages(graph), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
