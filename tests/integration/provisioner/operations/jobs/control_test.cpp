#include "provisioner/operations/jobs/control.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/jobs/task_list.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using model::ClusterStatus;
using model::JobStatus;
using model::TaskState;

BOOST_AUTO_TEST_SUITE(control_job)

namespace {

struct Site : tests::ClusterSite {
    using ClusterSite::ClusterSite;

    operations::Result<void> pause() {
        return operations::pause_job(fresh.database, caller, cluster);
    }
    operations::Result<void> resume() {
        return operations::resume_job(fresh.database, caller, cluster);
    }
    operations::Result<void> abort() {
        return operations::abort_job(fresh.database, caller, cluster);
    }
    operations::Result<void> retry() {
        return operations::retry_job(fresh.database, caller, cluster);
    }

    operations::Result<void> retry_machines(const std::vector<std::string>& nodes) {
        return operations::retry_machines(fresh.database, caller, cluster, nodes);
    }

    std::string number_of(model::NodeId id) {
        const auto nodes = fresh.database.read(
            [&](store::Connection& connection) { return store::nodes_of(connection, cluster); });
        for (const auto& node : nodes) {
            if (node.id == id) return std::to_string(node.nodenum);
        }
        return "";
    }

    int number(const std::string& statement) {
        return fresh.database.read([&](store::Connection& connection) {
            store::Rows row = connection.sql(statement.c_str()) << store::one_row;
            return row.get<int>("n");
        });
    }

    /// How many tasks of the latest job are in that state.
    int count(TaskState state) {
        const auto all = tasks();
        return static_cast<int>(
            std::ranges::count(all, state, [](const model::Task& task) { return task.state; }));
    }

