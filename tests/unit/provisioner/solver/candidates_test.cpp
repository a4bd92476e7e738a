#include "provisioner/solver/candidates.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/sentences.hpp"
#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;
using tests::Names;

namespace {

constexpr long plenty = 100'000;

Candidates candidates_of(const LayoutProblem& problem, const Preferences& preferences = {}) {
    Budget budget(plenty);
    return find_candidates(problem.cluster_template.constraints, tests::selection_of(problem),
                           preferences, budget);
}

std::string drawn(const Machine& machine) {
    return machine.hardware_type + "/" + machine.image_type;
}

std::string drawn(const Candidates& candidates) {
    std::string text;
    for (const auto& layout : candidates.layouts) {
        text += drawn(candidates.machines[layout.machine]) + ": " +
                joined(services_of(candidates.units, layout.units), " ") + "\n";
    }
    return text;
}

// Every machine that could carry the kind of node, not just the preferred one.
std::string machines_for(const LayoutProblem& problem, const Names& services) {
    Names fitting;
    for (const auto& machine : candidates_of(problem).machines) {
        const NodeGroup node{machine.hardware_type, machine.image_type, services, 1};
        if (may_run_on_its_machine(problem.cluster_template.constraints, node)) {
            fitting.push_back(drawn(machine));
        }
    }
    return joined(fitting, " ");
}

std::string best_of(std::vector<Machine> machines, const Preferences& preferences) {
    return drawn(*std::min_element(
        machines.begin(), machines.end(),
        [&](const Machine& a, const Machine& b) { return is_preferred(a, b, preferences); }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(candidates)

BOOST_AUTO_TEST_CASE(the_reference_template_allows_five_kinds_of_node) {
    const auto problem =
        tests::reactor(5, {"small", "medium", "large", "large-cpu", "large-mem"}, {"centos6"});

    const auto found = candidates_of(problem);

    BOOST_TEST(found.complete);
    BOOST_TEST(drawn(found) ==
               "large-cpu/centos6: datanode nodemanager regionserver\n"
               "large-mem/centos6: hbasemaster namenode resourcemanager\n"
               "medium/centos6: reactor zookeeper\n"
               "large/centos6: reactor\n"
               "medium/centos6: zookeeper\n");
}

BOOST_AUTO_TEST_CASE(the_reference_template_allows_fifteen_node_layouts) {
    const auto problem = tests::reactor(5, {"small", "medium", "large", "large-cpu", "large-mem"},
                                        {"centos6", "ubuntu12", "sl6"});

    BOOST_TEST(machines_for(problem, tests::masters) == "large-mem/centos6 large-mem/ubuntu12");
    BOOST_TEST(machines_for(problem, tests::slaves) ==
               "large-cpu/centos6 large-cpu/ubuntu12 medium/centos6 medium/ubuntu12");
    BOOST_TEST(machines_for(problem, tests::reactor_and_zookeeper) == "medium/centos6");
    BOOST_TEST(machines_for(problem, {"zookeeper"}) == "medium/centos6 small/centos6");
    BOOST_TEST(machines_for(problem, {"reactor"}) ==
               "large/centos6 large/sl6 large/ubuntu12 medium/centos6 medium/sl6 medium/ubuntu12");
}

BOOST_AUTO_TEST_CASE(services_that_must_coexist_are_one_kind_of_node) {
    auto problem = tests::a_problem({"svc1", "svc2", "svc3"}, 2);
    problem.cluster_template.constraints.must_coexist = {{"svc1", "svc2", "svc3"}};
    tests::set_quantities(problem.cluster_template.constraints, "svc1", 1, 1);

    BOOST_TEST(drawn(candidates_of(problem)) == "medium/centos6: svc1 svc2 svc3\n");
}

BOOST_AUTO_TEST_CASE(the_preferred_machine_depends_on_the_lists_and_then_on_names) {
    const std::vector<Machine> for_masters{{"medium", "centos6"},
                                           {"medium", "sl6"},
                                           {"large", "centos6"},
                                           {"large", "ubuntu12"},
                                           {"large", "sl6"}};
    const std::vector<Machine> for_zookeeper{
        {"small", "centos6"}, {"medium", "centos6"}, {"large", "centos6"}, {"huge", "centos6"},
        {"huge", "ubuntu12"}, {"small", "ubuntu12"}, {"small", "sl6"}};
    struct Row {
        Preferences preferences;
        std::string masters;
        std::string zookeeper;
    };
    const std::vector<Row> table{
        {{}, "large/centos6", "huge/centos6"},
        {{Names{"small", "medium"}, {}}, "medium/centos6", "small/centos6"},
        {{{}, Names{"sl6", "ubuntu12"}}, "large/sl6", "small/sl6"},
        {{Names{"small", "medium", "large", "huge"}, Names{"ubuntu12", "sl6", "centos6"}},
         "medium/sl6",
         "small/ubuntu12"},
    };

    for (const auto& row : table) {
        BOOST_TEST(best_of(for_masters, row.preferences) == row.masters);
        BOOST_TEST(best_of(for_zookeeper, row.preferences) == row.zookeeper);
    }
}

BOOST_AUTO_TEST_CASE(preferences_order_kinds_of_node_with_equally_many_services) {
    const auto problem =
        tests::reactor(5, {"medium", "large", "large-cpu", "large-mem"}, {"centos6"});

    const auto found = candidates_of(problem, {Names{"large-mem", "medium"}, {}});

    BOOST_TEST(drawn(found) ==
               "large-mem/centos6: hbasemaster namenode resourcemanager\n"
               "medium/centos6: datanode nodemanager regionserver\n"
               "medium/centos6: reactor zookeeper\n"
               "medium/centos6: reactor\n"
               "medium/centos6: zookeeper\n");
}

BOOST_AUTO_TEST_CASE(unconstrained_services_are_on_every_node_and_may_be_alone) {
    auto problem = tests::a_problem({"hosts", "web", "db"}, 3);
    problem.cluster_template.constraints.cant_coexist = {{"web", "db"}};

    BOOST_TEST(drawn(candidates_of(problem)) ==
               "medium/centos6: db hosts\n"
               "medium/centos6: hosts web\n"
               "medium/centos6: hosts\n");
}

BOOST_AUTO_TEST_CASE(overlapping_coexisting_groups_tie_all_their_services) {
    provisioner::model::Constraints rules;
    rules.must_coexist = {{"a", "c"}, {"c", "e"}, {"b", "x"}};
    tests::set_quantities(rules, "e", 1, 9);
    tests::set_quantities(rules, "a", 0, 4);

    const auto units = group_services(rules, {"a", "b", "c", "d", "e"});

    BOOST_REQUIRE(units.units.size() == 2);
    BOOST_TEST((units.units[0] == Unit{{"a", "c", "e"}, 1, 4}));
    BOOST_TEST((units.units[1] == Unit{{"b"}}));
    BOOST_TEST(joined(units.everywhere, " ") == "d");
}

BOOST_AUTO_TEST_CASE(candidates_are_incomplete_when_the_budget_ends) {
    const auto problem = tests::reactor2();
    Budget budget(10);

    const auto found = find_candidates(problem.cluster_template.constraints,
                                       tests::selection_of(problem), {}, budget);

    BOOST_TEST(!found.complete);
    BOOST_TEST(budget.left() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
