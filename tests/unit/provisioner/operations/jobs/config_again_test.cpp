#include "provisioner/operations/jobs/config_again.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "provisioner/planner/plan.hpp"
#include "tests/support/builders.hpp"

using namespace provisioner;
using namespace provisioner::operations;
using model::Action;
using model::NodeId;
using model::TaskId;
using model::TaskState;

BOOST_AUTO_TEST_SUITE(config_again)

namespace {

/// The creation of machines with the services db and app each, planned as always and failed later.
/// app needs a running db.
struct FailedCreation {
    explicit FailedCreation(int machines = 2) {
        planner::PlanRequest request{.operation = model::Operation::cluster_create,
                                     .nodes = {},
                                     .services = {},
                                     .only_nodes = {},
                                     .only_services = {}};
        const std::vector<Action> actions{Action::install, Action::configure, Action::initialize,
                                          Action::start, Action::stop};
        services = {tests::a_service("db", actions), tests::a_service("app", actions)};
        services[0].dependencies.provides = {"sql"};
        services[1].dependencies.runtime.required = {"sql"};
        request.services = services;
        for (int i = 0; i < machines; ++i) {
            model::Node node;
            node.id = NodeId{i + 1};
            node.hostname = "m" + std::to_string(i + 1);
            nodes.push_back(node);
            request.nodes.push_back({.name = node.hostname, .services = {"app", "db"}});
        }
        const auto graph = planner::plan(request).value();
        for (std::size_t i = 0; i < graph.tasks().size(); ++i) {
            const auto& key = graph.tasks()[i];
            model::Task task;
            task.id = TaskId{static_cast<std::int64_t>(i + 1)};
            task.node = nodes[key.node].id;
            task.action = key.action;
            task.service = key.service;
            task.state = TaskState::cancelled;
            tasks.push_back(task);
            for (const std::size_t after : graph.followers(i)) {
                edges.emplace_back(task.id, TaskId{static_cast<std::int64_t>(after + 1)});
            }
        }
    }

    model::Task& task(int node, Action action, const std::string& service) {
        return *std::ranges::find_if(tasks, [&](const model::Task& one) {
            return one.node == NodeId{node} && one.action == action && one.service == service;
        });
    }

    void set(TaskState state, int node, const std::string& service,
             const std::vector<Action>& actions) {
        for (const Action action : actions) {
            task(node, action, service).state = state;
            task(node, action, service).attempt = 1;
        }
    }

    /// Everything is done that does not wait for these tasks, which failed.
    void fail_everywhere(Action action, const std::string& service) {
        std::set<TaskId> left;
        for (const model::Task& one : tasks) {
            if (one.action == action && one.service == service) left.insert(one.id);
        }
        const auto failed = left;
        for (bool grows = true; grows;) {
            grows = false;
            for (const auto& [before, after] : edges) {
                if (left.contains(before)) grows |= left.insert(after).second;
            }
        }
        for (model::Task& one : tasks) {
            if (!left.contains(one.id)) one.state = TaskState::done;
            if (failed.contains(one.id)) one.state = TaskState::failed;
            if (one.state != TaskState::cancelled) one.attempt = 1;
        }
    }

    ConfigAgain again() const { return configure_again(nodes, services, tasks, edges).value(); }

    std::string drawn(const ConfigAgain& again) const {
        std::string text;
        for (const auto& key : again.graph.tasks()) {
            text += (text.empty() ? "" : ", ") + nodes[key.node].hostname + " " +
                    base::to_word(key.action) + (key.service.empty() ? "" : " ") + key.service;
        }
        return text;
    }

