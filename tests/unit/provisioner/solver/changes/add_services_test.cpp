#include "provisioner/solver/changes/add_services.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <tuple>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/layout/count_vectors.hpp"
#include "provisioner/solver/sentences.hpp"
#include "tests/support/builders.hpp"
#include "tests/unit/provisioner/solver/chance.hpp"
#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;
using provisioner::model::Constraints;
using tests::Names;

BOOST_AUTO_TEST_SUITE(adding_services)

namespace {

constexpr unsigned problems = 3000;

AdditionProblem adding(const Names& services, const LayoutProblem& to) {
    return {.cluster_template = to.cluster_template,
            .nodes = {},
            .services = services,
            .all_services = to.all_services};
}

void have(AdditionProblem& problem, int count, const std::string& hardware,
          const std::string& image, const Names& services) {
    for (int i = 0; i < count; ++i) {
        const int number = 1000 + static_cast<int>(problem.nodes.size());
        problem.nodes.push_back({number, hardware, image, services});
    }
}

// "1000 web, 1001": what each node gets.
std::string outcome(const AdditionProblem& problem) {
    const auto added = add_services(problem);
    if (!added) return joined(added.error().reasons, "\n");
    Names nodes;
    for (std::size_t i = 0; i < added->size(); ++i) {
        nodes.push_back(std::to_string(problem.nodes[i].number) + ((*added)[i].empty() ? "" : " ") +
                        joined((*added)[i], " "));
    }
    return joined(nodes, ", ");
}

// The cluster of the worked cases, with 3 instead of 50 nodes for data.
AdditionProblem to_the_reference_cluster(const Names& services) {
    auto problem = adding(services, tests::reactor(4, {"medium", "large-mem"}, {"centos6"}));
    have(problem, 1, "large-mem", "centos6", {"namenode"});
    have(problem, 3, "medium", "centos6", {"datanode"});
    return problem;
}

// The template without the preferences and rules the tests set themselves.
AdditionProblem simply_adding(const Names& services, const Names& all) {
    return adding(services, tests::a_problem(all, 1));
}

}  // namespace

BOOST_AUTO_TEST_CASE(services_go_where_they_must_coexist) {
    BOOST_TEST(outcome(to_the_reference_cluster({"resourcemanager"})) ==
               "1000 resourcemanager, 1001, 1002, 1003");
    BOOST_TEST(outcome(to_the_reference_cluster(
                   {"resourcemanager", "nodemanager", "hbasemaster", "regionserver"})) ==
               "1000 hbasemaster resourcemanager, 1001 nodemanager regionserver, "
               "1002 nodemanager regionserver, 1003 nodemanager regionserver");
}

BOOST_AUTO_TEST_CASE(a_service_that_may_join_no_node_has_no_place_and_the_reasons_say_so) {
    BOOST_TEST(
        outcome(to_the_reference_cluster({"zookeeper"})) ==
        "zookeeper cannot be added to this cluster.\n"
        "zookeeper cannot be on the 1 machine with namenode: namenode and zookeeper must not "
        "share a machine.\n"
        "zookeeper cannot be on the 3 machines with datanode: datanode and zookeeper must not "
        "share a machine.\n"
        "zookeeper needs at least 1 machine.");
    BOOST_TEST(outcome(to_the_reference_cluster({"resourcemanager", "nodemanager", "zookeeper"}))
                   .starts_with("zookeeper cannot be added to this cluster.\n"));
}

BOOST_AUTO_TEST_CASE(requirements_compatibility_and_conflicts_are_checked_first) {
    auto problem = to_the_reference_cluster({"nodemanager"});
    for (auto& service : problem.all_services) {
        if (service.header.name == "nodemanager") {
            service.dependencies.runtime.required = {"resourcemanager"};
        }
    }
    const auto without_it = add_services(problem);
    problem.services = {"nodemanager"};
    problem.cluster_template.compatibility.services = {"datanode"};
    const auto a_stranger = add_services(problem);

    BOOST_REQUIRE(!without_it);
    BOOST_TEST(without_it.error().text ==
               "nodemanager requires resourcemanager, which is not on the cluster or in the list "
               "of services to add.");
    BOOST_REQUIRE(!a_stranger);
    BOOST_TEST(a_stranger.error().text == "nodemanager are incompatible with the cluster");
}

BOOST_AUTO_TEST_CASE(a_service_without_rules_goes_on_every_node_that_can_take_it) {
    auto problem = simply_adding({"base"}, {"master1", "slave1", "app", "base"});
    have(problem, 1, "large", "centos6", {"master1"});
    have(problem, 2, "medium", "centos6", {"slave1"});

    BOOST_TEST(outcome(problem) == "1000 base, 1001 base, 1002 base");

    problem.cluster_template.constraints.cant_coexist = {{"base", "slave1"}};
    BOOST_TEST(outcome(problem) == "1000 base, 1001, 1002");
}

