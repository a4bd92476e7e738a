#include "provisioner/solver/search.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace provisioner::solver;

namespace {

constexpr long plenty = 100'000;

constexpr UnitSet namenode = 1, datanode = 2, zookeeper = 4, reactor = 8;

// The preference list of the worked cases: masters, slaves, reactor with zookeeper, zookeeper,
// reactor.
CountProblem reference(long nodes) {
    return {.kinds = {namenode, datanode, zookeeper | reactor, zookeeper, reactor},
            .bounds = {{1, 1}, {1, 50}, {1, 5}, {1, 5}},
            .nodes = nodes};
}

std::string found_for(const CountProblem& problem, long steps = plenty) {
    Budget budget(steps);
    const auto counts = find_counts(problem, budget);
    if (counts.end == SearchEnd::gave_up) return "gave up";
    if (counts.end == SearchEnd::impossible) return "impossible";
    std::string text;
    for (const auto& [kind, nodes] : counts.chosen) {
        text += (text.empty() ? "" : " ") + std::to_string(kind) + ":" + std::to_string(nodes);
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(search)

BOOST_AUTO_TEST_CASE(earlier_kinds_get_as_many_nodes_as_the_bounds_allow) {
    BOOST_TEST(found_for(reference(5)) == "0:1 1:3 2:1");
    BOOST_TEST(found_for(reference(10)) == "0:1 1:8 2:1");
    BOOST_TEST(found_for(reference(54)) == "0:1 1:50 2:3");
    BOOST_TEST(found_for(reference(57)) == "0:1 1:50 2:4 3:1 4:1");
    BOOST_TEST(found_for(reference(61)) == "0:1 1:50 3:5 4:5");
}

BOOST_AUTO_TEST_CASE(too_few_or_too_many_nodes_are_impossible) {
    BOOST_TEST(found_for(reference(2)) == "impossible");
    BOOST_TEST(found_for(reference(62)) == "impossible");
    BOOST_TEST(found_for({.kinds = {}, .bounds = {}, .nodes = 1}) == "impossible");
}

BOOST_AUTO_TEST_CASE(a_first_choice_that_starves_the_others_is_taken_back) {
    const CountProblem problem{.kinds = {1 | 2, 1, 2}, .bounds = {{0, 1}, {0, 1}}, .nodes = 2};

    BOOST_TEST(found_for(problem) == "1:1 2:1");
}

BOOST_AUTO_TEST_CASE(of_kinds_that_count_alike_the_first_is_taken) {
    const CountProblem problem{
        .kinds = {1 | 2, 1, 2, 4}, .bounds = {{2, 2}, {0, 99}, {0, 99}}, .nodes = 9};

    BOOST_TEST(found_for(problem) == "0:2 2:7");
}

BOOST_AUTO_TEST_CASE(a_bound_without_any_room_is_impossible) {
    BOOST_TEST(found_for({.kinds = {1}, .bounds = {{2, 1}}, .nodes = 3}) == "impossible");
    BOOST_TEST(found_for({.kinds = {1}, .bounds = {{0, -1}}, .nodes = 3}) == "impossible");
}

BOOST_AUTO_TEST_CASE(large_clusters_take_few_steps) {
    BOOST_TEST(found_for({.kinds = {1 | 2, 1, 2, 4},
                          .bounds = {{10, 1000}, {5000, 9000}, {1, 10}},
                          .nodes = 10'000},
                         100) == "0:10 1:990 2:8990 3:10");
}

BOOST_AUTO_TEST_CASE(a_search_gives_up_when_its_budget_ends) {
    BOOST_TEST(found_for(reference(5), 3) == "gave up");
}

BOOST_AUTO_TEST_SUITE_END()