    JobStatus job_status() { return summary().latest_job->status; }
};

/// Lets the machines be made; of the first work on nodes one task is claimed.
queue::Claim claim_a_step(Site& site) {
    while (true) {
        const auto claims = site.claim(1);
        BOOST_REQUIRE(claims.size() == 1);
        const bool is_step = claims.front().action != model::Action::create &&
                             claims.front().action != model::Action::confirm;
        if (is_step) return claims.front();
        site.finish(claims.front(), queue::Succeeded{});
    }
}

std::string why(const operations::Result<void>& result) {
    return result ? "accepted" : result.error().problems.front().message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_paused_job_lets_what_runs_end_and_begins_nothing_more) {
    Site site;
    const auto running = site.claim(1);
    BOOST_REQUIRE(running.size() == 1);

    BOOST_REQUIRE(site.pause().has_value());
    BOOST_TEST(site.claim().empty());
    site.finish(running.front(), queue::Succeeded{});

    BOOST_TEST(site.claim().empty());
    BOOST_TEST(site.count(TaskState::done) == 1);
    BOOST_TEST((site.job_status() == JobStatus::paused));
    BOOST_TEST(site.summary().latest_job->message == "Paused by user.");
    BOOST_TEST((site.summary().status == ClusterStatus::pending));
    BOOST_TEST(!site.queue.next_due().has_value());
}

BOOST_AUTO_TEST_CASE(a_resumed_job_goes_on_where_it_was_and_ends_well) {
    Site site;
    const auto running = site.claim(1);
    BOOST_REQUIRE(site.pause().has_value());
    // Neither a wait nor a retry nor a lost worker lets anything through meanwhile.
    site.finish(running.front(), tests::a_failure(0ms));
    BOOST_TEST(site.claim().empty());

    BOOST_REQUIRE(site.resume().has_value());
    BOOST_TEST(site.summary().latest_job->message == "Resumed by user.");
    const auto total = site.tasks().size();
    BOOST_TEST(site.succeed_all() == static_cast<int>(total));

    BOOST_TEST((site.summary().status == ClusterStatus::active));
    BOOST_TEST(site.summary().message.empty());
}

BOOST_AUTO_TEST_CASE(tasks_of_a_lost_worker_stay_out_of_the_queue_of_a_paused_job) {
    Site site;
    BOOST_REQUIRE(site.claim(2).size() == 2);
    BOOST_REQUIRE(site.pause().has_value());

    BOOST_TEST(site.queue.rescue({"w", "w/2"}) == 2);

    BOOST_TEST(site.claim().empty());
    BOOST_REQUIRE(site.resume().has_value());
    BOOST_TEST(site.claim().size() == 3);
}

BOOST_AUTO_TEST_CASE(pause_and_resume_do_nothing_where_there_is_nothing_to_do) {
    Site site;
    BOOST_TEST(site.resume().has_value());
    site.succeed_all();

    BOOST_TEST(site.pause().has_value());
    BOOST_TEST((site.job_status() == JobStatus::complete));
    BOOST_TEST(why(operations::pause_job(site.fresh.database, site.caller, model::ClusterId{99})) ==
               "cluster 00000099 not found.");
}

BOOST_AUTO_TEST_CASE(an_abort_before_anything_began_ends_at_once_and_leaves_nothing) {
    Site site;

    BOOST_REQUIRE(site.abort().has_value());

    BOOST_TEST((site.summary().status == ClusterStatus::terminated));
    BOOST_TEST(site.summary().message == "Aborted by user.");
    BOOST_TEST((site.job_status() == JobStatus::failed));
    BOOST_TEST(site.count(TaskState::cancelled) == static_cast<int>(site.tasks().size()));
    BOOST_TEST(site.claim().empty());
}

BOOST_AUTO_TEST_CASE(an_abort_waits_for_the_results_of_what_runs_and_keeps_them) {
    Site site;
    const auto running = site.claim(2);
    BOOST_REQUIRE(running.size() == 2);
    const model::JobId job = running[0].job;
    BOOST_TEST(site.queue.aborted({job}).empty());

    BOOST_REQUIRE(site.abort().has_value());
    BOOST_TEST((site.queue.aborted({job, model::JobId{999'999}}) == std::set{job}));
    BOOST_TEST((site.summary().status == ClusterStatus::pending));
    BOOST_TEST(site.claim().empty());
    queue::Succeeded made;
    made.facts = {{"providerid", "vm-1"}};
    site.finish(running[0], made);
    BOOST_TEST((site.summary().status == ClusterStatus::pending));
    site.finish(running[1], tests::a_failure(0ms));

    BOOST_TEST((site.summary().status == ClusterStatus::incomplete));
    BOOST_TEST(site.summary().message == "Aborted by user.");
    BOOST_TEST(site.count(TaskState::done) == 1);
    BOOST_TEST(site.claim().empty());
}

BOOST_AUTO_TEST_CASE(a_machine_that_may_have_been_made_is_not_forgotten_by_an_abort) {
    Site site;
    const auto running = site.claim(1);
    BOOST_REQUIRE(site.abort().has_value());

    // The provider did not answer: nobody knows whether there is a machine.
    site.finish(running.front(), queue::Waiting{.poll_in = 0ms, .reason = "no answer"});

    BOOST_TEST((site.summary().status == ClusterStatus::incomplete));
}

BOOST_AUTO_TEST_CASE(an_abort_also_ends_a_paused_job_and_one_whose_worker_is_lost) {
    Site site;
    BOOST_REQUIRE(site.claim(1).size() == 1);
    BOOST_REQUIRE(site.pause().has_value());
    BOOST_REQUIRE(site.abort().has_value());
    BOOST_TEST((site.summary().status == ClusterStatus::pending));

    BOOST_TEST(site.queue.rescue({"w", "w/2"}) == 1);

    BOOST_TEST((site.summary().status == ClusterStatus::incomplete));
    BOOST_TEST(site.claim().empty());
}

BOOST_AUTO_TEST_CASE(a_step_that_nobody_follows_at_an_abort_gets_a_turn_to_be_stopped) {
    for (const bool paused : {false, true}) {
        Site site;
        const queue::Claim step = claim_a_step(site);
        site.finish(step, queue::Waiting{.poll_in = 1h, .reason = "the connection broke"});
        if (paused) BOOST_REQUIRE(site.pause().has_value());

        BOOST_REQUIRE(site.abort().has_value());
        BOOST_TEST((site.job_status() == JobStatus::running));
        const auto again = site.claim();
        BOOST_REQUIRE(again.size() == 1);
        BOOST_TEST(again.front().aborted);
        BOOST_TEST((again.front().task == step.task));
        BOOST_TEST(again.front().attempt == step.attempt);
        // The node is away for longer: another turn, but not another attempt.
        site.finish(again.front(), queue::Waiting{.poll_in = 0ms, .reason = "no route"});
        BOOST_TEST((site.job_status() == JobStatus::running));
        const auto last = site.claim();
        BOOST_REQUIRE(last.size() == 1);
        site.finish(last.front(), tests::a_failure(0ms));

        BOOST_TEST((site.job_status() == JobStatus::failed));
        BOOST_TEST(site.claim().empty());
    }
}

BOOST_AUTO_TEST_CASE(a_step_of_a_worker_lost_before_an_abort_gets_a_turn_to_be_stopped) {
    Site site;
    const queue::Claim step = claim_a_step(site);
    BOOST_REQUIRE(site.abort().has_value());

    BOOST_REQUIRE(site.queue.rescue({"w", "w/2"}) == 1);

    BOOST_TEST((site.job_status() == JobStatus::running));
    const auto again = site.claim();
    BOOST_REQUIRE(again.size() == 1);
    BOOST_TEST(again.front().aborted);
    BOOST_TEST(again.front().attempt == step.attempt);
    site.finish(again.front(), tests::a_failure(std::nullopt));
    BOOST_TEST((site.job_status() == JobStatus::failed));
}

BOOST_AUTO_TEST_CASE(a_deletion_cannot_be_aborted_and_a_settled_cluster_needs_no_abort) {
    Site site;
    site.succeed_all();
    BOOST_TEST(site.abort().has_value());
    BOOST_TEST((site.summary().status == ClusterStatus::active));
    operations::delete_cluster(site.fresh.database, site.caller, site.cluster, site.now);

    BOOST_TEST(why(site.abort()) == "Cannot be aborted at this time.");
}

BOOST_AUTO_TEST_CASE(the_failed_part_of_a_job_runs_again_and_what_was_done_does_not) {
    Site site;
    // Two machines are made, the third fails for good.
    const auto creates = site.claim(3);
    site.finish(creates[0], queue::Succeeded{});
    site.finish(creates[1], queue::Succeeded{});
    site.finish(creates[2], tests::a_failure(std::nullopt));
    BOOST_REQUIRE((site.summary().status == ClusterStatus::incomplete));
    const int total = static_cast<int>(site.tasks().size());

    BOOST_REQUIRE(site.retry().has_value());

    BOOST_TEST((site.summary().status == ClusterStatus::pending));
    BOOST_TEST((site.job_status() == JobStatus::running));
    BOOST_TEST(site.count(TaskState::done) == 2);
    // The failed create and the confirms of the two machines that are there.
    BOOST_TEST(site.count(TaskState::ready) == 3);
    const auto again = site.claim();
    for (const auto& claim : again) {
        if (claim.task != creates[2].task) continue;
        BOOST_TEST(claim.attempt == 2);
        BOOST_TEST(claim.tries() == 1);
    }
    for (const auto& claim : again) site.finish(claim, queue::Succeeded{});
    BOOST_TEST(site.succeed_all() == total - 2 - 3);
    BOOST_TEST((site.summary().status == ClusterStatus::active));
    BOOST_TEST(site.summary().message.empty());
    BOOST_TEST(site.summary().latest_job->tasks_done == total);
}

BOOST_AUTO_TEST_CASE(a_retried_task_is_timed_from_its_retry) {
    Site site;
    const auto claims = site.claim(1);
    BOOST_REQUIRE(claims.size() == 1);
    site.finish(claims[0], tests::a_failure(std::nullopt));
    const auto failed_one = [&] {
        const auto tasks = site.tasks();
        return *std::ranges::find(tasks, claims[0].task, &model::Task::id);
    };
    const auto before = failed_one().started_at;
    BOOST_REQUIRE(before.has_value());

    BOOST_REQUIRE(site.retry().has_value());

    BOOST_TEST(!failed_one().started_at.has_value());
    site.claim(10);
    BOOST_REQUIRE(failed_one().started_at.has_value());
    BOOST_TEST((*failed_one().started_at > *before));
}

BOOST_AUTO_TEST_CASE(a_creation_is_retried_with_another_configuration) {
    Site site;
    // Until something is started on one machine.
    queue::Claim start;
    for (bool found = false; !found;) {
        for (const auto& claim : site.claim()) {
            found = claim.action == model::Action::start && claim.service == "db";
            if (found) start = claim;
            if (!found) site.finish(claim, queue::Succeeded{});
        }
    }
    site.finish(start, tests::a_failure(std::nullopt, 78));
    BOOST_REQUIRE((site.summary().status == ClusterStatus::incomplete));
    const auto before = site.tasks();

    BOOST_REQUIRE(
        operations::retry_creation(site.fresh.database, site.caller, site.cluster, {{"port", 8080}})
            .has_value());

    BOOST_TEST((site.details().config == base::Json{{"port", 8080}}));
    BOOST_TEST((site.summary().status == ClusterStatus::pending));
    // Bootstrap, and start: the fixture's service has no other actions. The new ones take the place
    // of those before.
    const auto after = site.tasks();
    BOOST_REQUIRE(after.size() == before.size() + 2);
    const auto total = static_cast<int>(before.size());
    BOOST_TEST(site.summary().latest_job->tasks_total == total);
    BOOST_TEST(std::ranges::count_if(after, &model::Task::is_replaced) == 2);
    site.fresh.database.read([&](store::Connection& connection) {
        const auto job = site.summary().latest_job->id;
        BOOST_TEST(store::failed_tasks_of(connection, job).empty());
        BOOST_TEST(store::shown_tasks_of(connection, job).size() == before.size());
        BOOST_TEST(store::count_listed_tasks(connection, job, {}) == total);
        const store::TaskFilter replaced{.is_replaced = true};
        BOOST_TEST(store::count_listed_tasks(connection, job, replaced) == 2);
        // Its attempt tells that it failed.
        const auto listed = store::list_tasks(connection, job, replaced, 10, 0);
        BOOST_TEST(std::ranges::count(listed, TaskState::failed,
                                      [](const auto& one) { return one.task.state; }) == 1);
        int counted = 0;
        for (const auto& kind : store::kinds_of_job(connection, job)) counted += kind.tasks;
        BOOST_TEST(counted == total);
        int on_machines = 0;
        int replaced_on_machines = 0;
        for (const auto& machine : store::machines_of_job(connection, job)) {
            on_machines += machine.tasks;
            replaced_on_machines += machine.replaced;
        }
        BOOST_TEST(replaced_on_machines == 2);
        BOOST_TEST(on_machines == total);
    });
    const auto first = site.claim();
    BOOST_REQUIRE(first.size() == 1);
    BOOST_TEST((first.front().node == start.node));
    BOOST_TEST((first.front().action == model::Action::bootstrap));
    site.finish(first.front(), queue::Succeeded{});
    site.succeed_all();
    BOOST_TEST((site.summary().status == ClusterStatus::active));
    BOOST_TEST(site.summary().latest_job->tasks_done == total);
    BOOST_TEST(site.last_audited("cluster.configure").at("config").at("port") == 8080);
}

BOOST_AUTO_TEST_CASE(a_failure_before_a_retry_is_none_of_the_retry) {
    Site site;
    const auto creates = site.claim(3);
    site.finish(creates[0], tests::a_failure(std::nullopt));
    site.finish(creates[1], tests::a_failure(std::nullopt));
    site.finish(creates[2], queue::Succeeded{});
    BOOST_REQUIRE(site.retry().has_value());
    const auto again = site.claim(1);
    BOOST_REQUIRE(again.size() == 1);

    site.finish(again[0], tests::a_failure(std::nullopt));

    // The other one was cancelled before it was tried once more.
    const auto failed = site.fresh.database.read([&](store::Connection& connection) {
        return store::failed_tasks_of(connection, site.summary().latest_job->id);
    });
    BOOST_REQUIRE(failed.size() == 1U);
    BOOST_TEST((failed.front().id == again[0].task));
    BOOST_TEST(failed.front().attempts_before == 1);
}

BOOST_AUTO_TEST_CASE(each_service_is_started_once_however_often_its_creation_is_retried) {
    Site site;
    // Lets everything succeed but the first start of db on one machine; counts starts.
    const auto run = [&](bool fails) {
        std::map<std::pair<model::NodeId, std::string>, int> starts;
        for (auto claims = site.claim(); !claims.empty(); claims = site.claim()) {
            for (const auto& claim : claims) {
                const bool is_start = claim.action == model::Action::start;
                if (is_start) ++starts[{claim.node, claim.service}];
                const bool is_broken = fails && is_start && claim.service == "db";
                if (is_broken) site.finish(claim, tests::a_failure(std::nullopt, 78));
                if (!is_broken) site.finish(claim, queue::Succeeded{});
            }
        }
        return starts;
    };
    const auto retry = [&](int port) {
        return operations::retry_creation(site.fresh.database, site.caller, site.cluster,
                                          {{"port", port}});
    };
    run(true);
    BOOST_REQUIRE(retry(1).has_value());
    run(true);
    BOOST_REQUIRE(retry(2).has_value());

    const auto starts = run(false);

    BOOST_TEST(!starts.empty());
    for (const auto& [service, times] : starts) BOOST_TEST(times == 1);
    BOOST_TEST((site.summary().status == ClusterStatus::active));
    const auto& job = site.summary().latest_job;
    BOOST_TEST(job->tasks_done == job->tasks_total);
}

BOOST_AUTO_TEST_CASE(only_a_creation_that_failed_is_retried_with_another_configuration) {
    Site site;
    const auto retry = [&] {
        return operations::retry_creation(site.fresh.database, site.caller, site.cluster,
                                          {{"port", 8080}});
    };
    BOOST_TEST(!retry().has_value());
    site.succeed_all();
    BOOST_TEST(!retry().has_value());
    BOOST_TEST(site.details().config.empty());
}

BOOST_AUTO_TEST_CASE(one_machine_is_retried_and_the_job_fails_again_for_the_others) {
    Site site;
    const auto creates = site.claim(3);
    site.finish(creates[0], queue::Succeeded{});
    site.finish(creates[1], tests::a_failure(std::nullopt));
    site.finish(creates[2], tests::a_failure(std::nullopt));
    BOOST_REQUIRE((site.job_status() == JobStatus::failed));
    const int total = static_cast<int>(site.tasks().size());

    BOOST_REQUIRE(site.retry_machines({site.number_of(creates[1].node)}).has_value());

    BOOST_TEST((site.summary().status == ClusterStatus::pending));
    BOOST_TEST(site.count(TaskState::ready) == 1);
    BOOST_TEST(site.count(TaskState::failed) == 1);
    BOOST_TEST(site.last_audited("cluster.retry").at("machines").size() == 1U);
    const auto again = site.claim();
    BOOST_REQUIRE(again.size() == 1);
    BOOST_TEST((again.front().task == creates[1].task));
    site.finish(again.front(), queue::Succeeded{});
    BOOST_TEST(site.succeed_all() > 0);

    // What could be done without the third machine is done, and nothing of the third.
    BOOST_TEST((site.job_status() == JobStatus::failed));
    BOOST_TEST((site.summary().status == ClusterStatus::incomplete));
    BOOST_TEST(site.count(TaskState::failed) == 1);
    BOOST_TEST(site.count(TaskState::blocked) + site.count(TaskState::ready) == 0);
    BOOST_TEST(site.number("SELECT tasks_failed AS n FROM job ORDER BY id DESC LIMIT 1") == 1);
    BOOST_TEST(site.number("SELECT tasks_left AS n FROM job ORDER BY id DESC LIMIT 1") ==
               total - site.summary().latest_job->tasks_done);
    for (const auto& task : site.tasks()) {
        if (task.node == creates[2].node) BOOST_TEST((task.state != TaskState::done));
    }

    BOOST_REQUIRE(site.retry().has_value());
    site.succeed_all();
    BOOST_TEST((site.summary().status == ClusterStatus::active));
    BOOST_TEST(site.summary().latest_job->tasks_done == total);
    BOOST_TEST(site.number("SELECT tasks_left AS n FROM job ORDER BY id DESC LIMIT 1") == 0);
}

BOOST_AUTO_TEST_CASE(what_failed_and_was_not_retried_is_still_why_the_job_failed) {
    Site site;
    const auto creates = site.claim(3);
    site.finish(creates[0], queue::Succeeded{});
    // Would have been tried again, had not the other one ended the job.
    site.finish(creates[1], tests::a_failure(1h));
    site.finish(creates[2], tests::a_failure(std::nullopt));
    BOOST_TEST(site.count(TaskState::failed) == 1);

    BOOST_REQUIRE(site.retry_machines({site.number_of(creates[2].node)}).has_value());
    site.succeed_all();

    BOOST_TEST((site.job_status() == JobStatus::failed));
    BOOST_TEST(site.count(TaskState::failed) == 0);
    BOOST_TEST(site.summary().latest_job->message.starts_with("create on "),
               site.summary().latest_job->message);
}

BOOST_AUTO_TEST_CASE(a_retry_of_all_machines_that_lack_something_ends_well) {
    Site site;
    const auto creates = site.claim(3);
    site.finish(creates[0], queue::Succeeded{});
    site.finish(creates[1], tests::a_failure(std::nullopt));
    site.finish(creates[2], queue::Succeeded{});
    std::vector<std::string> all;
    for (const auto& create : creates) all.push_back(site.number_of(create.node));

    BOOST_REQUIRE(site.retry_machines(all).has_value());
    site.succeed_all();

    BOOST_TEST((site.summary().status == ClusterStatus::active));
}

BOOST_AUTO_TEST_CASE(a_retried_machine_that_fails_again_ends_the_job_and_counts_all_failures) {
    Site site;
    const auto creates = site.claim(3);
    site.finish(creates[0], queue::Succeeded{});
    site.finish(creates[1], tests::a_failure(std::nullopt));
    site.finish(creates[2], tests::a_failure(std::nullopt));
    BOOST_REQUIRE(site.retry_machines({site.number_of(creates[1].node)}).has_value());

    site.finish(site.claim(1).front(), tests::a_failure(std::nullopt));

    BOOST_TEST((site.job_status() == JobStatus::failed));
    BOOST_TEST(site.number("SELECT tasks_failed AS n FROM job ORDER BY id DESC LIMIT 1") == 2);
    BOOST_TEST(site.summary().latest_job->message.ends_with("(and 1 more)"));
}

BOOST_AUTO_TEST_CASE(a_retry_of_one_machine_can_be_paused_aborted_and_retried) {
    Site site;
    const auto creates = site.claim(3);
    for (const auto& create : creates) site.finish(create, tests::a_failure(std::nullopt, 300));
    BOOST_REQUIRE((site.summary().status == ClusterStatus::incomplete));
    const std::vector<std::string> one{site.number_of(creates[0].node)};
    BOOST_REQUIRE(site.retry_machines(one).has_value());
    BOOST_REQUIRE(site.pause().has_value());
    BOOST_TEST(site.claim().empty());
    BOOST_REQUIRE(site.resume().has_value());
    BOOST_REQUIRE(site.abort().has_value());
    BOOST_TEST((site.job_status() == JobStatus::failed));
    BOOST_TEST(site.count(TaskState::failed) == 2);

    BOOST_REQUIRE(site.retry_machines(one).has_value());
    BOOST_TEST(site.count(TaskState::ready) == 1);
    BOOST_REQUIRE(site.abort().has_value());
    BOOST_REQUIRE(site.retry().has_value());
    site.succeed_all();
    BOOST_TEST((site.summary().status == ClusterStatus::active));
}

BOOST_AUTO_TEST_CASE(machines_that_cannot_be_retried_are_refused_and_nothing_changes) {
    Site site;
    BOOST_TEST(why(site.retry_machines({"1000"})) ==
               "There is no failed job to run again on this cluster.");
    const auto creates = site.claim(3);
    site.finish(creates[0], queue::Succeeded{});
    site.finish(creates[1], queue::Succeeded{});
    site.finish(creates[2], tests::a_failure(std::nullopt));

    const auto refused = site.retry_machines({"7", "8"});

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::invalid));
    BOOST_TEST(base::to_text(refused.error().problems) ==
               "nodes: There is no machine 7 in this cluster.; "
               "nodes: There is no machine 8 in this cluster.");
    BOOST_TEST((site.job_status() == JobStatus::failed));
    site.cluster = model::ClusterId{999};
    BOOST_TEST(why(site.retry_machines({"7"})) == "cluster 00000999 not found.");
}

BOOST_AUTO_TEST_CASE(an_aborted_job_can_be_run_on_again) {
    Site site;
    site.finish(site.claim(1).front(), queue::Succeeded{});
    BOOST_REQUIRE(site.abort().has_value());
    BOOST_REQUIRE((site.summary().status == ClusterStatus::incomplete));

    BOOST_REQUIRE(site.retry().has_value());
    site.succeed_all();

    BOOST_TEST((site.summary().status == ClusterStatus::active));
}

BOOST_AUTO_TEST_CASE(there_must_be_a_failed_job_to_run_again) {
    Site site;
    const std::string refusal = "There is no failed job to run again on this cluster.";
    BOOST_TEST(why(site.retry()) == refusal);
    site.succeed_all();
    BOOST_TEST(why(site.retry()) == refusal);

    Site gone;
    BOOST_REQUIRE(gone.abort().has_value());
    BOOST_TEST(why(gone.retry()) == refusal);
}

BOOST_AUTO_TEST_CASE(pausing_resuming_and_aborting_beside_busy_workers_loses_and_repeats_nothing) {
    Site site(12);
    std::atomic<bool> over{false};
    std::atomic<int> finished{0};
    std::vector<std::thread> workers;
    for (const char* name : {"a", "b"}) {
        workers.emplace_back([&, name] {
            queue::MysqlTaskQueue queue(site.fresh.config);
            while (!over) {
                for (const auto& claim : queue.claim(std::string(name) + "/1", 3, 60s)) {
                    queue.finish({{claim, queue::Succeeded{}}});
                    ++finished;
                }
            }
        });
    }

    for (int i = 0; i < 10; ++i) {
        BOOST_TEST(site.pause().has_value());
        BOOST_TEST(site.resume().has_value());
    }
    BOOST_TEST(site.abort().has_value());
    while (site.summary().status == ClusterStatus::pending) std::this_thread::yield();
    over = true;
    for (std::thread& worker : workers) worker.join();

    BOOST_TEST(site.count(TaskState::done) == finished);
    BOOST_TEST(site.summary().latest_job->tasks_done == finished);
    BOOST_TEST(site.count(TaskState::done) + site.count(TaskState::cancelled) ==
               static_cast<int>(site.tasks().size()));
    BOOST_TEST(!site.queue.next_due().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