    std::vector<model::Service> services;
    std::vector<model::Node> nodes;
    std::vector<model::Task> tasks;
    TaskEdges edges;
};

const std::vector<Action> all_of_service{Action::install, Action::configure, Action::initialize,
                                         Action::start};

/// Whether every remaining task comes after every new one: directly or over others.
bool all_remaining_wait(const FailedCreation& failed, const ConfigAgain& again) {
    std::set<TaskId> waiting;
    std::map<TaskId, std::size_t> direct;
    for (const auto& [before, after] : again.orders) ++direct[after];
    std::size_t last = 0;
    for (std::size_t i = 0; i < again.graph.tasks().size(); ++i) {
        last += again.graph.followers(i).empty() ? 1 : 0;
    }
    for (const auto& [after, count] : direct) {
        if (count == last) waiting.insert(after);
    }
    auto edges = failed.edges;
    edges.insert(edges.end(), again.relayed.begin(), again.relayed.end());
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (const auto& [before, after] : edges) {
            if (waiting.contains(before)) is_new |= waiting.insert(after).second;
        }
    }
    return std::ranges::all_of(failed.tasks, [&](const model::Task& task) {
        return task.state == TaskState::done || waiting.contains(task.id) ||
               std::ranges::count(again.replaced, task.id) > 0;
    });
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_started_is_restarted_and_what_was_configured_is_configured) {
    FailedCreation failed(1);
    failed.set(TaskState::done, 1, "", {Action::create, Action::confirm, Action::bootstrap});
    failed.set(TaskState::done, 1, "db", all_of_service);
    failed.set(TaskState::done, 1, "app", {Action::install, Action::configure});
    failed.set(TaskState::failed, 1, "app", {Action::initialize});

    const auto again = failed.again();

    BOOST_TEST(failed.drawn(again) ==
               "m1 bootstrap, m1 stop db, m1 configure db, m1 start db, m1 configure app");
    BOOST_TEST(all_remaining_wait(failed, again));
    // What waits for another task that remains needs no order of its own.
    BOOST_REQUIRE(again.orders.size() == 1U);
    BOOST_TEST((again.orders.front().second == failed.task(1, Action::initialize, "app").id));
    // One task at a time on the machine.
    const auto rounds = again.graph.rounds();
    BOOST_REQUIRE(rounds.has_value());
    BOOST_TEST(*rounds == (std::vector{0, 1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_service_whose_start_failed_is_stopped_before_it_is_configured) {
    FailedCreation failed(1);
    failed.set(TaskState::done, 1, "db", {Action::install, Action::configure, Action::initialize});
    failed.set(TaskState::failed, 1, "db", {Action::start});

    const auto again = failed.again();

    BOOST_TEST(failed.drawn(again) == "m1 bootstrap, m1 stop db, m1 configure db, m1 start db");
    // It would start db once more. What waits for it waits for the new tasks.
    BOOST_REQUIRE(std::ranges::count(again.replaced, failed.task(1, Action::start, "db").id) == 1);
    BOOST_TEST(all_remaining_wait(failed, again));
}

BOOST_AUTO_TEST_CASE(what_is_done_again_replaces_what_was_done_and_what_failed) {
    FailedCreation failed(1);
    failed.set(TaskState::done, 1, "", {Action::create, Action::confirm, Action::bootstrap});
    failed.set(TaskState::done, 1, "db", {Action::install, Action::configure, Action::initialize});
    failed.set(TaskState::failed, 1, "db", {Action::start});

    const auto again = failed.again();

    const std::set<TaskId> replaced(again.replaced.begin(), again.replaced.end());
    BOOST_TEST((replaced == std::set{failed.task(1, Action::bootstrap, "").id,
                                     failed.task(1, Action::configure, "db").id,
                                     failed.task(1, Action::start, "db").id}));
    // What waited for the start that failed waits for the new one.
    BOOST_TEST(!replaced.contains(failed.task(1, Action::install, "app").id));
    BOOST_TEST(all_remaining_wait(failed, again));
}

BOOST_AUTO_TEST_CASE(a_task_is_replaced_once) {
    FailedCreation failed(1);
    failed.set(TaskState::done, 1, "db", {Action::install, Action::configure});
    failed.set(TaskState::failed, 1, "db", {Action::initialize});
    model::Task& earlier = failed.task(1, Action::configure, "db");
    model::Task later = earlier;
    earlier.attempts_before = 2;
    later.id = TaskId{1000};
    failed.tasks.push_back(later);

    BOOST_TEST((failed.again().replaced == std::vector{TaskId{1000}}));
}

BOOST_AUTO_TEST_CASE(nothing_is_added_where_nothing_was_configured) {
    FailedCreation failed(2);
    failed.set(TaskState::done, 1, "", {Action::create, Action::confirm});
    failed.set(TaskState::failed, 2, "", {Action::create});

    const auto again = failed.again();

    BOOST_TEST(again.graph.tasks().empty());
    BOOST_TEST(again.orders.empty());
    BOOST_TEST(again.relayed.empty());
}

BOOST_AUTO_TEST_CASE(a_configuration_that_failed_runs_again_only_by_its_own_task) {
    FailedCreation failed(1);
    failed.set(TaskState::done, 1, "db", {Action::install});
    failed.set(TaskState::failed, 1, "db", {Action::configure});

    BOOST_TEST(failed.again().graph.tasks().empty());
}

BOOST_AUTO_TEST_CASE(the_last_configuration_of_a_service_counts) {
    FailedCreation failed(1);
    failed.set(TaskState::done, 1, "db", {Action::install, Action::configure});
    model::Task later = failed.task(1, Action::configure, "db");
    later.id = TaskId{1000};
    later.state = TaskState::failed;
    failed.tasks.push_back(later);

    BOOST_TEST(failed.again().graph.tasks().empty());
}

BOOST_AUTO_TEST_CASE(tasks_that_an_earlier_retry_has_added_are_not_added_to) {
    FailedCreation failed(1);
    failed.fail_everywhere(Action::start, "app");
    std::size_t added = 0;
    for (int retry = 0; retry < 3; ++retry) {
        const auto again = failed.again();
        for (model::Task& task : failed.tasks) {
            if (std::ranges::count(again.replaced, task.id) > 0) task.state = TaskState::done;
        }
        // Its first new task fails.
        added = again.graph.tasks().size();
        for (const auto& key : again.graph.tasks()) {
            model::Task task;
            task.id = TaskId{static_cast<std::int64_t>(failed.tasks.size() + 1)};
            task.node = failed.nodes[key.node].id;
            task.action = key.action;
            task.service = key.service;
            task.state = key.action == Action::bootstrap ? TaskState::failed : TaskState::cancelled;
            failed.tasks.push_back(task);
        }
    }

    const auto open = std::ranges::count_if(
        failed.tasks, [](const auto& task) { return task.state != TaskState::done; });
    BOOST_TEST(open == static_cast<std::ptrdiff_t>(added));
}

BOOST_AUTO_TEST_CASE(the_orders_of_a_large_creation_grow_with_its_machines_and_no_faster) {
    FailedCreation failed(100);
    failed.fail_everywhere(Action::start, "app");
    // Tasks that failed would be replaced: these were not begun.
    for (model::Task& task : failed.tasks) {
        if (task.state == TaskState::failed) task.state = TaskState::cancelled;
        if (task.state == TaskState::cancelled) task.attempt = 0;
    }

    const auto again = failed.again();

    BOOST_TEST(again.orders.size() <= 100U);
    BOOST_TEST(again.relayed.size() == 99U);
    BOOST_TEST(all_remaining_wait(failed, again));
}

BOOST_AUTO_TEST_SUITE_END()
