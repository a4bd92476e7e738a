#include "provisioner/solver/layout/kinds.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/sentences.hpp"
#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;
using tests::Names;

BOOST_AUTO_TEST_SUITE(kinds)

namespace {

KindRules rules_of(const LayoutProblem& problem, const Preferences& preferences = {}) {
    return kind_rules(problem.cluster_template.constraints, tests::selection_of(problem),
                      preferences);
}

std::string drawn(const Machine& machine) {
    return machine.hardware_type + "/" + machine.image_type;
}

// Every machine that could carry the kind of node, not just the preferred one.
std::string machines_for(const LayoutProblem& problem, const Names& services) {
    Names fitting;
    for (const auto& machine : rules_of(problem).machines) {
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

BOOST_AUTO_TEST_CASE(services_without_a_common_machine_are_in_conflict) {
    auto problem = tests::a_problem({"a", "b", "c"}, 2);
    tests::use_types(problem, {"large", "small"}, {"centos6"});
    problem.cluster_template.constraints.services = {
        {"a", {{"large"}, {}, 0, 9}}, {"b", {{"small"}, {}, 0, 9}}, {"c", {{}, {}, 0, 9}}};

    const auto rules = rules_of(problem);

    BOOST_TEST(rules.conflicts[0].test(1));
    BOOST_TEST(rules.conflicts[1].test(0));
    BOOST_TEST(rules.conflicts[2].none());
}

BOOST_AUTO_TEST_CASE(a_group_of_three_forbids_only_all_three_together) {
    auto problem = tests::a_problem({"a", "b", "c", "d"}, 2);
    problem.cluster_template.constraints.cant_coexist = {{"a", "b", "c"}, {"a", "absent"}, {}};
    tests::set_quantities(problem.cluster_template.constraints, "d", 0, 9);

    const auto rules = rules_of(problem);

    auto set = rules.none();
    BOOST_TEST(rules.may_join(0, set));
    set.set(0);
    BOOST_TEST(rules.may_join(1, set));
    set.set(1);
    BOOST_TEST(!rules.may_join(2, set));
    BOOST_TEST(rules.may_join(3, set));
}

BOOST_AUTO_TEST_CASE(a_unit_no_node_can_have_has_no_room) {
    auto problem = tests::a_problem({"a", "b", "c"}, 2);
    auto& constraints = problem.cluster_template.constraints;
    constraints.must_coexist = {{"a", "b"}};
    constraints.cant_coexist = {{"a", "b"}};
    constraints.services = {{"c", {{"nowhere"}, {}, 0, 9}}};

    const auto rules = rules_of(problem);

    BOOST_REQUIRE(rules.units.units.size() == 2);
    BOOST_TEST(rules.units.units[0].max == 0);
    BOOST_TEST(rules.units.units[1].max == 0);
}

BOOST_AUTO_TEST_SUITE_END()