BOOST_AUTO_TEST_CASE(a_maximum_takes_the_preferred_kind_of_node_and_its_lowest_numbers) {
    auto problem = simply_adding({"cache"}, {"hosts", "web", "db", "cache"});
    have(problem, 1, "medium", "centos6", {"hosts"});
    have(problem, 3, "medium", "centos6", {"hosts", "web"});
    tests::set_quantities(problem.cluster_template.constraints, "cache", 1, 2);

    BOOST_TEST(outcome(problem) == "1000, 1001 cache, 1002 cache, 1003");
}

BOOST_AUTO_TEST_CASE(services_on_the_cluster_may_be_added_again_and_stay_where_they_are) {
    auto problem = simply_adding({"db"}, {"web", "db"});
    have(problem, 1, "medium", "centos6", {"db"});
    have(problem, 2, "medium", "centos6", {"web"});
    tests::set_quantities(problem.cluster_template.constraints, "db", 1, 1);

    BOOST_TEST(outcome(problem) == "1000, 1001, 1002");
}

// The case in which the original forgot a service: what is left of the first one's nodes must not
// be taken by the second before both fit.
BOOST_AUTO_TEST_CASE(a_service_makes_way_for_a_later_one) {
    auto problem =
        simply_adding({"datanode", "spark-master"}, {"db", "firewall", "datanode", "spark-master"});
    auto& rules = problem.cluster_template.constraints;
    rules.must_coexist = {{"datanode", "spark-master"}};
    rules.cant_coexist = {{"db", "datanode"}};
    have(problem, 1, "medium", "centos6", {"db"});
    have(problem, 2, "medium", "centos6", {"firewall"});

    BOOST_TEST(outcome(problem) == "1000, 1001 datanode spark-master, 1002 datanode spark-master");

    problem.services = {"spark-master", "zeta"};
    problem.all_services.push_back(tests::a_service("zeta"));
    rules.must_coexist.clear();
    rules.cant_coexist = {{"spark-master", "zeta"}};
    BOOST_TEST(outcome(problem) == "1000 spark-master, 1001 spark-master, 1002 zeta");
}

BOOST_AUTO_TEST_CASE(services_that_cannot_come_together_are_named) {
    auto problem = simply_adding({"a", "b", "c"}, {"web", "a", "b", "c"});
    have(problem, 1, "medium", "centos6", {"web"});
    problem.cluster_template.constraints.cant_coexist = {{"a", "c"}};

    BOOST_TEST(outcome(problem) ==
               "a and c cannot be added to this cluster together.\n"
               "a and c must not share a machine.");
}

BOOST_AUTO_TEST_CASE(many_services_that_have_nothing_to_do_with_a_hopeless_one_cost_nothing) {
    Names services{"hopeless"};
    for (char letter = 'a'; letter <= 'l'; ++letter) services.emplace_back(1, letter);
    auto problem = simply_adding(services, services);
    for (int i = 0; i < 6; ++i) {
        have(problem, 50, "medium", "centos6", {"kind" + std::to_string(i)});
        problem.cluster_template.constraints.cant_coexist.push_back(
            {"hopeless", "kind" + std::to_string(i)});
    }

    const auto added = add_services(problem, 100);

    BOOST_REQUIRE(!added);
    BOOST_TEST(added.error().reasons[0] == "hopeless cannot be added to this cluster.");
}

// The algorithm as specified, without any shortcut.
class Specified {
 public:
    Specified(const Constraints& rules, Names order) : rules_(rules), order_(std::move(order)) {}

    // The multiset of nodes after the additions; nothing when there is no way.
    std::optional<std::vector<NodeGroup>> place(std::vector<NodeGroup> nodes,
                                                std::size_t index = 0) const {
        if (index == order_.size()) return nodes;
        std::vector<NodeGroup> kinds;
        for (const auto& node : nodes) {
            auto kind = node;
            kind.count = 1;
            if (fits(nodes, kind, order_[index]) &&
                std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
                kinds.push_back(kind);
            }
        }
        std::sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
            return std::tuple(-std::ssize(a.services), a.hardware_type, a.image_type, a.services) <
                   std::tuple(-std::ssize(b.services), b.hardware_type, b.image_type, b.services);
        });
        return try_kinds(nodes, index, kinds);
    }

 private:
    std::optional<std::vector<NodeGroup>> try_kinds(const std::vector<NodeGroup>& nodes,
                                                    std::size_t index,
                                                    const std::vector<NodeGroup>& kinds) const {
        std::vector<long> sizes;
        long total = 0;
        for (const auto& kind : kinds) {
            sizes.push_back(std::count(nodes.begin(), nodes.end(), kind));
            total += sizes.back();
        }
        const auto* rule = provisioner::model::constraint_on(rules_, order_[index]);
        const long most = std::min<long>(total, rule == nullptr ? total : rule->max);
        const long least = std::max(1, rule == nullptr ? 1 : rule->min);
        for (long count = most; count >= least; --count) {
            for (CountVectors vectors(all_in_first_slot(kinds.size(), count), sizes);
                 !vectors.ended(); vectors.advance()) {
                const auto next = add(nodes, order_[index], kinds, vectors.counts());
                if (!is_acceptable(rules_, services_of(next), {next})) continue;
                if (auto placed = place(next, index + 1)) return placed;
            }
        }
        return std::nullopt;
    }

    static Names services_of(const std::vector<NodeGroup>& nodes) {
        std::set<std::string> names;
        for (const auto& node : nodes) names.insert(node.services.begin(), node.services.end());
        return {names.begin(), names.end()};
    }

    static NodeGroup with(NodeGroup kind, const std::string& service) {
        std::set<std::string> names(kind.services.begin(), kind.services.end());
        names.insert(service);
        kind.services = {names.begin(), names.end()};
        return kind;
    }

    bool fits(const std::vector<NodeGroup>& nodes, const NodeGroup& kind,
              const std::string& service) const {
        auto cluster = services_of(nodes);
        cluster.push_back(service);
        const auto then = with(kind, service);
        return may_share_a_node(rules_, with({"", "", cluster, 1}, service).services,
                                then.services) &&
               may_run_on_its_machine(rules_, then);
    }

    static std::vector<NodeGroup> add(std::vector<NodeGroup> nodes, const std::string& service,
                                      const std::vector<NodeGroup>& kinds,
                                      const std::vector<long>& counts) {
        auto left = counts;
        for (auto& node : nodes) {
            const auto at = std::find(kinds.begin(), kinds.end(), node) - kinds.begin();
            if (at == std::ssize(kinds) || left[static_cast<std::size_t>(at)] == 0) continue;
            --left[static_cast<std::size_t>(at)];
            node = with(node, service);
        }
        return nodes;
    }

    const Constraints& rules_;
    Names order_;
};

