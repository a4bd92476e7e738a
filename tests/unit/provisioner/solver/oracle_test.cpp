#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <optional>
#include <tuple>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/explain/explain.hpp"
#include "provisioner/solver/layout/count_vectors.hpp"
#include "provisioner/solver/solve.hpp"
#include "tests/unit/provisioner/solver/problems.hpp"

// The layout algorithm as it is specified, word for word and without any shortcut, against the
// solver on small random problems.

using namespace provisioner::solver;
using provisioner::model::Constraints;
using tests::Names;

BOOST_AUTO_TEST_SUITE(oracle)

namespace {

constexpr unsigned problems = 3000;

// Steps 1 to 5: the preference list.
std::vector<NodeGroup> preference_list(const LayoutProblem& problem, const Selection& selection) {
    const auto& rules = problem.cluster_template.constraints;
    const auto free = unconstrained_services(rules, selection.services);
    std::vector<NodeGroup> list;
    for (unsigned bits = 0; bits < 1U << selection.services.size(); ++bits) {
        NodeGroup node;
        for (std::size_t i = 0; i < selection.services.size(); ++i) {
            if ((bits >> i & 1) != 0) node.services.push_back(selection.services[i]);
        }
        const bool has_free =
            std::includes(node.services.begin(), node.services.end(), free.begin(), free.end());
        if (!has_free || node.services.empty()) continue;
        if (!may_share_a_node(rules, selection.services, node.services)) continue;
        std::optional<NodeGroup> first;
        for (const auto& hardware : selection.hardware_types) {
            for (const auto& image : selection.image_types) {
                node.hardware_type = hardware;
                node.image_type = image;
                if (!first && may_run_on_its_machine(rules, node)) first = node;
            }
        }
        if (first) list.push_back(*first);
    }
    std::sort(list.begin(), list.end(), [](const NodeGroup& a, const NodeGroup& b) {
        if (a.services.size() != b.services.size()) return a.services.size() > b.services.size();
        return std::tie(a.hardware_type, a.image_type, a.services) <
               std::tie(b.hardware_type, b.image_type, b.services);
    });
    return list;
}

long maximum_of(const Constraints& rules, const NodeGroup& node) {
    long most = provisioner::model::no_maximum;
    for (const auto& [service, rule] : rules.services) {
        const bool here = std::count(node.services.begin(), node.services.end(), service) > 0;
        if (here) most = std::min<long>(most, rule.max);
    }
    return most;
}

// Step 6: as many nodes as possible of each kind in turn.
std::vector<long> greedy_counts(const Constraints& rules, const std::vector<NodeGroup>& list,
                                int machines) {
    std::map<std::string, long> placed;
    std::vector<long> counts;
    long left = machines;
    for (const auto& node : list) {
        long count = left;
        for (const auto& [service, rule] : rules.services) {
            const bool here = std::count(node.services.begin(), node.services.end(), service) > 0;
            if (here) count = std::min<long>(count, rule.max - placed[service]);
        }
        for (const auto& service : node.services) placed[service] += count;
        counts.push_back(count);
        left -= count;
    }
    return counts;
}

ClusterLayout layout_of(const std::vector<NodeGroup>& list, const std::vector<long>& counts) {
    ClusterLayout layout;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (counts[i] == 0) continue;
        layout.groups.push_back(list[i]);
        layout.groups.back().count = static_cast<int>(counts[i]);
    }
    return layout;
}

// Step 7, from any start.
std::optional<ClusterLayout> first_valid(const Constraints& rules, const Names& services,
                                         const std::vector<NodeGroup>& list,
                                         const std::vector<long>& start) {
    std::vector<long> maxima;
    for (const auto& node : list) maxima.push_back(maximum_of(rules, node));
    for (CountVectors vectors(start, maxima); !vectors.ended(); vectors.advance()) {
        auto layout = layout_of(list, vectors.counts());
        if (quantities_hold(rules, services, layout)) return layout;
    }
    return std::nullopt;
}

