#include "provisioner/solver/layout/search.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "provisioner/solver/sentences.hpp"
#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;
using tests::Names;

BOOST_AUTO_TEST_SUITE(search)

namespace {

constexpr long plenty = 100'000;

// "2 a b, 1 c": the kinds with their numbers of nodes and the services rules speak about.
std::string filled(const LayoutProblem& problem, long nodes, long steps = plenty) {
    const auto rules =
        kind_rules(problem.cluster_template.constraints, tests::selection_of(problem));
    Budget budget(steps);
    const auto filling = fill(
        rules, remainder_of(rules, problem.cluster_template.constraints, problem.present, nodes),
        budget);
    if (filling.answer == Answer::gave_up) return "gave up";
    if (filling.answer == Answer::no) return "impossible";
    Names kinds;
    for (const auto& [kind, count] : filling.kinds) {
        kinds.push_back(std::to_string(count) + " " +
                        joined(services_of(rules.units, kind.units), " "));
    }
    return joined(kinds, ", ");
}

const std::string masters = "hbasemaster namenode resourcemanager";
const std::string slaves = "datanode nodemanager regionserver";

// The reference template with hardware that puts the masters first, as in the worked cases.
LayoutProblem reference() {
    return tests::reactor(1, {"small", "medium", "large", "large-mem"}, {"centos6"});
}

// Each of the services on min to max nodes, without another rule.
LayoutProblem bounded(const std::vector<std::tuple<std::string, int, int>>& services) {
    Names names;
    for (const auto& service : services) names.push_back(std::get<0>(service));
    auto problem = tests::a_problem(names, 1);
    for (const auto& [name, min, max] : services) {
        tests::set_quantities(problem.cluster_template.constraints, name, min, max);
    }
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(earlier_kinds_get_as_many_nodes_as_the_bounds_allow) {
    const auto problem = reference();
    const auto start = "1 " + masters + ", ";

    BOOST_TEST(filled(problem, 5) == start + "3 " + slaves + ", 1 reactor zookeeper");
    BOOST_TEST(filled(problem, 10) == start + "8 " + slaves + ", 1 reactor zookeeper");
    BOOST_TEST(filled(problem, 54) == start + "50 " + slaves + ", 3 reactor zookeeper");
    BOOST_TEST(filled(problem, 57) ==
               start + "50 " + slaves + ", 4 reactor zookeeper, 1 reactor, 1 zookeeper");
    BOOST_TEST(filled(problem, 61) == start + "50 " + slaves + ", 5 reactor, 5 zookeeper");
}

BOOST_AUTO_TEST_CASE(too_few_or_too_many_nodes_are_impossible) {
    BOOST_TEST(filled(reference(), 2) == "impossible");
    BOOST_TEST(filled(reference(), 62) == "impossible");
}

BOOST_AUTO_TEST_CASE(a_first_choice_that_starves_the_others_is_taken_back) {
    BOOST_TEST(filled(bounded({{"a", 0, 1}, {"b", 0, 1}}), 2) == "1 a, 1 b");
}

BOOST_AUTO_TEST_CASE(kinds_with_equally_many_services_come_in_the_order_of_their_names) {
    auto problem = bounded({{"a", 0, 2}, {"b", 0, 2}, {"c", 0, 2}, {"d", 0, 2}});
    problem.cluster_template.constraints.cant_coexist = {{"a", "b"}, {"c", "d"}};

    BOOST_TEST(filled(problem, 3) == "2 a c, 1 b d");
    BOOST_TEST(filled(problem, 5) == "2 a c, 1 b d, 1 b, 1 d");
}

BOOST_AUTO_TEST_CASE(a_service_with_bad_company_is_found_without_trying_every_combination) {
    Names names{"zookeeper"};
    for (char letter = 'a'; letter <= 't'; ++letter) names.emplace_back(1, letter);
    auto problem = tests::a_problem(names, 1);
    auto& constraints = problem.cluster_template.constraints;
    for (char letter = 'a'; letter <= 'o'; ++letter) {
        constraints.cant_coexist.push_back({"zookeeper", std::string(1, letter)});
    }
    for (const auto& name : names) {
        tests::set_quantities(constraints, name, name == "zookeeper" ? 1 : 0);
    }

    BOOST_TEST(filled(problem, 50, 500) ==
               "49 a b c d e f g h i j k l m n o p q r s t, 1 p q r s t zookeeper");
}

BOOST_AUTO_TEST_CASE(large_clusters_take_few_steps) {
    BOOST_TEST(filled(bounded({{"a", 10, 1000}, {"b", 5000, 9000}, {"c", 1, 10}}), 9'000, 300) ==
               "10 a b c, 990 a b, 8000 b");
}

BOOST_AUTO_TEST_CASE(nodes_that_are_there_count_towards_the_bounds) {
    auto problem = bounded({{"a", 2, 3}, {"b", 1, 9}});
    problem.present = {{"medium", "centos6", {"a"}, 2}};

    BOOST_TEST(filled(problem, 3) == "1 a b, 2 b");
}

BOOST_AUTO_TEST_CASE(a_search_gives_up_when_its_budget_ends) {
    BOOST_TEST(filled(reference(), 5, 3) == "gave up");
}

BOOST_AUTO_TEST_SUITE_END()
