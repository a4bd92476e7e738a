#include "provisioner/operations/changes/unfinished.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using model::Action;
using model::Task;
using model::TaskState;
using planner::SetUpStep;

BOOST_AUTO_TEST_SUITE(unfinished_work)

namespace {

model::Node node(int number, const std::vector<std::string>& services) {
    model::Node node;
    node.id = model::NodeId{number};
    node.nodenum = number;
    node.services = services;
    return node;
}

Task task(int node, Action action, const std::string& service, TaskState state, int attempt = 1) {
    Task task;
    task.node = model::NodeId{node};
    task.action = action;
    task.service = service;
    task.state = state;
    task.attempt = attempt;
    return task;
}

}  // namespace

BOOST_AUTO_TEST_CASE(is_what_of_the_set_up_is_not_done) {
    const auto work =
        operations::unfinished_in({node(1, {"web"}), node(2, {"web"})},
                                  {task(1, Action::create, "", TaskState::done),
                                   task(1, Action::confirm, "", TaskState::done),
                                   task(1, Action::install, "web", TaskState::failed),
                                   task(1, Action::configure, "web", TaskState::cancelled, 0),
                                   task(2, Action::create, "", TaskState::done),
                                   task(2, Action::start, "web", TaskState::done)});

    BOOST_REQUIRE(work.half_made.size() == 1U);
    const auto& rest = work.half_made.at(1);
    BOOST_TEST((rest.steps == std::set<SetUpStep>{{Action::install, "web"}}));
    BOOST_TEST(rest.begun.empty());
    BOOST_TEST((work.failed == std::set<int>{1}));
}

BOOST_AUTO_TEST_CASE(knows_which_services_run_already) {
    const auto work =
        operations::unfinished_in({node(1, {"old", "tried", "new", "stopping"})},
                                  {task(1, Action::install, "new", TaskState::cancelled, 0),
                                   task(1, Action::start, "new", TaskState::cancelled, 0),
                                   task(1, Action::start, "tried", TaskState::failed),
                                   task(1, Action::stop, "stopping", TaskState::cancelled, 0)});

    const auto& rest = work.half_made.at(1);
    BOOST_TEST((rest.begun == std::set<std::string>{"stopping", "tried"}));
    // The job had nothing to do with it.
    BOOST_TEST((rest.settled == std::set<std::string>{"old"}));
}

BOOST_AUTO_TEST_CASE(knows_services_that_were_never_started) {
    const auto work =
        operations::unfinished_in({node(1, {"new"}), node(2, {"old"}), node(3, {"needed"})},
                                  {task(1, Action::configure, "new", TaskState::done),
                                   task(1, Action::start, "new", TaskState::cancelled, 0),
                                   task(2, Action::stop, "old", TaskState::done),
                                   task(2, Action::configure, "old", TaskState::done),
                                   task(2, Action::start, "old", TaskState::cancelled, 0),
                                   // It runs, and is only started in case it does not.
                                   task(3, Action::start, "needed", TaskState::cancelled, 0)});

    BOOST_REQUIRE(work.half_made.size() == 1U);
    BOOST_TEST(work.half_made.at(1).steps.empty());
    BOOST_TEST(work.half_made.at(1).begun.empty());
}

BOOST_AUTO_TEST_CASE(a_first_start_that_failed_is_left_and_follows_a_stop) {
    const auto work = operations::unfinished_in(
        {node(1, {"old", "new"})}, {task(1, Action::install, "new", TaskState::done),
                                    task(1, Action::configure, "new", TaskState::done),
                                    task(1, Action::start, "new", TaskState::failed, 3)});

    BOOST_REQUIRE(work.half_made.size() == 1U);
    const auto& rest = work.half_made.at(1);
    BOOST_TEST(rest.steps.empty());
    BOOST_TEST((rest.begun == std::set<std::string>{"new"}));
    BOOST_TEST((rest.settled == std::set<std::string>{"old"}));
}

