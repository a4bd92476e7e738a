#include "provisioner/solver/explain/explain.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/solver/sentences.hpp"
#include "provisioner/solver/solve.hpp"
#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;
using provisioner::model::Constraints;
using tests::Names;

BOOST_AUTO_TEST_SUITE(explanations)

namespace {

// The field and the reasons, a line each.
std::string explained(const LayoutProblem& problem) {
    const auto layout = solve(problem);
    return layout ? "there is a layout"
                  : layout.error().field + ": " + joined(layout.error().reasons, "\n");
}

}  // namespace

BOOST_AUTO_TEST_CASE(too_few_machines_for_services_that_must_not_share_a_node) {
    auto problem = tests::a_problem({"db", "web", "hosts"}, 2);
    auto& rules = problem.cluster_template.constraints;
    rules.cant_coexist = {{"db", "web"}};
    tests::set_quantities(rules, "db", 1, 4);
    tests::set_quantities(rules, "web", 2);

    BOOST_TEST(
        explained(problem) ==
        "numMachines: db needs at least 1 machine and web needs at least 2 machines, but db and "
        "web must not "
        "share a machine and only 2 machines were asked for.");
}

BOOST_AUTO_TEST_CASE(more_machines_than_there_is_something_for) {
    auto problem = tests::a_problem({"svc1", "svc2", "svc3"}, 2);
    problem.cluster_template.constraints.must_coexist = {{"svc1", "svc2", "svc3"}};
    tests::set_quantities(problem.cluster_template.constraints, "svc1", 1, 1);

    BOOST_TEST(
        explained(problem) ==
        "numMachines: 2 machines were asked for and each needs something to run, but svc1, svc2 "
        "and svc3 "
        "must be together on a machine or not be there at all and svc1 may be on at most 1 "
        "machine.");
}

BOOST_AUTO_TEST_CASE(rules_that_clash_on_any_number_of_machines) {
    auto problem = tests::a_problem({"db", "web", "cache"}, 7);
    auto& rules = problem.cluster_template.constraints;
    rules.must_coexist = {{"db", "web"}, {"cache", "absent"}};
    rules.cant_coexist = {{"web", "cache"}};
    tests::set_quantities(rules, "db", 1, 1);
    tests::set_quantities(rules, "web", 3);
    tests::set_quantities(rules, "cache", 1);

    BOOST_TEST(
        explained(problem) ==
        "services: web needs at least 3 machines, but db and web must be together on a machine or "
        "not be there "
        "at all and db may be on at most 1 machine.");
}

BOOST_AUTO_TEST_CASE(a_minimum_over_the_maximum) {
    auto problem = tests::a_problem({"db"}, 3);
    tests::set_quantities(problem.cluster_template.constraints, "db", 3, 2);

    BOOST_TEST(explained(problem) ==
               "services: db needs at least 3 machines, but db may be on at most 2 machines.");
}

BOOST_AUTO_TEST_CASE(a_minimum_over_the_number_of_machines) {
    auto problem = tests::a_problem({"db"}, 1);
    tests::set_quantities(problem.cluster_template.constraints, "db", 3);

    BOOST_TEST(explained(problem) ==
               "numMachines: db needs at least 3 machines, but only 1 machine was asked for.");
}

BOOST_AUTO_TEST_CASE(a_service_whose_machines_the_cluster_cannot_have) {
    auto problem = tests::reactor(5, {"small", "medium", "large-cpu", "large-mem"}, {"centos6"});
    problem.hardware_type = "medium";

    BOOST_TEST(
        explained(problem) ==
        "hardwaretype: namenode needs at least 1 machine, but namenode runs only on hardware "
        "type large-mem "
        "and this cluster can have only medium.");
}

BOOST_AUTO_TEST_CASE(services_that_must_coexist_on_different_images) {
    auto problem = tests::a_problem({"old", "new"}, 2);
    tests::use_types(problem, {"medium"}, {"centos6", "ubuntu12"});
    auto& rules = problem.cluster_template.constraints;
    rules.must_coexist = {{"old", "new"}};
    rules.services = {{"old", {{}, {"centos6"}, 1, 9}}, {"new", {{}, {"ubuntu12"}, 0, 9}}};

    BOOST_TEST(explained(problem) ==
               "imagetype: old needs at least 1 machine, but old runs only on image type centos6, "
               "new runs "
               "only on "
               "image type ubuntu12 and old and new must be together on a machine or not be there "
               "at all.");
}

BOOST_AUTO_TEST_CASE(a_service_that_no_node_may_have) {
    auto problem = tests::a_problem({"db", "web"}, 2);
    problem.cluster_template.constraints.cant_coexist = {{"db"}};
    tests::set_quantities(problem.cluster_template.constraints, "db", 1);

    BOOST_TEST(explained(problem) ==
               "services: db needs at least 1 machine, but db must not be on any machine.");
}

BOOST_AUTO_TEST_CASE(the_reference_template_on_two_machines_names_a_sentence_for_each_rule) {
    const auto problem = tests::reactor(2, {"medium", "large-mem", "large-cpu"}, {"centos6"});

    BOOST_TEST(explained(problem) ==
               "numMachines: namenode needs at least 1 machine.\n"
               "datanode needs at least 1 machine.\n"
               "reactor needs at least 1 machine.\n"
               "datanode and namenode must not share a machine.\n"
               "datanode and reactor must not share a machine.\n"
               "namenode and reactor must not share a machine.\n"
               "Only 2 machines were asked for.");
}

BOOST_AUTO_TEST_CASE(a_template_with_large_groups_is_explained) {
    const auto problem = tests::cdap(2);

    BOOST_TEST(explained(problem) ==
               "numMachines: cdap needs at least 1 machine and hadoop-hdfs-datanode needs at least "
               "2 machines, "
               "but "
               "hadoop-hdfs-datanode and cdap must not share a machine and only 2 machines were "
               "asked for.");
}

BOOST_AUTO_TEST_CASE(a_clash_found_without_enough_steps_is_not_called_minimal) {
    auto problem = tests::a_problem({"db", "web"}, 1);
    auto& rules = problem.cluster_template.constraints;
    rules.cant_coexist = {{"db", "web"}};
    tests::set_quantities(rules, "db", 1, 1);
    tests::set_quantities(rules, "web", 1, 1);
    const auto selection = tests::selection_of(problem);
    const RuleBook book{.constraints = rules,
                        .selection = selection,
                        .machines = problem.machines,
                        .present = problem.present};
    Budget enough(10'000);
    Budget too_small(16);

    const auto minimal = find_clash(book, enough);
    const auto rough = find_clash(book, too_small);

    BOOST_TEST(minimal.minimal);
    BOOST_TEST(minimal.rules.size() == 4);
    BOOST_TEST(!rough.minimal);
    BOOST_TEST(rough.rules.size() >= minimal.rules.size());
}

BOOST_AUTO_TEST_SUITE_END()
