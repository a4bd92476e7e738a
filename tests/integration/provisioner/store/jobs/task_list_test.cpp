#include "provisioner/store/jobs/task_list.hpp"

#include <boost/test/unit_test.hpp>
#include <thread>

#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/store/clusters/machine_list.hpp"
#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/database/tasks_of_jobs.hpp"
#include "provisioner/store/jobs/job_end_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using model::Action;
using model::TaskState;

BOOST_AUTO_TEST_SUITE(task_list)

namespace {

struct TaskListSite : tests::ClusterSite {
    model::JobId job = summary().latest_job->id;

    template <class Function>
    auto read(const Function& function) {
        return fresh.database.read(function);
    }

    /// A creation that comes after all others.
    static model::Job later_job() {
        model::Job later;
        later.id = model::JobId{1'000'000};
        return later;
    }

    std::size_t listed(const store::TaskFilter& filter, int limit = 1000, int offset = 0) {
        return read([&](store::Connection& c) {
                   return store::list_tasks(c, job, filter, limit, offset);
               })
            .size();
    }

    int counted(const store::TaskFilter& filter) {
        return read(
            [&](store::Connection& c) { return store::count_listed_tasks(c, job, filter); });
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(tasks_are_counted_by_machine_and_by_kind) {
    TaskListSite site;
    const auto claims = site.claim(2);
    BOOST_REQUIRE(claims.size() == 2);
    site.finish(claims[0], queue::Succeeded{});
    site.finish(claims[1], tests::a_failure(std::nullopt));
    const auto tasks = site.tasks();

    const auto machines =
        site.read([&](store::Connection& c) { return store::machines_of_job(c, site.job); });
    BOOST_REQUIRE(machines.size() == 3);
    BOOST_TEST(machines[0].nodenum == 1000);
    BOOST_TEST(machines[0].done == 1);
    BOOST_TEST((machines[0].ended && machines[0].began));
    BOOST_TEST(machines[1].failed == 1);
    BOOST_TEST(machines[1].over >= 1);
    BOOST_TEST(!machines[2].began);
    int all = 0;
    for (const auto& machine : machines) all += machine.tasks;
    BOOST_TEST(all == std::ssize(tasks));

    const auto kinds =
        site.read([&](store::Connection& c) { return store::kinds_of_job(c, site.job); });
    int counted = 0;
    for (const auto& kind : kinds) counted += kind.tasks;
    BOOST_TEST(counted == std::ssize(tasks));
    BOOST_TEST((kinds.front().kind.action == tasks.front().action));
}

BOOST_AUTO_TEST_CASE(tasks_are_filtered_and_read_a_page_at_a_time) {
    TaskListSite site;
    const auto tasks = site.tasks();
    const auto creates = std::ranges::count(tasks, Action::create, &model::Task::action);
    const auto of_machines = std::ranges::count(tasks, std::string(), &model::Task::service);
    BOOST_REQUIRE(creates == 3);
    BOOST_REQUIRE(of_machines < std::ssize(tasks));

    BOOST_TEST(site.listed({}) == tasks.size());
    BOOST_TEST(site.listed({}, 2, static_cast<int>(tasks.size()) - 1) == 1U);
    BOOST_TEST(site.counted({}) == std::ssize(tasks));
    BOOST_TEST(site.counted({.action = Action::create}) == creates);
    BOOST_TEST(site.counted({.service = ""}) == of_machines);
    BOOST_TEST(site.counted({.state = TaskState::ready}) == 3);
    const auto first =
        site.read([&](store::Connection& c) { return store::list_tasks(c, site.job, {}, 1, 0); });
    BOOST_REQUIRE(first.size() == 1);
    const auto there = std::ranges::count(tasks, tasks.front().node, &model::Task::node);
    BOOST_REQUIRE(there < std::ssize(tasks));
    BOOST_TEST(site.counted({.machine = first[0].hostname}) == there);
    // The text is no pattern.
    BOOST_TEST(site.listed({.machine = "%"}) == 0U);
}

BOOST_AUTO_TEST_CASE(what_failed_is_listed_first_and_then_what_runs) {
    TaskListSite site;
    const auto claims = site.claim(3);
    BOOST_REQUIRE(claims.size() == 3);
    site.finish(claims[0], queue::Succeeded{});
    const auto claimed_and_failed = [&] {
        return site.read(
            [&](store::Connection& c) { return store::list_tasks(c, site.job, {}, 2, 0); });
    };
    BOOST_TEST((claimed_and_failed().front().task.state == TaskState::claimed));

    site.finish(claims[2], tests::a_failure(std::nullopt, 7));

    const auto first = claimed_and_failed();
    BOOST_TEST((first[0].task.id == claims[2].task));
    BOOST_TEST((first[1].task.id == claims[1].task));
    BOOST_TEST((site.read([&](store::Connection& c) {
        return store::status_code_of(c, first[0].task);
    }) == std::optional(7)));
}

BOOST_AUTO_TEST_CASE(
    tasks_between_attempts_are_listed_before_those_that_wait_and_what_is_done_last) {
    TaskListSite site;
    const auto claims = site.claim(2);
    BOOST_REQUIRE(claims.size() == 2);
    site.finish(claims[0], queue::Succeeded{});
    site.finish(claims[1], tests::a_failure(std::chrono::seconds(60)));

    const auto tasks = site.read(
        [&](store::Connection& c) { return store::list_tasks(c, site.job, {}, 1000, 0); });
    BOOST_TEST((tasks.front().task.id == claims[1].task));
    BOOST_TEST((tasks.front().task.state == TaskState::ready));
    BOOST_TEST((tasks.back().task.id == claims[0].task));
}

BOOST_AUTO_TEST_CASE(a_failed_attempt_has_its_code_and_its_times) {
    TaskListSite site;
    const auto claims = site.claim(1);
    BOOST_REQUIRE(claims.size() == 1);
    site.finish(claims[0], tests::a_failure(std::nullopt, 7));

    const auto failed = site.read([&](store::Connection& c) {
        return store::list_tasks(c, site.job, {.state = TaskState::failed}, 10, 0);
    });
    BOOST_REQUIRE(failed.size() == 1);
    BOOST_TEST((failed[0].status_code == std::optional(7)));
    const auto attempts = site.read(
        [&](store::Connection& c) { return store::attempt_times(c, {failed[0].task.id}); });
    BOOST_REQUIRE(attempts.size() == 1);
    BOOST_TEST(attempts[0].status == "failed");
    BOOST_TEST(attempts[0].ended.has_value());
    const auto none = site.read([&](store::Connection& c) { return store::attempt_times(c, {}); });
    BOOST_TEST(none.empty());
}

BOOST_AUTO_TEST_CASE(a_task_that_is_tried_again_is_listed_until_it_has_ended) {
    TaskListSite site;
    const auto retried = [&] {
        return site.read(
            [&](store::Connection& c) { return store::retried_tasks_of(c, site.job); });
    };
    const auto claims = site.claim(1);
    BOOST_REQUIRE(claims.size() == 1);
    BOOST_TEST(retried().empty());
    site.finish(claims[0], tests::a_failure(0ms, 7));

    const auto due = retried();
    BOOST_REQUIRE(due.size() == 1);
    BOOST_TEST((due[0].state == TaskState::ready));
    BOOST_TEST(due[0].attempt == 1);
    BOOST_TEST(!due[0].message.empty());
    const auto again = site.claim(3);
    const auto second = std::ranges::find(again, due[0].id, &queue::Claim::task);
    BOOST_REQUIRE((second != again.end()));
    const auto under_way = retried();
    BOOST_REQUIRE(under_way.size() == 1);
    BOOST_TEST((under_way[0].state == TaskState::claimed));
    BOOST_TEST(under_way[0].attempt == 2);
    BOOST_TEST(under_way[0].message == due[0].message);
    BOOST_REQUIRE((due[0].attempt_began && due[0].attempt_ended));
    BOOST_REQUIRE(under_way[0].attempt_began.has_value());
    BOOST_TEST((*under_way[0].attempt_began >= *due[0].attempt_ended));
    BOOST_TEST(!under_way[0].attempt_ended);
    site.finish(*second, queue::Succeeded{});
    BOOST_TEST(retried().empty());
}

BOOST_AUTO_TEST_CASE(a_task_that_was_cancelled_before_its_next_try_has_failed) {
    TaskListSite site;
    const auto claims = site.claim(3);
    BOOST_REQUIRE(claims.size() == 3);
    site.finish(claims[0], tests::a_failure(1h, 7));
    // It waits for another turn of its attempt, which has not failed.
    site.finish(claims[1], queue::Waiting{.poll_in = 1h, .reason = "no address yet"});
    site.finish(claims[2], queue::Succeeded{});
    BOOST_REQUIRE(
        operations::abort_job(site.fresh.database, site.caller, site.cluster).has_value());

    const auto failed = site.read([&](store::Connection& c) {
        return store::list_tasks(c, site.job, {.state = TaskState::failed}, 100, 0);
    });

    BOOST_REQUIRE(failed.size() == 1);
    BOOST_TEST((failed[0].task.id == claims[0].task));
    BOOST_TEST((failed[0].task.state == TaskState::failed));
    BOOST_TEST((failed[0].task.attempt_began && failed[0].task.attempt_ended));
    BOOST_TEST((failed[0].status_code == std::optional(7)));
    BOOST_TEST(site.counted({.state = TaskState::failed}) == 1);
    BOOST_TEST(site.counted({.state = TaskState::cancelled}) == std::ssize(site.tasks()) - 2);
    // The same in the counts, on the machine and as a task alone.
    site.read([&](store::Connection& c) {
        int kinds = 0;
        for (const auto& kind : store::kinds_of_job(c, site.job)) {
            kinds += kind.state == TaskState::failed ? kind.tasks : 0;
        }
        BOOST_TEST(kinds == 1);
        int machines = 0;
        for (const auto& machine : store::machines_of_job(c, site.job)) machines += machine.failed;
        BOOST_TEST(machines == 1);
        BOOST_TEST(store::failed_tasks_of(c, site.job).size() == 1U);
        const auto here = store::tasks_on(c, site.job, failed[0].task.node);
        BOOST_TEST(std::ranges::count(here, TaskState::failed, &model::Task::state) == 1);
        const auto all = store::shown_tasks_of(c, site.job);
        BOOST_TEST(std::ranges::count(all, TaskState::failed, &model::Task::state) == 1);
        const auto alone = store::find_shown_task(c, site.cluster, claims[0].task);
        BOOST_REQUIRE(alone.has_value());
        BOOST_TEST((alone->state == TaskState::failed));
        // The API says of its state what it said.
        BOOST_TEST(
            (store::find_task(c, site.cluster, claims[0].task)->state == TaskState::cancelled));
    });
}

BOOST_AUTO_TEST_CASE(a_task_that_an_abort_stopped_has_not_failed) {
    TaskListSite site;
    const auto claims = site.claim(2);
    BOOST_REQUIRE(claims.size() == 2);
    BOOST_REQUIRE(
        operations::abort_job(site.fresh.database, site.caller, site.cluster).has_value());
    auto stopped = tests::a_failure(std::nullopt);
    stopped.message = model::stopped_by_abort_message;
    site.finish(claims[0], stopped);
    site.finish(claims[1], tests::a_failure(std::nullopt, 7));

    BOOST_TEST(site.counted({.state = TaskState::failed}) == 1);
    BOOST_TEST(site.counted({.state = TaskState::cancelled}) == std::ssize(site.tasks()) - 1);
    site.read([&](store::Connection& c) {
        int machines = 0;
        for (const auto& machine : store::list_machines(c, site.cluster, site.job).machines) {
            machines += machine.failed;
        }
        BOOST_TEST(machines == 1);
        const auto alone = store::find_shown_task(c, site.cluster, claims[0].task);
        BOOST_REQUIRE(alone.has_value());
        BOOST_TEST((alone->state == TaskState::cancelled));
    });
}

BOOST_AUTO_TEST_CASE(the_way_back_from_the_last_task_goes_by_its_edges) {
    TaskListSite site;
    BOOST_TEST(
        !site.read([&](store::Connection& c) { return store::last_ended_task(c, site.job); }));
    site.succeed_all();
    const auto tasks = site.tasks();
    const auto edges =
        site.read([&](store::Connection& c) { return store::edges_of(c, site.job); });

    auto last =
        site.read([&](store::Connection& c) { return store::last_ended_task(c, site.job); });
    BOOST_REQUIRE(last.has_value());
    for (const auto& task : tasks) BOOST_TEST((*task.finished_at <= *last->finished_at));
    const auto way =
        site.read([&](store::Connection& c) { return store::way_back_from(c, last->id, 100); });
    for (const auto& step : way) {
        const auto before = std::optional(step);
        BOOST_TEST(std::ranges::count(edges, std::pair(before->id, last->id)) == 1);
        for (const auto& [first, second] : edges) {
            if (second != last->id) continue;
            const auto other = std::ranges::find(tasks, first, &model::Task::id);
            BOOST_TEST((*other->finished_at <= *before->finished_at));
        }
        last = before;
    }
    BOOST_TEST(way.size() >= 3U);
    const auto two =
        site.read([&](store::Connection& c) { return store::way_back_from(c, way[0].id, 2); });
    BOOST_TEST(two.size() == 2U);
    BOOST_TEST((two[0].id == way[1].id && two[1].id == way[2].id));
    BOOST_TEST((last->action == Action::create));
}

BOOST_AUTO_TEST_CASE(what_is_not_over_is_read_with_the_edges_that_lead_to_it) {
    TaskListSite site;
    const auto all = site.tasks().size();
    const auto claims = site.claim(1);
    BOOST_REQUIRE(claims.size() == 1);
    BOOST_TEST(
        (site.read([&](store::Connection& c) { return store::longest_running_task(c, site.job); })
             ->id == claims[0].task));
    const auto begin_of_first = [&] {
        const auto left = site.read(
            [&](store::Connection& c) { return store::unfinished_tasks_of(c, site.job); });
        return std::ranges::find(left, claims[0].task, &model::Task::id)->started_at;
    };
    BOOST_TEST(begin_of_first().has_value());
    // It waits to be tried again: until then it has not begun.
    site.finish(claims[0], tests::a_failure(1ms));
    BOOST_TEST(!begin_of_first().has_value());
    BOOST_TEST(
        !site.read([&](store::Connection& c) { return store::longest_running_task(c, site.job); }));
    std::this_thread::sleep_for(300ms);
    const auto ready = site.claim(100);
    const auto again = std::ranges::find(ready, claims[0].task, &queue::Claim::task);
    BOOST_REQUIRE((again != ready.end()));
    site.finish(*again, queue::Succeeded{});

    const auto unfinished =
        site.read([&](store::Connection& c) { return store::unfinished_tasks_of(c, site.job); });
    BOOST_TEST(unfinished.size() == all - 1);
    const auto edges =
        site.read([&](store::Connection& c) { return store::edges_to_waiting(c, site.job); });
    const auto waiting = std::ranges::count(unfinished, TaskState::blocked, &model::Task::state);
    std::set<model::TaskId> led_to;
    for (const auto& [before, after] : edges) led_to.insert(after);
    BOOST_TEST(std::ssize(led_to) == waiting);

    const auto kinds =
        site.read([&](store::Connection& c) { return store::kind_edges_of_job(c, site.job); });
    int counted = 0;
    for (const auto& edge : kinds) counted += edge.edges;
    const auto every_edge =
        site.read([&](store::Connection& c) { return store::edges_of(c, site.job); });
    BOOST_TEST(counted == std::ssize(every_edge));
}

BOOST_AUTO_TEST_CASE(history_is_of_jobs_that_succeeded_with_this_template_and_provider) {
    TaskListSite site;
    const auto runs_before = [&](const model::Job& job) {
        return site.read(
            [&](store::Connection& c) { return store::earlier_runs(c, site.details(), job, 12); });
    };
    model::Job later = site.later_job();
    BOOST_TEST(runs_before(later).empty());
    const auto claims = site.claim(1);
    BOOST_REQUIRE(claims.size() == 1);
    site.finish(claims[0], tests::a_failure(1ms));
    std::this_thread::sleep_for(300ms);
    site.succeed_all();
    const auto runs = runs_before(later);
    BOOST_REQUIRE(runs.size() == 1);
    BOOST_TEST(runs[0].job.value == site.job.value);
    BOOST_TEST(runs[0].tasks == std::ssize(site.tasks()));
    const auto job = *site.summary().latest_job;
    BOOST_REQUIRE(runs[0].took.has_value());
    BOOST_TEST(runs[0].took->count() == std::chrono::duration_cast<std::chrono::milliseconds>(
                                            *job.finished_at - job.created_at)
                                            .count());
    later.operation = model::Operation::cluster_delete;
    BOOST_TEST(!runs_before(later).at(0).took);
    later.operation = model::Operation::cluster_create;
    BOOST_TEST(runs_before(job).empty());

    auto other = site.details();
    other.snapshot.cluster_template.header.name = "another";
    BOOST_TEST(
        site.read([&](store::Connection& c) { return store::earlier_runs(c, other, later, 12); })
            .empty());
    other = site.details();
    other.snapshot.provider.header.name = "another";
    BOOST_TEST(
        site.read([&](store::Connection& c) { return store::earlier_runs(c, other, later, 12); })
            .empty());

    const auto times =
        site.read([&](store::Connection& c) { return store::typical_times(c, runs); });
    BOOST_REQUIRE(!times.empty());
    int samples = 0;
    std::map<store::TaskKind, std::vector<std::int64_t>> measured;
    for (const auto& task : site.tasks()) {
        const auto attempts =
            site.read([&](store::Connection& c) { return store::attempt_times(c, {task.id}); });
        const auto& last = attempts.back();
        BOOST_REQUIRE(last.number == task.attempt);
        BOOST_REQUIRE(last.ended.has_value());
        BOOST_TEST((attempts.size() == 2) == (task.id == claims[0].task));
        measured[{.action = task.action, .service = task.service}].push_back(
            (*last.ended - last.began).count());
    }
    for (const auto& typical : times) {
        samples += typical.samples;
        auto& all = measured.at(typical.kind);
        std::ranges::sort(all);
        BOOST_TEST(typical.time.count() == all[(all.size() - 1) / 2]);
    }
    BOOST_TEST(samples == std::ssize(site.tasks()));
    BOOST_TEST(times.size() == measured.size());
}

BOOST_AUTO_TEST_CASE(the_time_of_a_whole_job_that_a_person_paused_says_nothing_of_others) {
    TaskListSite site;
    const auto cluster = site.details().id;
    BOOST_REQUIRE(operations::pause_job(site.fresh.database, site.caller, cluster).has_value());
    BOOST_REQUIRE(operations::resume_job(site.fresh.database, site.caller, cluster).has_value());
    site.succeed_all();
    const auto later = site.later_job();

    const auto runs = site.read(
        [&](store::Connection& c) { return store::earlier_runs(c, site.details(), later, 12); });

    BOOST_REQUIRE(runs.size() == 1);
    BOOST_TEST(!runs[0].took);
}

BOOST_AUTO_TEST_CASE(a_job_knows_whether_its_configuration_is_what_failed) {
    TaskListSite site;
    const auto is_wrong = [&] {
        return site.read(
            [&](store::Connection& c) { return store::has_wrong_configuration(c, site.job); });
    };
    auto claims = site.claim();
    BOOST_REQUIRE(claims.size() >= 2);
    BOOST_TEST(!is_wrong());
    site.finish(claims[0], tests::a_failure(std::nullopt));
    BOOST_TEST(!is_wrong());
    for (std::size_t i = 1; i < claims.size(); ++i) {
        site.finish(claims[i], tests::a_failure(std::nullopt, model::exit_of_wrong_configuration));
    }
    BOOST_TEST(is_wrong());

    // The next attempt decides.
    BOOST_REQUIRE(
        operations::retry_job(site.fresh.database, site.caller, site.cluster).has_value());
    BOOST_TEST(!is_wrong());
}

BOOST_AUTO_TEST_CASE(tasks_that_lie_side_by_side_are_read_so_and_others_by_their_job) {
    TaskListSite site;
    site.read([&](store::Connection& c) {
        const auto counted = [&] {
            const store::TasksOfJobs tasks(c, site.job);
            store::Rows row = c.sql(tasks.in("SELECT COUNT(*) AS tasks FROM @tasks WHERE @jobs"))
                              << store::one_row;
            return row.get<int>("tasks");
        };
        BOOST_TEST(counted() == std::ssize(site.tasks()));
        BOOST_TEST(store::TasksOfJobs(c, site.job).in("@tasks") == "task FORCE INDEX (PRIMARY)");
        // A job without tasks, or none.
        const store::TasksOfJobs none(c, model::JobId{0});
        BOOST_TEST(none.in("@tasks WHERE @jobs") ==
                   "task FORCE INDEX (task_job) WHERE task.job_id IN (0)");
    });
    // As if a retry had made one much later.
    site.fresh.database.write([&](store::Connection& c) {
        c.sql(
            "INSERT INTO task (id, job_id, node_id, action, service, state, waits_for, attempt, "
            "fence, message) SELECT id + 100000, job_id, node_id, 'configure', service, 'blocked', "
            "1, 0, 0, '' FROM task WHERE job_id = ? ORDER BY id DESC LIMIT 1")
            << site.job.value << store::exec;
    });
    site.read([&](store::Connection& c) {
        const store::TasksOfJobs tasks(c, site.job);
        BOOST_TEST(tasks.in("@tasks") == "task FORCE INDEX (task_job)");
        BOOST_TEST(store::shown_tasks_of(c, site.job).size() == site.tasks().size());
    });
}

BOOST_AUTO_TEST_SUITE_END()
