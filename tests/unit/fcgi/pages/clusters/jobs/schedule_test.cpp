#include "fcgi/pages/clusters/jobs/schedule.hpp"

#include <boost/test/unit_test.hpp>

#include "../tabs/cluster_fixture.hpp"

using namespace tests;
using provisioner::store::TypicalTime;

BOOST_AUTO_TEST_SUITE(schedule_of_a_job)

namespace {

Task waits(int id, const std::string& service = "web") {
    return task(id, Action::install, service, TaskState::blocked);
}

Task queued(int id) {
    auto made = waits(id);
    made.state = TaskState::ready;
    return made;
}

Task runs(int id, std::chrono::seconds since) {
    auto made = task(id, Action::install, "web", TaskState::claimed);
    made.started_at = now - since;
    return made;
}

Task ended(int id, std::chrono::seconds at) {
    auto made = task(id, Action::install, "web", TaskState::done);
    made.finished_at = now + at;
    return made;
}

TypicalTime typical(Action action, const std::string& service, std::chrono::seconds time) {
    return {.kind = {.action = action, .service = service}, .time = time, .samples = 3};
}

const Durations ten_seconds({typical(Action::install, "web", 10s)});

TaskEdges edges(std::initializer_list<std::pair<int, int>> pairs) {
    TaskEdges made;
    for (const auto& [before, after] : pairs) made.emplace_back(TaskId{before}, TaskId{after});
    return made;
}

std::vector<std::int64_t> numbers(const std::vector<TaskId>& ids) {
    std::vector<std::int64_t> made;
    for (const TaskId id : ids) made.push_back(id.value);
    return made;
}

long seconds_left(const std::optional<Forecast>& made) {
    BOOST_REQUIRE(made.has_value());
    return std::chrono::duration_cast<std::chrono::seconds>(made->end - now).count();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_critical_path_goes_back_by_the_task_that_ended_last_each_time) {
    // 1 and 2 before 3; 2 ended later.
    const std::map<std::int64_t, std::vector<Task>> before{{3, {ended(1, 5s), ended(2, 9s)}},
                                                           {2, {}}};
    std::vector<std::int64_t> asked;
    const auto path = critical_path(ended(3, 20s), [&](const Task& task) -> std::optional<Task> {
        asked.push_back(task.id.value);
        const auto& all = before.at(task.id.value);
        if (all.empty()) return std::nullopt;
        return *std::ranges::max_element(all, {}, &Task::finished_at);
    });
    BOOST_TEST_REQUIRE(path.size() == 2U);
    BOOST_TEST(path[0].id.value == 2);
    BOOST_TEST(path[1].id.value == 3);
    BOOST_TEST(asked == (std::vector<std::int64_t>{3, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_critical_path_ends_where_it_would_go_round_and_is_not_endless) {
    const auto round = critical_path(
        ended(1, 1s), [](const Task& task) { return ended(task.id.value == 1 ? 2 : 1, 0s); });
    BOOST_TEST(round.size() == 2U);
    const auto endless = critical_path(ended(1, 1s), [](const Task& task) {
        return ended(static_cast<int>(task.id.value) + 1, 0s);
    });
    BOOST_TEST(endless.size() == longest_path);
}

BOOST_AUTO_TEST_CASE(the_rest_of_a_job_takes_as_long_as_its_longest_chain) {
    // 1 runs since 4 s, before 2 and 3; 3 before 4.
    const std::vector<Task> tasks{runs(1, 4s), waits(2), waits(3), waits(4)};
    const auto made = forecast(tasks, edges({{1, 2}, {1, 3}, {3, 4}}), ten_seconds, now);
    BOOST_TEST(seconds_left(made) == 6 + 10 + 10);
    BOOST_TEST(numbers(made->path) == (std::vector<std::int64_t>{1, 3, 4}),
               boost::test_tools::per_element());
    BOOST_TEST(!made->is_late);
    BOOST_TEST((made->spans.at(TaskId{1}).begin == now - 4s));
    BOOST_TEST((made->spans.at(TaskId{2}).begin == now + 6s));
    BOOST_TEST((made->spans.at(TaskId{2}).end == now + 16s));
}

BOOST_AUTO_TEST_CASE(a_forecast_stays_true_while_the_job_advances_as_expected) {
    for (int passed = 0; passed < 10; ++passed) {
        const std::vector<Task> tasks{runs(1, std::chrono::seconds(passed)), waits(2)};
        BOOST_TEST(seconds_left(forecast(tasks, edges({{1, 2}}), ten_seconds, now)) == 20 - passed);
    }
}

BOOST_AUTO_TEST_CASE(a_task_that_is_late_needs_nothing_more_and_is_said_to_be_late) {
    const auto alone = forecast({runs(1, 25s)}, {}, ten_seconds, now);
    BOOST_TEST(seconds_left(alone) == 0);
    BOOST_TEST(alone->is_late);
    const auto before_another =
        forecast({runs(1, 25s), waits(2)}, edges({{1, 2}}), ten_seconds, now);
    BOOST_TEST(seconds_left(before_another) == 10);
}

BOOST_AUTO_TEST_CASE(a_task_that_waits_to_be_tried_again_has_not_begun) {
    auto again = waits(2);
    again.started_at = now - 3h;
    const auto made = forecast({runs(1, 4s), again}, edges({{1, 2}}), ten_seconds, now);
    BOOST_TEST(seconds_left(made) == 6 + 10);
    BOOST_TEST((made->spans.at(TaskId{2}).begin == now + 6s));
    const auto alone = forecast({again}, {}, ten_seconds, now);
    BOOST_TEST(seconds_left(alone) == 10);
    BOOST_TEST(!alone->is_late);
}

BOOST_AUTO_TEST_CASE(what_has_ended_already_is_passed_over) {
    BOOST_TEST(seconds_left(forecast({waits(5)}, edges({{1, 5}, {5, 99}}), ten_seconds, now)) ==
               10);
}

BOOST_AUTO_TEST_CASE(where_tasks_queue_for_workers_the_work_is_divided_by_what_runs) {
    std::vector<Task> tasks{runs(1, 0s), runs(2, 0s)};
    for (int id = 3; id <= 12; ++id) tasks.push_back(queued(id));
    BOOST_TEST(seconds_left(forecast(tasks, {}, ten_seconds, now)) == 12 * 10 / 2);
    const auto queue = forecast(tasks, {}, ten_seconds, now);
    BOOST_TEST((queue->spans.at(TaskId{12}).end == queue->end));
    // Three wait a moment for the next look of a worker.
    tasks.resize(5);
    BOOST_TEST(seconds_left(forecast(tasks, {}, ten_seconds, now)) == 10);
}

BOOST_AUTO_TEST_CASE(a_job_takes_as_long_as_whole_jobs_like_it_and_not_only_as_its_tasks) {
    // Three tasks of 10 s, one after the other.
    const std::vector<Task> tasks{runs(1, 4s), waits(2), waits(3)};
    auto made = forecast(tasks, edges({{1, 2}, {2, 3}}), ten_seconds, now);
    BOOST_REQUIRE(made.has_value());

    follow_usual_time(*made, UsualTime{.typical = 56s}, now - 4s, {}, now);

    BOOST_TEST(seconds_left(made) == 52);
    BOOST_TEST(!made->is_rough);
    BOOST_TEST((made->spans.at(TaskId{1}).end == now + 6s));
    BOOST_TEST((made->spans.at(TaskId{2}).begin == now + 22s));
    BOOST_TEST((made->spans.at(TaskId{2}).end == now + 32s));
    BOOST_TEST((made->spans.at(TaskId{3}).begin == now + 42s));
    BOOST_TEST((made->spans.at(TaskId{3}).end == made->end));
}

BOOST_AUTO_TEST_CASE(what_has_passed_of_the_usual_time_is_not_left_but_breaks_did_not_pass) {
    const auto left = [](std::chrono::seconds passed, std::chrono::seconds idle) {
        auto made = forecast({runs(1, 2s), waits(2)}, edges({{1, 2}}), ten_seconds, now);
        follow_usual_time(*made, UsualTime{.typical = 60s}, now - passed, idle, now);
        return seconds_left(made);
    };
    BOOST_TEST(left(20s, 0s) == 40);
    BOOST_TEST(left(35s, 0s) == 25);
    BOOST_TEST(left(50s, 0s) == 18);
    BOOST_TEST(left(90s, 0s) == 18);
    BOOST_TEST(left(50s, 30s) == 40);
}

BOOST_AUTO_TEST_CASE(a_whole_job_says_little_of_a_rest_that_is_short_or_runs_already) {
    auto near = forecast({runs(1, 9s), waits(2)}, edges({{1, 2}}), ten_seconds, now);
    follow_usual_time(*near, UsualTime{.typical = 1h}, now - 10s, {}, now);
    BOOST_TEST(seconds_left(near) == most_spread * 11);
    auto running = forecast({runs(1, 4s), runs(2, 2s)}, {}, ten_seconds, now);
    follow_usual_time(*running, UsualTime{.typical = 1h}, now - 10s, {}, now);
    BOOST_TEST(seconds_left(running) == 8);
}

BOOST_AUTO_TEST_CASE(the_usual_time_is_that_of_the_newest_jobs_of_about_the_same_size) {
    const auto run = [](int tasks, std::optional<std::chrono::seconds> took) {
        return provisioner::store::EarlierRun{.job = JobId{1}, .tasks = tasks, .took = took};
    };
    BOOST_TEST(!usual_time({}, 100));
    BOOST_TEST(!usual_time({run(100, {}), run(49, 9s), run(201, 9s)}, 100));
    const auto alike = usual_time({run(50, 60s), run(100, {}), run(200, 66s), run(300, 1h)}, 100);
    BOOST_REQUIRE(alike.has_value());
    BOOST_TEST((alike->typical == provisioner::base::Timestamp::duration(60s)));
    BOOST_TEST(!alike->is_wide);
    const auto newest = usual_time(
        {run(9, 59s), run(9, 77s), run(9, 65s), run(9, 64s), run(9, 66s), run(9, 9s), run(9, 9s)},
        9);
    BOOST_REQUIRE(newest.has_value());
    BOOST_TEST((newest->typical == provisioner::base::Timestamp::duration(65s)));
    BOOST_TEST(newest->is_wide);
}

BOOST_AUTO_TEST_CASE(without_whole_jobs_or_with_unequal_ones_a_forecast_is_rough) {
    const auto is_rough = [](const std::optional<UsualTime>& usual) {
        auto made = forecast({runs(1, 2s)}, {}, ten_seconds, now);
        follow_usual_time(*made, usual, now, {}, now);
        return made->is_rough;
    };
    BOOST_TEST(is_rough(std::nullopt));
    BOOST_TEST(is_rough(UsualTime{.typical = 9s, .is_wide = true}));
    BOOST_TEST(!is_rough(UsualTime{.typical = 9s}));
}

BOOST_AUTO_TEST_CASE(nothing_is_foretold_without_history_or_tasks) {
    BOOST_TEST(!forecast({waits(1)}, {}, Durations(), now));
    BOOST_TEST(!forecast({}, {}, ten_seconds, now));
    auto other = waits(2);
    other.action = Action::configure;
    BOOST_TEST(!forecast({waits(1), other}, {}, ten_seconds, now));
}

BOOST_AUTO_TEST_CASE(a_service_that_was_never_seen_takes_as_long_as_others_do_in_the_middle) {
    const Durations durations({typical(Action::install, "a", 4s), typical(Action::install, "b", 6s),
                               typical(Action::install, "c", 90s),
                               typical(Action::start, "new", 1s)});
    BOOST_TEST((durations.of(waits(1, "b")) == provisioner::base::Timestamp::duration(6s)));
    BOOST_TEST((durations.of(waits(1, "new")) == provisioner::base::Timestamp::duration(6s)));
    BOOST_TEST(!durations.of(task(1, Action::stop, "a", TaskState::blocked)));
}

BOOST_AUTO_TEST_CASE(breaks_count_as_far_as_they_lie_within_a_time) {
    const Breaks breaks{{.job = JobId{1}, .begin = now + 10s, .end = now + 20s},
                        {.job = JobId{2}, .begin = now + 30s, .end = now + 50s}};
    BOOST_TEST((idle_between(now, now + 60s, breaks) == 30s));
    BOOST_TEST((idle_between(now + 15s, now + 35s, breaks) == 10s));
    BOOST_TEST((idle_between(now + 20s, now + 30s, breaks) == 0s));
    BOOST_TEST((idle_between(now, now + 60s, breaks_of(breaks, JobId{2})) == 20s));
}

BOOST_AUTO_TEST_SUITE_END()
