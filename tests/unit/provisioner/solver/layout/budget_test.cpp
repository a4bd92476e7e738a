#include "provisioner/solver/layout/budget.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <set>

#include "provisioner/solver/layout/lay_out.hpp"
#include "provisioner/solver/solve.hpp"
#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;
using tests::Names;

BOOST_AUTO_TEST_SUITE(budget)

namespace {

// Services that are needed once each, and groups at random that must not share a node.
LayoutProblem groups_at_random(int services, int machines, int groups, int members) {
    Names names;
    for (int i = 0; i < services; ++i) names.push_back("service" + std::to_string(10'000 + i));
    auto problem = tests::a_problem(names, machines);
    auto& rules = problem.cluster_template.constraints;
    for (const auto& name : names) tests::set_quantities(rules, name, 1);
    std::mt19937 engine(1);
    while (std::ssize(rules.cant_coexist) < groups) {
        std::set<std::string> group;
        while (std::ssize(group) < members) group.insert(names[engine() % names.size()]);
        rules.cant_coexist.emplace_back(group.begin(), group.end());
    }
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(work_ends_with_all_steps) {
    Budget budget(2);

    BOOST_TEST(budget.work(2 * Budget::work_per_step - 1));
    BOOST_TEST(budget.left() == 2);
    BOOST_TEST(!budget.work(1));
    BOOST_TEST(budget.left() == 0);
    BOOST_TEST(!budget.work(0));
}

BOOST_AUTO_TEST_CASE(steps_end_without_the_work) {
    Budget budget(1);

    BOOST_TEST(budget.spend());
    BOOST_TEST(!budget.spend());
    BOOST_TEST(budget.work(1));
}

BOOST_AUTO_TEST_CASE(a_question_can_take_no_more_work_than_it_was_lent) {
    Budget budget(10);

    const bool could =
        budget.lend(2, [](Budget& part) { return part.work(2 * Budget::work_per_step + 1); });

    BOOST_TEST(!could);
    BOOST_TEST(budget.left() == 8);
    BOOST_TEST(budget.work_left() == 8 * Budget::work_per_step);
}

BOOST_AUTO_TEST_CASE(work_that_was_extra_is_lent_in_proportion) {
    Budget budget(10, 1000);
    const long all = 10 * Budget::work_per_step + 1000;

    const long lent = budget.lend(5, [](Budget& part) { return part.work_left(); });

    BOOST_TEST(lent == all / 2);
    BOOST_TEST(budget.work_left() == all);
}

BOOST_AUTO_TEST_CASE(a_search_over_many_services_ends_with_its_work_and_not_with_its_steps) {
    const auto problem = groups_at_random(1000, 45, 10'000, 2);
    const auto selection = tests::selection_of(problem);
    Budget budget(20'000);

    const auto result = lay_out(problem, selection, budget);

    BOOST_TEST((result.answer == Answer::gave_up));
    BOOST_TEST(budget.work_left() == 0);
}

// A step looked at every pair of services, and at every larger group that must not share a node,
// and none of it counted: with all steps of solve() a search would have taken minutes.
BOOST_AUTO_TEST_CASE(what_a_search_looks_at_in_its_steps_is_counted) {
    for (const auto& problem :
         {groups_at_random(1000, 45, 3000, 2), groups_at_random(300, 45, 10'000, 3)}) {
        Budget budget(20'000);
        lay_out(problem, tests::selection_of(problem), budget);

        BOOST_TEST(budget.work_left() == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_clash_of_many_rules_has_reasons_within_its_steps) {
    auto problem = groups_at_random(1000, 45, 10'000, 2);
    // The first pair clashes: both are needed on every node.
    const auto& pair = problem.cluster_template.constraints.cant_coexist[0];
    for (const auto& name : Names(pair)) {
        for (auto& [service, rule] : problem.cluster_template.constraints.services) {
            if (service == name) rule.min = 45;
        }
    }

    const auto answer = solve(problem, 20'000);

    BOOST_REQUIRE(!answer);
    BOOST_TEST(!answer.error().reasons.empty());
}

BOOST_AUTO_TEST_SUITE_END()
