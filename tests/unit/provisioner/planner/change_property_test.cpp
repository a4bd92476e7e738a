#include <boost/test/unit_test.hpp>
#include <set>

#include "provisioner/planner/change.hpp"
#include "provisioner/planner/dependency_relation.hpp"
#include "tests/support/drawing.hpp"
#include "tests/unit/provisioner/planner/random_cases.hpp"

using namespace provisioner::model;
using namespace provisioner::planner;
using namespace tests;

namespace {

ChangeRequest random_change(unsigned seed) {
    Dice dice(seed);
    ChangeRequest request;
    request.services = random_services(dice);
    std::vector<std::string> names;
    for (const Service& service : request.services) names.push_back(service.header.name);
    const std::size_t count = 1 + dice.below(6);
    for (std::size_t at = 0; at < count; ++at) {
        ChangedNode node;
        node.name = "n" + std::to_string(at + 1);
        node.membership = static_cast<Membership>(dice.below(5));
        for (const std::string& name : dice.some(names, 2)) {
            const bool leaves = node.membership == Membership::stays && dice.one_in(4);
            if (leaves) node.leaving[name] = {Action::stop, Action::remove};
            if (!leaves) node.services.push_back(name);
        }
        request.nodes.push_back(std::move(node));
    }
    request.restart = !dice.one_in(4);
    request.reconfigure_all = dice.one_in(3);
    return request;
}

/// Everything that is done before each task, directly or through others.
std::vector<std::set<std::size_t>> everything_before(const TaskGraph& graph) {
    const auto rounds = *graph.rounds();
    std::vector<std::size_t> in_order(rounds.size());
    for (std::size_t at = 0; at < in_order.size(); ++at) in_order[at] = at;
    std::ranges::sort(in_order, {}, [&](std::size_t task) { return rounds[task]; });
    std::vector<std::set<std::size_t>> before(rounds.size());
    for (const std::size_t task : in_order) {
        for (const std::size_t after : graph.followers(task)) {
            before[after].insert(before[task].begin(), before[task].end());
            before[after].insert(task);
        }
    }
    return before;
}

bool is_on(const std::vector<std::string>& services, const std::string& name) {
    return std::ranges::find(services, name) != services.end();
}

/// What is wrong with the tasks of a node, by what becomes of it.
std::string fault_of_node(const ChangedNode& node, const std::vector<TaskKey>& tasks) {
    const auto count = [&](Action action) {
        return std::ranges::count(tasks, action, &TaskKey::action);
    };
    const bool goes =
        node.membership == Membership::leaves || node.membership == Membership::dropped;
    const bool comes = node.membership == Membership::joins;
    if (count(Action::delete_machine) != (goes ? 1 : 0)) return node.name + " is not deleted once";
    if (node.membership == Membership::dropped && tasks.size() != 1)
        return node.name + " is lost and worked on";
    for (const Action action : {Action::create, Action::confirm, Action::bootstrap}) {
        if (count(action) != (comes ? 1 : 0)) return node.name + " is not made once";
    }
    for (const TaskKey& task : tasks) {
        const bool ends = task.action == Action::stop || task.action == Action::remove;
        if (task.service.empty()) continue;
        if (node.membership == Membership::leaves && task.action != Action::stop)
            return node.name + " is told";
        if (!ends && node.leaving.contains(task.service))
            return task.service + " leaves and is told";
        if (comes && ends) return node.name + " comes and is stopped";
    }
    return "";
}

/// What is wrong when `one` is not done before `other`; empty if nothing is.
std::string fault_of_order(const ChangeRequest& request, const DependencyRelation& needs,
                           const TaskKey& one, const TaskKey& other) {
    const ChangedNode& from = request.nodes[one.node];
    const ChangedNode& to = request.nodes[other.node];
    const bool both =
        !one.service.empty() && !other.service.empty() && one.service != other.service;
    const bool ready_then_told = both && needs.needs(other.service, one.service) &&
                                 from.membership == Membership::joins &&
                                 to.membership == Membership::stays &&
                                 one.action == Action::start && other.action == Action::configure;
    if (ready_then_told) return "told before it is ready";
    const bool leaves = to.membership == Membership::leaves || to.leaving.contains(other.service);
    const bool told_then_stopped = both && needs.needs(one.service, other.service) &&
                                   from.membership == Membership::stays && leaves &&
                                   !from.leaving.contains(one.service) &&
                                   other.action == Action::stop && one.action == Action::configure;
    if (told_then_stopped) return "stopped before who needs it was told";
    const bool addressed = one.action == Action::confirm && !other.service.empty();
    return addressed ? "a service before an address" : "";
}

std::string fault_of(const ChangeRequest& request, const TaskGraph& graph) {
    const auto& tasks = graph.tasks();
    for (std::size_t node = 0; node < request.nodes.size(); ++node) {
        std::vector<TaskKey> here;
        std::ranges::copy_if(tasks, std::back_inserter(here),
                             [&](const TaskKey& task) { return task.node == node; });
        const auto fault = fault_of_node(request.nodes[node], here);
        if (!fault.empty()) return fault;
    }
    std::vector<const Service*> services;
    for (const Service& service : request.services) {
        const auto there = [&](const ChangedNode& node) {
            return is_on(node.services, service.header.name) ||
                   node.leaving.contains(service.header.name);
        };
        if (std::ranges::any_of(request.nodes, there)) services.push_back(&service);
    }
    const DependencyRelation needs(services, DependencyKind::runtime);
    const auto before = everything_before(graph);
    for (std::size_t other = 0; other < tasks.size(); ++other) {
        for (std::size_t one = 0; one < tasks.size(); ++one) {
            const bool same_node = tasks[one].node == tasks[other].node && one != other;
            if (same_node && !before[one].contains(other) && !before[other].contains(one)) {
                return "two tasks at once on a node";
            }
            const auto fault = fault_of_order(request, needs, tasks[one], tasks[other]);
            if (!fault.empty() && !before[other].contains(one)) return fault;
        }
    }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_changes_are_planned_and_keep_their_orders) {
    for (unsigned seed = 1; seed <= 3000; ++seed) {
        const auto request = random_change(seed);
        const auto graph = plan_change(request);

        BOOST_TEST_INFO("seed " << seed);
        BOOST_REQUIRE(graph.has_value());
        BOOST_TEST_INFO("seed " << seed << "\n" << draw(*graph));
        BOOST_REQUIRE_EQUAL(fault_of(request, *graph), "");
    }
}

namespace {

/// The same with some nodes that join as nodes that resume, on which everything is done that comes
/// before a random step.
ChangeRequest half_done(const ChangeRequest& whole, const TaskGraph& graph, unsigned seed) {
    Dice dice(seed);
    ChangeRequest request = whole;
    for (ChangedNode& node : request.nodes) {
        if (node.membership == Membership::joins) node.membership = Membership::resumes;
    }
    for (const TaskKey& task : graph.tasks()) {
        if (request.nodes[task.node].membership != Membership::stays) continue;
        if (request.nodes[task.node].leaving.contains(task.service)) continue;
        const auto service = std::ranges::find(request.services, task.service,
                                               [](const Service& one) { return one.header.name; });
        const auto has = [&](Action action) {
            return service != request.services.end() && service->actions.contains(action);
        };
        // What cannot be stopped is configured and started, or only started.
        const Action first = has(Action::configure) ? Action::configure : Action::start;
        const bool is_started_again = !has(Action::stop) && task.action == first &&
                                      graph.find({task.node, Action::start, task.service});
        if (task.action == Action::stop || is_started_again) {
            request.also_restarted.insert(task.service);
        }
        if (task.action == Action::configure) request.also_configured.insert(task.service);
    }
    const auto before = everything_before(graph);
    std::vector<bool> is_left(graph.tasks().size(), false);
    for (std::size_t task = 0; task < is_left.size(); ++task) is_left[task] = dice.one_in(4);
    for (std::size_t task = 0; task < is_left.size(); ++task) {
        // Nothing is done whose predecessors are not.
        const bool waits = std::ranges::any_of(
            before[task], [&](const std::size_t earlier) { return is_left[earlier]; });
        const TaskKey& key = graph.tasks()[task];
        ChangedNode& node = request.nodes[key.node];
        if (node.membership != Membership::resumes || !is_set_up(key.action)) continue;
        if (is_left[task] || waits) node.rest.steps.emplace(key.action, key.service);
    }
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_left_of_random_changes_keeps_the_orders_of_the_whole) {
    for (unsigned seed = 1; seed <= 1000; ++seed) {
        const auto request = random_change(seed);
        const auto whole = plan_change_dependencies(request);
        if (!whole) continue;

        const auto rest = plan_change_dependencies(half_done(request, *whole, seed));

        BOOST_REQUIRE(rest);
        const auto in_whole = everything_before(*whole);
        const auto in_rest = everything_before(*rest);
        for (std::size_t task = 0; task < rest->tasks().size(); ++task) {
            const auto same = whole->find(rest->tasks()[task]);
            BOOST_REQUIRE(same);
            for (const std::size_t earlier : in_whole[*same]) {
                const auto kept = rest->find(whole->tasks()[earlier]);
                if (kept) BOOST_TEST(in_rest[task].contains(*kept), "seed " << seed);
            }
        }
    }
}