AdditionProblem random_addition(unsigned seed) {
    tests::Chance chance(seed);
    const Names present{"p", "q", "r"};
    const Names asked{"a", "b", "c"};
    auto problem = simply_adding({asked.begin(), asked.begin() + 1 + chance.upto(2)},
                                 {"p", "q", "r", "a", "b", "c"});
    const int kinds = 1 + chance.upto(2);
    for (int i = 0; i < kinds; ++i) {
        auto services = chance.some_of({"a", "p", "q", "r"}, 2);
        if (services.empty()) services = {"p"};
        have(problem, 1 + chance.upto(2), chance.one_in(2) ? "medium" : "large", "centos6",
             services);
    }
    auto& rules = problem.cluster_template.constraints;
    const Names all{"p", "q", "r", "a", "b", "c"};
    for (int i = chance.upto(3); i > 0; --i) rules.cant_coexist.push_back(chance.some_of(all, 3));
    for (int i = chance.upto(2); i > 0; --i) rules.must_coexist.push_back(chance.some_of(all, 3));
    for (const auto& service : chance.some_of(asked, 2)) {
        const int min = chance.upto(2);
        rules.services.push_back(
            {service, {chance.some_of({"medium", "large"}, 3), {}, min, min + chance.upto(3)}});
    }
    return problem;
}

Names in_order(const Constraints& rules, Names services) {
    std::sort(services.begin(), services.end(), [&](const auto& a, const auto& b) {
        const auto* ra = provisioner::model::constraint_on(rules, a);
        const auto* rb = provisioner::model::constraint_on(rules, b);
        const auto key = [](const auto* rule, const std::string& name) {
            return std::tuple(rule == nullptr, rule == nullptr ? 0 : rule->max,
                              rule == nullptr ? 0 : -rule->min, name);
        };
        return key(ra, a) < key(rb, b);
    });
    return services;
}

BOOST_AUTO_TEST_CASE(the_additions_are_the_specified_ones) {
    int placed = 0;
    int impossible = 0;
    for (unsigned seed = 0; seed < problems; ++seed) {
        BOOST_TEST_CONTEXT("seed " << seed) {
            const auto problem = random_addition(seed);
            const auto& rules = problem.cluster_template.constraints;
            std::vector<NodeGroup> nodes;
            std::set<std::string> present;
            for (const auto& node : problem.nodes) {
                nodes.push_back({node.hardware_type, node.image_type, node.services, 1});
                present.insert(node.services.begin(), node.services.end());
            }
            if (!is_acceptable(rules, {present.begin(), present.end()}, {nodes})) continue;

            const auto added = add_services(problem);

            const auto expected = Specified(rules, in_order(rules, problem.services)).place(nodes);
            BOOST_REQUIRE(added.has_value() == expected.has_value());
            ++(added ? placed : impossible);
            if (!added) continue;
            auto result = nodes;
            for (std::size_t i = 0; i < result.size(); ++i) {
                std::set<std::string> services(result[i].services.begin(),
                                               result[i].services.end());
                services.insert((*added)[i].begin(), (*added)[i].end());
                result[i].services = {services.begin(), services.end()};
            }
            const auto kinds_of = [](const std::vector<NodeGroup>& list) {
                std::multiset<std::string> kinds;
                for (const auto& node : list) {
                    kinds.insert(node.hardware_type + " " + joined(node.services, " "));
                }
                return kinds;
            };
            BOOST_TEST((kinds_of(result) == kinds_of(*expected)));
        }
    }
    BOOST_TEST(placed > 300);
    BOOST_TEST(impossible > 30);
}

BOOST_AUTO_TEST_SUITE_END()
