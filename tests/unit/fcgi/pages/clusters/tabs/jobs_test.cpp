#include "fcgi/pages/clusters/tabs/jobs.hpp"

#include <boost/test/unit_test.hpp>

#include "cluster_fixture.hpp"

BOOST_AUTO_TEST_SUITE(jobs_of_a_cluster)

namespace {

using namespace tests;

Task ran(int id, std::chrono::seconds begin, std::chrono::seconds end) {
    auto made = task(id, Action::install, "s" + std::to_string(id), TaskState::done);
    made.started_at = now + begin;
    made.finished_at = now + end;
    return made;
}

/// 1 and 2 before 3; 4 on its own. 2 ended later than 1, so 2 and 3 decided.
JobPage four_tasks() {
    JobPage job{.job = *page().job,
                .tasks = {ran(1, 0s, 5s), ran(2, 0s, 10s), ran(3, 10s, 20s), ran(4, 0s, 15s)},
                .edges = {{TaskId{1}, TaskId{3}}, {TaskId{2}, TaskId{3}}}};
    job.job.created_at = now;
    job.job.finished_at = now + 20s;
    job.hosts[NodeId{1}] = "shop-7-1000";
    return job;
}

std::vector<std::int64_t> numbers(const std::vector<TaskId>& ids) {
    std::vector<std::int64_t> numbers;
    for (const TaskId id : ids) numbers.push_back(id.value);
    return numbers;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_chain_that_decided_goes_back_from_the_task_that_ended_last) {
    BOOST_TEST(numbers(longest_chain(four_tasks(), now)) == (std::vector<std::int64_t>{2, 3}),
               boost::test_tools::per_element());
    auto running = four_tasks();
    running.tasks[3].finished_at.reset();
    BOOST_TEST(numbers(longest_chain(running, now + 60s)) == (std::vector<std::int64_t>{4}),
               boost::test_tools::per_element());
    BOOST_TEST(longest_chain(JobPage{}, now).empty());
}

BOOST_AUTO_TEST_CASE(bars_stand_where_tasks_ran) {
    const auto chart = job_json(page(), four_tasks()).at("chart");
    BOOST_TEST(chart.at("whole") == "20 s");
    const auto rows = chart.at("rows");
    BOOST_TEST_REQUIRE(rows.size() == 4U);
    BOOST_TEST(rows[0].at("what") == "install s1 on shop-7-1000");
    BOOST_TEST(rows[0].at("x") == "0.0");
    BOOST_TEST(rows[0].at("width") == "250.0");
    BOOST_TEST(rows[0].at("chain") == false);
    BOOST_TEST(rows[3].at("what") == "install s3 on shop-7-1000");
    BOOST_TEST(rows[3].at("x") == "500.0");
    BOOST_TEST(rows[3].at("width") == "500.0");
    BOOST_TEST(rows[3].at("chain") == true);
    BOOST_TEST(rows[3].at("after") == "10 s");
}

BOOST_AUTO_TEST_CASE(while_a_job_runs_its_axis_is_round_so_that_bars_stay_where_they_are) {
    auto job = four_tasks();
    job.job.finished_at.reset();
    job.tasks[3].state = TaskState::claimed;
    job.tasks[3].finished_at.reset();
    const auto chart_at = [&](std::chrono::seconds after) {
        auto later = page();
        later.now = now + after;
        return job_json(later, job).at("chart");
    };

    const auto chart = chart_at(31s);
    BOOST_TEST(chart.at("whole") == "31 s");
    BOOST_TEST(chart.at("rows")[0].at("number") == 1);
    BOOST_TEST(chart.at("rows")[0].at("width") == "100.0");
    BOOST_TEST(chart_at(49s).at("rows")[0].at("width") == "100.0");
    BOOST_TEST(chart_at(50s).at("rows")[0].at("width") == "50.0");
    BOOST_TEST(chart_at(500s).at("rows")[0].at("width") == "5.0");
}

BOOST_AUTO_TEST_CASE(many_tasks_are_a_bar_for_each_kind) {
    JobPage job = four_tasks();
    job.tasks.clear();
    for (int i = 1; i <= 100; ++i) {
        job.tasks.push_back(ran(i, std::chrono::seconds(i % 10), std::chrono::seconds(15)));
        job.tasks.back().service = i % 2 == 0 ? "even" : "odd";
    }
    const auto rows = job_json(page(), job).at("chart").at("rows");
    BOOST_TEST_REQUIRE(rows.size() == 2U);
    BOOST_TEST(rows[0].at("what") == "install even");
    BOOST_TEST(rows[0].at("count") == "×50");
}

BOOST_AUTO_TEST_CASE(tasks_are_listed_by_state_a_hundred_on_a_page) {
    JobPage job = four_tasks();
    for (int i = 5; i <= 250; ++i) {
        job.tasks.push_back(task(i, Action::start, "web", TaskState::blocked));
    }
    BOOST_TEST(job_json(page(), job).at("tasks_summary") == "1–100 of 250 tasks");
    job.state = "done";
    const auto done = job_json(page(), job);
    BOOST_TEST(done.at("tasks").size() == 4U);
    BOOST_TEST(done.at("after") == "");
    job.state = "waiting";
    job.page = 3;
    const auto waiting = job_json(page(), job);
    BOOST_TEST(waiting.at("tasks_summary") == "201–246 of 246 tasks");
    BOOST_TEST(waiting.at("before") == "/clusters/00000007/jobs/0?page=2&state=waiting");
}

BOOST_AUTO_TEST_CASE(a_job_says_what_became_of_it_and_who_asked) {
    auto job = *page().job;
    job.id = JobId{12};
    job.asked_by = {.user = UserId{3}, .name = "ada"};
    const auto line = [&] { return jobs_json(page(), {job}).at("jobs")[0]; };
    BOOST_TEST(line().at("words") == "running");
    BOOST_TEST(line().at("asked_by") == "Asked for by ada");
    BOOST_TEST(line().at("href") == "/clusters/00000007/jobs/12");
    BOOST_TEST(line().at("tasks") == "2 of 4 tasks");
    job.aborted = true;
    BOOST_TEST(line().at("words") == "being aborted");
    job.status = JobStatus::failed;
    job.finished_at = job.created_at + 90s;
    BOOST_TEST(line().at("words") == "aborted");
    BOOST_TEST(line().at("took") == "90 s");
    BOOST_TEST(jobs_json(page(), {}).at("has_jobs") == false);
}

BOOST_AUTO_TEST_SUITE_END()