// As specified; nothing, too, where the greedy start leaves machines over.
std::optional<ClusterLayout> specified_layout(const LayoutProblem& problem,
                                              const Selection& selection) {
    const auto& rules = problem.cluster_template.constraints;
    const auto list = preference_list(problem, selection);
    const auto start = greedy_counts(rules, list, problem.machines);
    long placed = 0;
    for (const long count : start) placed += count;
    if (placed < problem.machines) return std::nullopt;
    return first_valid(rules, selection.services, list, start);
}

std::optional<ClusterLayout> any_layout(const Constraints& rules, LayoutProblem problem,
                                        int machines) {
    problem.cluster_template.constraints = rules;
    problem.machines = machines;
    const auto selection = tests::selection_of(problem);
    const auto list = preference_list(problem, selection);
    if (list.empty()) return std::nullopt;
    return first_valid(rules, selection.services, list, all_in_first_slot(list.size(), machines));
}

bool has(const std::vector<Rule>& rules, Rule::Kind kind) {
    return std::any_of(rules.begin(), rules.end(),
                       [&](const Rule& rule) { return rule.kind == kind; });
}

// Whether a layout keeps these rules, on as many machines as they leave open (6 are enough for the
// minima here).
bool can_be_kept(const RuleBook& book, const LayoutProblem& problem,
                 const std::vector<Rule>& rules) {
    const bool none_unused = has(rules, Rule::Kind::all_machines);
    const bool none_more = has(rules, Rule::Kind::only_machines);
    const auto constraints = only(book, rules);
    const bool nothing_needed =
        std::none_of(constraints.services.begin(), constraints.services.end(),
                     [](const auto& entry) { return entry.second.min > 0; });
    if (!none_unused && nothing_needed) return true;
    const int most = none_more ? book.machines : std::max(book.machines, 6);
    for (int machines = none_unused ? book.machines : 1; machines <= most; ++machines) {
        if (any_layout(constraints, problem, machines)) return true;
    }
    return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_solver_gives_the_specified_layouts_and_finds_one_where_there_is_any) {
    int specified_ones = 0;
    int further_ones = 0;
    for (unsigned seed = 0; seed < problems; ++seed) {
        BOOST_TEST_CONTEXT("seed " << seed) {
            const auto problem = tests::random_problem(seed);
            const auto& rules = problem.cluster_template.constraints;

            const auto layout = solve(problem);

            const auto specified = specified_layout(problem, tests::selection_of(problem));
            const auto expected =
                specified ? specified : any_layout(rules, problem, problem.machines);
            specified_ones += specified ? 1 : 0;
            further_ones += !specified && expected ? 1 : 0;
            BOOST_REQUIRE(layout.has_value() == expected.has_value());
            if (layout) BOOST_TEST(draw(*layout) == draw(*expected));
            if (layout)
                BOOST_TEST(is_acceptable(rules, tests::selection_of(problem).services, *layout));
        }
    }
    BOOST_TEST(specified_ones > 50);
    BOOST_TEST(further_ones > 3);
}

BOOST_AUTO_TEST_CASE(the_rules_of_a_clash_clash_and_without_any_one_of_them_do_not) {
    int clashes = 0;
    for (unsigned seed = 0; seed < problems; ++seed) {
        BOOST_TEST_CONTEXT("seed " << seed) {
            const auto problem = tests::random_problem(seed);
            if (solve(problem)) continue;
            ++clashes;
            const auto selection = tests::selection_of(problem);
            const RuleBook book{.constraints = problem.cluster_template.constraints,
                                .selection = selection,
                                .machines = problem.machines,
                                .present = problem.present};
            Budget budget(1'000'000);

            const auto clash = find_clash(book, budget);

            BOOST_TEST(clash.minimal);
            BOOST_TEST(!can_be_kept(book, problem, clash.rules));
            for (const auto& rule : clash.rules) {
                auto others = clash.rules;
                others.erase(std::find(others.begin(), others.end(), rule));
                BOOST_TEST(can_be_kept(book, problem, others));
            }
        }
    }
    BOOST_TEST(clashes > 30);
}

BOOST_AUTO_TEST_SUITE_END()