BOOST_AUTO_TEST_CASE(knows_services_that_the_job_has_not_restarted_or_configured) {
    const auto work =
        operations::unfinished_in({node(1, {"down", "told", "peer", "needed"})},
                                  {task(1, Action::stop, "down", TaskState::done),
                                   task(1, Action::configure, "down", TaskState::failed),
                                   task(1, Action::start, "down", TaskState::cancelled, 0),
                                   task(1, Action::stop, "told", TaskState::done),
                                   task(1, Action::start, "told", TaskState::done),
                                   task(1, Action::configure, "peer", TaskState::cancelled, 0),
                                   task(1, Action::start, "needed", TaskState::cancelled, 0)});

    BOOST_TEST((work.to_restart == std::set<std::string>{"down"}));
    BOOST_TEST((work.to_configure == std::set<std::string>{"peer"}));
    BOOST_TEST(work.half_made.empty());
}

BOOST_AUTO_TEST_CASE(knows_the_machines_that_no_job_has_set_up) {
    auto old = node(1, {"web"});
    old.was_set_up = true;
    auto leaving = node(3, {"web"});
    leaving.leaves = true;

    // The job does nothing with the second one.
    const auto work = operations::unfinished_in(
        {old, node(2, {"web"}), leaving}, {task(1, Action::start, "web", TaskState::cancelled, 0)});

    BOOST_TEST((work.new_ones == std::set<int>{2}));
    BOOST_TEST(work.failed.empty());
}

BOOST_AUTO_TEST_CASE(knows_what_is_left_of_services_that_should_be_gone) {
    const auto work =
        operations::unfinished_in({node(1, {"web"}), node(2, {"web"})},
                                  {task(1, Action::stop, "agent", TaskState::failed),
                                   task(1, Action::remove, "agent", TaskState::cancelled, 0),
                                   task(2, Action::stop, "agent", TaskState::done),
                                   task(2, Action::remove, "agent", TaskState::cancelled, 0),
                                   task(2, Action::stop, "web", TaskState::cancelled, 0)});

    BOOST_TEST((work.left_behind.at(1).at("agent") == std::set{Action::stop, Action::remove}));
    BOOST_TEST((work.left_behind.at(2).at("agent") == std::set{Action::remove}));
    BOOST_TEST(work.left_behind.at(2).size() == 1U, "what a machine has is not to be removed");
    BOOST_TEST((work.to_restart == std::set<std::string>{"web"}));
    // The machine itself serves.
    BOOST_TEST(work.failed.empty());
    BOOST_TEST(work.half_made.empty());
}

BOOST_AUTO_TEST_CASE(knows_services_that_were_being_restarted_on_a_half_made_machine) {
    const auto work = operations::unfinished_in(
        {node(1, {"old", "new"})}, {task(1, Action::install, "new", TaskState::failed),
                                    task(1, Action::stop, "old", TaskState::cancelled, 0),
                                    task(1, Action::configure, "old", TaskState::cancelled, 0),
                                    task(1, Action::start, "old", TaskState::cancelled, 0)});

    BOOST_TEST(work.half_made.contains(1));
    BOOST_TEST((work.served.at(1) == std::set<std::string>{"old"}));
}

BOOST_AUTO_TEST_CASE(after_an_addition_of_services_the_others_are_known) {
    model::Cluster cluster;
    cluster.status = model::ClusterStatus::inconsistent;
    model::Job job;
    job.operation = model::Operation::restart_services;
    BOOST_TEST(operations::are_services_unknown(cluster, job));
    job.operation = model::Operation::add_services;
    BOOST_TEST(!operations::are_services_unknown(cluster, job));
    job.operation = model::Operation::remove_services;
    BOOST_TEST(!operations::are_services_unknown(cluster, job));
    cluster.status = model::ClusterStatus::active;
    job.operation = model::Operation::restart_services;
    BOOST_TEST(!operations::are_services_unknown(cluster, job));
}

BOOST_AUTO_TEST_CASE(leaves_out_machines_that_are_being_removed) {
    auto leaving = node(1, {"web"});
    leaving.leaves = true;

    const auto work = operations::unfinished_in(
        {leaving}, {task(1, Action::create, "", TaskState::cancelled, 0),
                    task(1, Action::delete_machine, "", TaskState::failed)});

    BOOST_TEST(work.half_made.empty());
    BOOST_TEST(work.failed.empty());
}

BOOST_AUTO_TEST_SUITE_END()
