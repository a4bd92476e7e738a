#include "provisioner/solver/constraints.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;
using provisioner::model::Constraints;
using tests::Names;

BOOST_AUTO_TEST_SUITE(constraints)

namespace {

LayoutProblem reference() {
    return tests::reactor(5, {"small", "medium", "large", "large-cpu", "large-mem"}, {"centos6"});
}

// The preference list of the worked cases with these numbers of nodes.
ClusterLayout layout_with(const std::vector<int>& counts) {
    const std::vector<std::pair<std::string, Names>> kinds{{"large-mem", tests::masters},
                                                           {"large-cpu", tests::slaves},
                                                           {"medium", tests::reactor_and_zookeeper},
                                                           {"medium", {"zookeeper"}},
                                                           {"large", {"reactor"}}};
    ClusterLayout layout;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        layout.groups.push_back({kinds[i].first, "centos6", kinds[i].second, counts[i]});
    }
    return layout;
}

/// Those of the rules alone if no size is left: the solver explains that.
std::pair<int, int> sizes_left(const Constraints& rules, const Names& services) {
    const auto limits = limits_of_rules(rules, services);
    if (!limits.leave_any()) return {rules.size_min, rules.size_max};
    return {static_cast<int>(limits.least), static_cast<int>(limits.most)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_node_holds_coexisting_groups_whole_and_no_excluded_group) {
    const auto problem = reference();
    const auto& rules = problem.cluster_template.constraints;
    const auto& cluster = problem.cluster_template.defaults.services;
    struct Row {
        Names node;
        bool ok;
    };
    const std::vector<Row> table{
        {tests::slaves, true},
        {tests::masters, true},
        {tests::reactor_and_zookeeper, true},
        {{"reactor"}, true},
        {{"zookeeper"}, true},
        {{"datanode"}, false},
        {{"datanode", "nodemanager"}, false},
        {{"namenode"}, false},
        {{"namenode", "resourcemanager"}, false},
        {{"namenode", "datanode"}, false},
        {{"reactor", "datanode"}, false},
        {{"zookeeper", "datanode"}, false},
    };

    for (const auto& row : table) {
        BOOST_TEST_CONTEXT(row.node.front() << " and " << row.node.size() - 1 << " more") {
            BOOST_TEST(may_share_a_node(rules, cluster, row.node) == row.ok);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_group_of_three_forbids_only_all_three_together) {
    Constraints rules;
    rules.cant_coexist = {{"a", "b", "c"}, {}};
    const Names cluster{"a", "b", "c", "d"};

    BOOST_TEST(may_share_a_node(rules, cluster, {"a", "b", "d"}));
    BOOST_TEST(!may_share_a_node(rules, cluster, {"a", "b", "c", "d"}));
}

BOOST_AUTO_TEST_CASE(absent_services_do_not_count_in_a_coexisting_group) {
    Constraints rules;
    rules.must_coexist = {{"a", "b", "c"}};

    BOOST_TEST(may_share_a_node(rules, {"a", "b", "d"}, {"a", "b"}));
    BOOST_TEST(!may_share_a_node(rules, {"a", "b", "c", "d"}, {"a", "b"}));
    BOOST_TEST(may_share_a_node(rules, {"a", "b", "c", "d"}, {"d"}));
}

BOOST_AUTO_TEST_CASE(each_service_of_a_node_must_allow_its_machine) {
    const auto problem = reference();
    const auto& rules = problem.cluster_template.constraints;
    struct Row {
        std::string hardware;
        std::string image;
        Names services;
        bool ok;
    };
    const std::vector<Row> table{
        {"large-mem", "centos6", tests::masters, true},
        {"large", "centos6", tests::masters, false},
        {"large", "asdf", tests::masters, false},
        {"large-mem", "ubuntu12", tests::reactor_and_zookeeper, false},
        {"medium", "asdf", {"reactor"}, true},
    };

    for (const auto& row : table) {
        BOOST_TEST_CONTEXT(row.hardware << "/" << row.image) {
            BOOST_TEST(may_run_on_its_machine(rules, {row.hardware, row.image, row.services, 1}) ==
                       row.ok);
        }
    }
}

BOOST_AUTO_TEST_CASE(quantities_are_counted_over_all_nodes) {
    const auto problem = reference();
    const auto& rules = problem.cluster_template.constraints;
    const auto& cluster = problem.cluster_template.defaults.services;
    struct Row {
        std::vector<int> counts;
        bool ok;
    };
    const std::vector<Row> table{
        {{1, 1, 1, 0, 0}, true},   {{1, 1, 0, 1, 1}, true},   {{1, 3, 1, 0, 0}, true},
        {{1, 2, 0, 1, 1}, true},   {{1, 1, 0, 1, 2}, true},   {{1, 5, 1, 0, 0}, true},
        {{1, 4, 0, 1, 1}, true},   {{1, 3, 0, 1, 2}, true},   {{1, 2, 0, 1, 3}, true},
        {{1, 1, 0, 1, 4}, true},   {{1, 3, 3, 0, 0}, true},   {{1, 1, 5, 0, 0}, true},
        {{1, 50, 3, 0, 0}, true},  {{1, 1, 0, 1, 0}, false},  {{1, 1, 0, 0, 1}, false},
        {{0, 1, 0, 1, 1}, false},  {{1, 0, 1, 0, 1}, false},  {{2, 1, 1, 0, 0}, false},
        {{1, 4, 10, 0, 0}, false}, {{1, 52, 1, 0, 0}, false},
    };

    for (const auto& row : table) {
        BOOST_TEST_CONTEXT("slaves " << row.counts[1] << ", zookeepers " << row.counts[3]) {
            BOOST_TEST(quantities_hold(rules, cluster, layout_with(row.counts)) == row.ok);
            BOOST_TEST(is_acceptable(rules, cluster, layout_with(row.counts)) == row.ok);
        }
    }
}

BOOST_AUTO_TEST_CASE(quantities_of_absent_services_say_nothing) {
    Constraints rules;
    tests::set_quantities(rules, "db", 3);

    BOOST_TEST(quantities_hold(rules, {"web"}, {{{"medium", "centos6", {"web"}, 1}}}));
    BOOST_TEST(!quantities_hold(rules, {"web", "db"}, {{{"medium", "centos6", {"web"}, 1}}}));
}

BOOST_AUTO_TEST_CASE(services_without_any_rule_are_unconstrained) {
    const auto problem = tests::reactor2();

    const auto free = unconstrained_services(problem.cluster_template.constraints,
                                             problem.cluster_template.defaults.services);

    const Names expected{"firewall", "hosts"};
    BOOST_TEST(free == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(counts_of_services_narrow_the_sizes_of_a_cluster) {
    using provisioner::model::ServiceConstraint;
    Constraints rules;
    rules.size_min = 1;
    rules.size_max = 1200;
    rules.services = {
        {"app", ServiceConstraint{.hardware_types = {}, .image_types = {}, .min = 3, .max = 8}},
        {"db", ServiceConstraint{.hardware_types = {}, .image_types = {}, .min = 1, .max = 1}},
        {"cache", ServiceConstraint{.hardware_types = {}, .image_types = {}, .min = 1}}};
    const auto sizes = [&](const Names& services) { return sizes_left(rules, services); };

    BOOST_TEST((sizes({"app", "db"}) == std::pair(3, 9)));
    // One that may be everywhere, and one without a rule.
    BOOST_TEST((sizes({"app", "cache"}) == std::pair(3, 1200)));
    BOOST_TEST((sizes({"other", "db"}) == std::pair(1, 1200)));
    BOOST_TEST((sizes({}) == std::pair(1, 1200)));
    // Nothing would be left.
    rules.size_min = 20;
    BOOST_TEST((sizes({"app", "db"}) == std::pair(20, 1200)));
}

BOOST_AUTO_TEST_CASE(services_that_must_or_must_not_share_nodes_limit_the_size) {
    const auto between = [](int least, int most) {
        provisioner::model::ServiceConstraint rule;
        rule.min = least;
        rule.max = most;
        return rule;
    };
    Constraints rules;
    rules.services = {{"app", between(3, 6)}, {"db", between(2, 4)}, {"cache", between(1, 2)}};
    rules.size_max = 1200;
    const auto sizes = [&](const Names& services) { return sizes_left(rules, services); };
    BOOST_TEST((sizes({"app", "db", "cache"}) == std::pair(3, 12)));

    rules.must_coexist = {{"app", "db"}};
    BOOST_TEST((sizes({"app", "db", "cache"}) == std::pair(3, 6)));
    BOOST_TEST((sizes({"app", "cache"}) == std::pair(3, 8)));
    rules.must_coexist = {{"app", "db"}, {"db", "cache"}};
    // At least 3 of one and at most 2 of another that is with it: left to the solver to explain.
    BOOST_TEST((sizes({"app", "db", "cache"}) == std::pair(1, 1200)));

    rules.must_coexist.clear();
    rules.cant_coexist = {{"app", "db"}};
    BOOST_TEST((sizes({"app", "db", "cache"}) == std::pair(5, 12)));
    BOOST_TEST((sizes({"app", "cache"}) == std::pair(3, 8)));
    rules.cant_coexist = {{"app", "db"}, {"cache", "db"}, {"app", "cache"}};
    BOOST_TEST((sizes({"app", "db", "cache"}) == std::pair(6, 12)));
    // Of three of which a node lacks one, two share each node.
    rules.cant_coexist = {{"app", "db", "cache"}};
    rules.services[2].second.min = 2;
    BOOST_TEST((sizes({"app", "db", "cache"}) == std::pair(4, 12)));
}

BOOST_AUTO_TEST_SUITE_END()
