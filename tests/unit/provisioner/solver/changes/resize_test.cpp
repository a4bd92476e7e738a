#include "provisioner/solver/changes/resize.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/sentences.hpp"
#include "provisioner/solver/solve.hpp"
#include "tests/support/builders.hpp"
#include "tests/unit/provisioner/solver/chance.hpp"
#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;
namespace base = provisioner::base;
using tests::Names;

BOOST_AUTO_TEST_SUITE(resizing)

namespace {

ShrinkProblem a_cluster(const std::vector<Names>& nodes) {
    ShrinkProblem problem;
    for (const auto& services : nodes) {
        const int number = 1000 + static_cast<int>(problem.nodes.size());
        problem.nodes.push_back({number, "medium", "centos6", services});
    }
    return problem;
}

std::string outcome(const base::expected<std::vector<int>, Unsatisfiable>& result) {
    if (!result) return result.error().field + ": " + joined(result.error().reasons, " ");
    Names numbers;
    for (const int number : *result) numbers.push_back(std::to_string(number));
    return joined(numbers, " ");
}

LayoutProblem growing(int by) {
    auto problem = tests::a_problem({"balancer", "web", "db"}, by);
    auto& rules = problem.cluster_template.constraints;
    rules.cant_coexist = {{"balancer", "web"}, {"web", "db"}, {"balancer", "db"}};
    tests::set_quantities(rules, "balancer", 1, 1);
    tests::set_quantities(rules, "db", 1, 1);
    tests::set_quantities(rules, "web", 1, 4);
    problem.present = {{"medium", "centos6", {"balancer"}, 1},
                       {"medium", "centos6", {"db"}, 1},
                       {"medium", "centos6", {"web"}, 2}};
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nodes_are_chosen_among_those_that_may_go) {
    auto problem = a_cluster({{"web"}, {"db"}, {"web"}, {"db"}, {"web"}});
    problem.among = {1000, 1002, 1004};
    problem.count = 2;
    BOOST_TEST(outcome(shrink(problem)) == "1004 1002");
    problem.count = 3;
    BOOST_TEST(outcome(shrink(problem)) ==
               "count: No more than 2 machines can go. web is on 3 machines and must not be gone "
               "altogether.");
    problem.among = {1001};
    problem.count = 1;
    BOOST_TEST(outcome(shrink(problem)) == "1001");
    problem.among = std::set<int>{};
    BOOST_TEST(outcome(shrink(problem)) == "count: None of the machines can be removed.");
}

BOOST_AUTO_TEST_CASE(new_nodes_get_what_the_cluster_may_have_more_of) {
    const auto layout = solve(growing(2));

    BOOST_REQUIRE(layout);
    BOOST_TEST(draw(*layout) == "2 x medium/centos6: web\n");
}

BOOST_AUTO_TEST_CASE(a_cluster_does_not_grow_beyond_what_its_services_allow) {
    const auto layout = solve(growing(3));

    BOOST_REQUIRE(!layout);
    BOOST_TEST(layout.error().field == "numMachines");
    BOOST_TEST(
        joined(layout.error().reasons, "\n") ==
        "3 more machines were asked for and each needs something to run, but balancer may "
        "be on at most 1 machine (and is on 1), db may be on at most 1 machine (and is on 1) and "
        "web may be on at most 4 machines (and is on 2).");
}

BOOST_AUTO_TEST_CASE(minima_that_are_not_met_yet_are_met_by_new_nodes) {
    auto problem = growing(2);
    problem.present.erase(problem.present.begin() + 1);

    const auto layout = solve(problem);

    BOOST_REQUIRE(layout);
    BOOST_TEST(draw(*layout) == "1 x medium/centos6: db\n1 x medium/centos6: web\n");
}

BOOST_AUTO_TEST_CASE(the_newest_nodes_go_first) {
    auto problem = a_cluster({{"db"}, {"web"}, {"web"}, {"web"}});
    problem.count = 2;

    BOOST_TEST(outcome(shrink(problem)) == "1003 1002");
}

BOOST_AUTO_TEST_CASE(a_node_is_passed_over_when_a_service_would_fall_below_its_minimum_or_be_gone) {
    auto problem = a_cluster({{"web"}, {"web"}, {"web"}, {"db"}, {"cache", "web"}});
    tests::set_quantities(problem.cluster_template.constraints, "web", 2);
    problem.count = 2;

    BOOST_TEST(outcome(shrink(problem)) == "1002 1001");

    problem.count = 3;
    BOOST_TEST(
        outcome(shrink(problem)) ==
        "count: No more than 2 machines can go. cache is on 1 machine and must not be gone "
        "altogether. db is on 1 machine and must not be gone altogether. web is on 4 machines and "
        "needs at least 2.");
}

BOOST_AUTO_TEST_CASE(a_newer_node_stays_when_otherwise_too_few_could_go) {
    // Without 1002 (a and b) neither of the others could go.
    auto problem = a_cluster({{"a"}, {"b"}, {"a", "b"}, {"a", "b", "c"}});
    auto& rules = problem.cluster_template.constraints;
    tests::set_quantities(rules, "a", 2);
    tests::set_quantities(rules, "b", 2);
    problem.count = 2;

    BOOST_TEST(outcome(shrink(problem)) == "1001 1000");
}

BOOST_AUTO_TEST_CASE(a_search_that_ended_early_does_not_say_that_no_node_can_go) {
    auto problem = a_cluster({{"db"}, {"web"}, {"web"}, {"web"}});
    problem.count = 3;

    BOOST_TEST(
        outcome(shrink(problem, 1)) ==
        "count: 3 machines cannot go at once. db is on 1 machine and must not be gone altogether. "
        "web is on 3 machines and must not be gone altogether.");
}

BOOST_AUTO_TEST_CASE(named_nodes_go_and_only_those) {
    auto problem = a_cluster({{"db"}, {"web"}, {"web"}, {"web"}});
    tests::set_quantities(problem.cluster_template.constraints, "db", 1);
    problem.named = {1001, 1002};

    BOOST_TEST(outcome(shrink(problem)) == "1002 1001");

    problem.named = {1000};
    BOOST_TEST(outcome(shrink(problem)) == "nodes: db needs at least 1 machine and would be on 0.");

    problem.named = {1007, 1001, 1009};
    BOOST_TEST(outcome(shrink(problem)) ==
               "nodes: The cluster has no machine 1007. The cluster has no machine 1009.");
}

BOOST_AUTO_TEST_CASE(a_cluster_keeps_the_size_its_template_asks) {
    auto problem = a_cluster({{"web"}, {"web"}, {"web"}});
    problem.cluster_template.constraints.size_min = 2;
    problem.count = 2;
    BOOST_TEST(outcome(shrink(problem)) ==
               "count: The cluster has 3 machines and needs at least 2.");

    problem.cluster_template.constraints.size_min = 0;
    problem.named = {1000, 1001, 1002};
    BOOST_TEST(outcome(shrink(problem)) ==
               "nodes: The cluster has 3 machines and needs at least 1.");

    problem.named = {};
    problem.count = 0;
    BOOST_TEST(outcome(shrink(problem)) == "count: At least 1 machine has to be removed.");
}

BOOST_AUTO_TEST_CASE(the_nodes_that_go_are_the_first_choice_that_works_of_all_choices) {
    int possible = 0;
    int impossible = 0;
    for (unsigned seed = 0; seed < 2000; ++seed) {
        BOOST_TEST_CONTEXT("seed " << seed) {
            tests::Chance chance(seed);
            const Names all{"a", "b", "c"};
            std::vector<Names> nodes(static_cast<std::size_t>(2 + chance.upto(5)));
            for (auto& services : nodes) {
                services = chance.some_of(all, 2);
                if (services.empty()) services = {"a"};
            }
            auto problem = a_cluster(nodes);
            for (const auto& service : all) {
                tests::set_quantities(problem.cluster_template.constraints, service,
                                      chance.upto(2));
            }
            problem.count = 1 + chance.upto(static_cast<int>(nodes.size()) - 2);

            const auto result = shrink(problem);

            // Every choice, those with the newest nodes first.
            std::map<std::string, int> before;
            for (const auto& services : nodes) {
                for (const auto& service : services) ++before[service];
            }
            std::optional<std::vector<int>> expected;
            const auto size = static_cast<int>(nodes.size());
            for (int bits = (1 << size) - 1; bits >= 0 && !expected; --bits) {
                std::vector<int> going;
                auto left = before;
                for (int i = size - 1; i >= 0; --i) {
                    if ((bits >> i & 1) == 0) continue;
                    going.push_back(1000 + i);
                    for (const auto& service : nodes[static_cast<std::size_t>(i)]) --left[service];
                }
                if (std::ssize(going) != problem.count) continue;
                const bool good = std::all_of(left.begin(), left.end(), [&](const auto& entry) {
                    const auto* rule = provisioner::model::constraint_on(
                        problem.cluster_template.constraints, entry.first);
                    return entry.second == before[entry.first] ||
                           entry.second >= std::max(1, rule->min);
                });
                if (good) expected = going;
            }
            BOOST_REQUIRE(result.has_value() == expected.has_value());
            if (result) BOOST_TEST((*result == *expected));
            ++(result ? possible : impossible);
        }
    }
    BOOST_TEST(possible > 300);
    BOOST_TEST(impossible > 300);
}

BOOST_AUTO_TEST_CASE(nodes_that_have_to_stay_are_known_before_one_is_chosen) {
    auto problem = a_cluster({{"balancer"}, {"web", "cache"}, {"web"}, {"db"}, {"tool"}});
    tests::set_quantities(problem.cluster_template.constraints, "balancer", 1);
    auto web = tests::a_service("web");
    web.dependencies.runtime.required = {"db"};
    const std::vector<provisioner::model::Service> services{web, tests::a_service("db")};

    const auto reasons = staying_nodes(problem, services);

    BOOST_REQUIRE(reasons.size() == 2U);
    BOOST_TEST((reasons.at(1000) ==
                StayingReason{"balancer is on 1 machine and needs at least 1.", true}));
    BOOST_TEST(!reasons.at(1003).is_final);
    BOOST_TEST(reasons.at(1003).sentence == "web requires db, which would not be on the cluster.");
    problem.cluster_template.constraints.size_min = 5;
    BOOST_TEST(staying_nodes(problem, services).at(1002).sentence ==
               "The cluster has 5 machines and needs at least 5.");
}

BOOST_AUTO_TEST_CASE(services_go_from_every_node_they_are_on) {
    const RemovalProblem problem{
        .nodes = a_cluster({{"db", "cache"}, {"web"}, {"web", "cache"}}).nodes,
        .services = {"cache"},
        .all_services = {}};

    BOOST_TEST(outcome(remove_services(problem)) == "1000 1002");
}

BOOST_AUTO_TEST_CASE(services_that_others_need_or_that_are_all_of_a_node_stay) {
    RemovalProblem problem{.nodes = a_cluster({{"db"}, {"web", "hosts"}}).nodes,
                           .services = {"db", "nope"},
                           .all_services = {tests::a_service("db"), tests::a_service("web")}};
    problem.all_services[1].dependencies.runtime.required = {"db"};

    BOOST_TEST(outcome(remove_services(problem)) ==
               "services: Service nope is not on the cluster. web requires db, which would not "
               "be on the cluster. Machine 1000 would be left without a "
               "service; take the machine away instead.");
}

BOOST_AUTO_TEST_CASE(a_dead_node_is_replaced_by_one_like_it) {
    auto problem = growing(1);
    const PresentNode dead{1001, "medium", "centos6", {"db"}};

    const auto node = replacement(problem, dead);
    problem.hardware_types.clear();
    const auto without_hardware = replacement(problem, dead);

    BOOST_REQUIRE(node);
    BOOST_TEST((*node == NodeGroup{"medium", "centos6", {"db"}, 1}));
    BOOST_REQUIRE(!without_hardware);
    BOOST_TEST(without_hardware.error().reasons[0] == "There is no hardware type medium.");
}

BOOST_AUTO_TEST_SUITE_END()
