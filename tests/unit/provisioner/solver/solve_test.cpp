#include "provisioner/solver/solve.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;
using tests::Names;

BOOST_AUTO_TEST_SUITE(solving)

namespace {

std::string outcome(const LayoutProblem& problem) {
    const auto layout = solve(problem);
    return layout ? draw(*layout) : wire_message(layout.error());
}

LayoutProblem webapp(const Names& services) {
    auto problem = tests::a_problem(services, 3);
    problem.cluster_template.constraints.cant_coexist = {{"db", "web"}};
    tests::set_quantities(problem.cluster_template.constraints, "db", 1, 1);
    return problem;
}

LayoutProblem simple() {
    auto problem = tests::a_problem({"namenode", "datanode"}, 5);
    tests::use_types(problem, {"small", "medium", "large-mem"}, {"centos6", "ubuntu12"});
    problem.cluster_template.defaults.hardware_type = "medium";
    problem.cluster_template.defaults.image_type = "ubuntu12";
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_reference_template_on_five_machines) {
    const auto problem = tests::reactor(5, {"medium", "large-mem", "large-cpu"}, {"centos6"});

    BOOST_TEST(outcome(problem) ==
               "3 x large-cpu/centos6: datanode, nodemanager, regionserver\n"
               "1 x large-mem/centos6: hbasemaster, namenode, resourcemanager\n"
               "1 x medium/centos6: reactor, zookeeper\n");
}

BOOST_AUTO_TEST_CASE(the_reference_template_does_not_fit_two_machines) {
    const auto problem = tests::reactor(2, {"medium", "large-mem", "large-cpu"}, {"centos6"});

    BOOST_TEST(outcome(problem) == "Layout solving failed");
}

BOOST_AUTO_TEST_CASE(a_service_for_one_node_only_cannot_pull_others_to_two) {
    auto problem = tests::a_problem({"svc1", "svc2", "svc3"}, 2);
    problem.cluster_template.constraints.must_coexist = {{"svc1", "svc2", "svc3"}};
    tests::set_quantities(problem.cluster_template.constraints, "svc1", 1, 1);

    BOOST_TEST(outcome(problem) == "Layout solving failed");
}

BOOST_AUTO_TEST_CASE(two_hundred_machines_for_ten_services) {
    BOOST_TEST(outcome(tests::reactor2()) ==
               "1 x large/centos6: firewall, hadoop-hdfs-datanode, hadoop-yarn-nodemanager, "
               "hbase-regionserver, hosts, reactor, zookeeper-server\n"
               "198 x large/centos6: firewall, hadoop-hdfs-datanode, hadoop-yarn-nodemanager, "
               "hbase-regionserver, hosts\n"
               "1 x large/centos6: firewall, hadoop-hdfs-namenode, hadoop-yarn-resourcemanager, "
               "hbase-master, hosts\n");
}

BOOST_AUTO_TEST_CASE(rules_about_absent_services_are_ignored) {
    BOOST_TEST(outcome(tests::hadoop(3)) ==
               "2 x medium/ubuntu12: datanode, firewall, hosts, nodemanager\n"
               "1 x medium/ubuntu12: firewall, hosts, namenode, resourcemanager\n");
}

BOOST_AUTO_TEST_CASE(without_rules_every_node_gets_everything) {
    auto problem = simple();
    BOOST_TEST(outcome(problem) == "5 x medium/ubuntu12: datanode, namenode\n");

    problem.hardware_type = "large-mem";
    BOOST_TEST(outcome(problem) == "5 x large-mem/ubuntu12: datanode, namenode\n");

    problem.hardware_type = "small";
    problem.image_type = "centos6";
    BOOST_TEST(outcome(problem) == "5 x small/centos6: datanode, namenode\n");
}

BOOST_AUTO_TEST_CASE(a_service_for_one_node_leaves_the_others_to_the_rest) {
    BOOST_TEST(outcome(webapp({"hosts", "db", "web"})) ==
               "1 x medium/centos6: db, hosts\n"
               "2 x medium/centos6: hosts, web\n");
    BOOST_TEST(outcome(webapp({"hosts", "db"})) ==
               "1 x medium/centos6: db, hosts\n"
               "2 x medium/centos6: hosts\n");
}

BOOST_AUTO_TEST_CASE(a_service_without_a_minimum_may_be_nowhere) {
    auto problem = tests::a_problem({"db", "web"}, 2);
    problem.cluster_template.constraints.cant_coexist = {{"db", "web"}};

    BOOST_TEST(outcome(problem) == "2 x medium/centos6: db\n");
}

BOOST_AUTO_TEST_CASE(a_layout_is_found_although_the_first_choice_does_not_fill_the_machines) {
    auto problem = tests::a_problem({"db", "web"}, 2);
    tests::set_quantities(problem.cluster_template.constraints, "db", 1, 1);
    tests::set_quantities(problem.cluster_template.constraints, "web", 1, 1);

    BOOST_TEST(outcome(problem) ==
               "1 x medium/centos6: db\n"
               "1 x medium/centos6: web\n");
}

BOOST_AUTO_TEST_CASE(a_template_with_large_groups_takes_few_steps) {
    const auto layout = solve(tests::cdap(50), 100);

    BOOST_REQUIRE(layout);
    BOOST_REQUIRE(layout->groups.size() == 2);
    BOOST_TEST(layout->groups[0].count == 1);
    BOOST_TEST(layout->groups[0].services.size() == 12);
    BOOST_TEST(layout->groups[1].count == 49);
    BOOST_TEST(layout->groups[1].services.size() == 4);
}

BOOST_AUTO_TEST_CASE(texts_of_the_request_reach_the_cluster_message) {
    auto problem = webapp({"hosts", "db"});
    problem.services = {"nope"};
    problem.cluster_template.compatibility.services = {"hosts"};

    BOOST_TEST(outcome(problem) == "Layout solving failed: nope are incompatible with the cluster");
}

BOOST_AUTO_TEST_CASE(a_cluster_of_nothing_is_refused) {
    auto problem = webapp({});
    const auto without_services = solve(problem);
    problem = webapp({"db"});
    problem.machines = 0;
    const auto without_machines = solve(problem);

    BOOST_REQUIRE(!without_services);
    BOOST_TEST(without_services.error().field == "services");
    BOOST_REQUIRE(!without_machines);
    BOOST_TEST(without_machines.error().field == "numMachines");
}

BOOST_AUTO_TEST_CASE(twenty_six_services_that_may_all_be_combined_take_few_steps) {
    Names services;
    for (char letter = 'a'; letter <= 'z'; ++letter) services.emplace_back(1, letter);
    auto problem = tests::a_problem(services, 40);
    for (const auto& service : services) {
        tests::set_quantities(problem.cluster_template.constraints, service, 0, 2);
    }

    const auto layout = solve(problem, 1000);

    BOOST_REQUIRE(layout);
    BOOST_TEST(
        draw(*layout).starts_with("1 x medium/centos6: a, b, c, d, e, f, g, h, i, j, k, l, m\n"
                                  "1 x medium/centos6: a\n"
                                  "1 x medium/centos6: b\n"));
}

BOOST_AUTO_TEST_CASE(a_search_without_enough_steps_says_so_and_why) {
    const auto layout = solve(tests::reactor2(), 3);

    BOOST_REQUIRE(!layout);
    BOOST_TEST(wire_message(layout.error()) == "Layout solving failed");
    BOOST_REQUIRE(layout.error().reasons.size() == 1);
    BOOST_TEST(
        layout.error().reasons[0] ==
        "This layout is too hard to work out, because the rules leave 6 services or groups of "
        "services too many ways to share machines (gave up after 3 steps). Choose fewer services, "
        "or "
        "say in the template which of them share machines.");
}

// Found by fuzzing: no number of nodes is at most -5.
BOOST_AUTO_TEST_CASE(a_negative_maximum_can_never_be_kept) {
    auto problem = tests::a_problem({"db", "hosts"}, 2);
    tests::set_quantities(problem.cluster_template.constraints, "db", 0, -5);
    const auto layout = solve(problem);
    BOOST_REQUIRE(!layout);
    BOOST_TEST(layout.error().reasons[0] == "db may be on at most -5 machines.");
    BOOST_TEST(layout.error().remedies.back().sentence == "Let db be on up to 0 machines.");
}

// Found by fuzzing: what came before the rule that ties a and b takes room only for the one it is.
BOOST_AUTO_TEST_CASE(a_running_node_with_a_part_of_a_tied_pair_counts_for_that_part) {
    auto problem = tests::a_problem({"a", "b", "c"}, 2);
    problem.cluster_template.constraints.must_coexist = {{"a", "b"}};
    tests::set_quantities(problem.cluster_template.constraints, "a", 0, 2);
    problem.present = {{"medium", "centos6", {"a"}, 1}, {"medium", "centos6", {"b"}, 1}};
    const auto layout = solve(problem);
    BOOST_REQUIRE(layout);
    BOOST_TEST(draw(*layout) == "1 x medium/centos6: a, b, c\n1 x medium/centos6: c\n");
}

BOOST_AUTO_TEST_SUITE_END()
