#include "fcgi/pages/clusters/jobs/job_page.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/clusters/jobs/job_reads.hpp"
#include "fcgi/pages/clusters/tabs/jobs.hpp"
#include "fcgi/pages/progress.hpp"

#include "../job_fixture.hpp"
#include "../tabs/cluster_fixture.hpp"

using namespace tests;

BOOST_AUTO_TEST_SUITE(page_of_a_job)

namespace {

JobPage many_tasks(JobQuery query) {
    const auto cluster = page();
    auto tasks = cluster.tasks;
    for (int i = 5; i <= 150; ++i) {
        tasks.push_back(task(i, Action::start, "web", TaskState::blocked));
    }
    return read_job(*cluster.job, tasks, {}, cluster.nodes, std::move(query), Durations(), now);
}

JobPage foretold(Forecast forecast, std::size_t runs) {
    JobPage job;
    job.forecast = std::move(forecast);
    job.earlier_runs = runs;
    return job;
}

std::string labels(const Json& options) {
    std::string text;
    for (const auto& option : options) {
        text += option.at("label").get<std::string>() +
                (option.at("selected").get<bool>() ? "! " : " ");
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(tasks_are_listed_page_by_page_and_the_filter_goes_along) {
    const auto first = job_json(page(), many_tasks({}));
    BOOST_TEST(first.at("tasks_summary") == "1–25 of 150 tasks");
    BOOST_TEST(first.at("clear") == "");
    const auto second = job_json(
        page(), many_tasks({.state = "waiting", .action = "start", .service = "web", .page = 2}));
    BOOST_TEST(second.at("tasks_summary") == "26–50 of 146 tasks");
    const auto& pager = second.at("pager");
    BOOST_TEST(pager.at("at") == "Page 2 of 6");
    BOOST_TEST(pager.at("next") ==
               "/clusters/00000007/jobs/0?state=waiting&service=web&action=start&page=3#tasks");
    BOOST_TEST(pager.at("last") ==
               "/clusters/00000007/jobs/0?state=waiting&service=web&action=start&page=6#tasks");
    const auto& jump = pager.at("jump");
    BOOST_TEST(jump.at("action") == "/clusters/00000007/jobs/0#tasks");
    BOOST_TEST(jump.at("pages") == 6);
    BOOST_REQUIRE(jump.at("kept").size() == 3U);
    BOOST_TEST(jump.at("kept")[0].at("name") == "state");
    BOOST_TEST(jump.at("kept")[0].at("value") == "waiting");
    BOOST_TEST(second.at("clear") == "/clusters/00000007/jobs/0#tasks");
}

BOOST_AUTO_TEST_CASE(what_a_retry_has_replaced_is_offered_but_not_counted) {
    auto job = many_tasks({});
    const auto once = job_json(page(), job);
    BOOST_TEST(once.at("earlier_words") == "");
    BOOST_TEST(once.at("replaced_href") == "");

    job.replaced = 40;
    const auto json = job_json(page(), job);
    BOOST_TEST(json.at("earlier_words")
                   .get<std::string>()
                   .starts_with("This job was run more than once."));
    BOOST_TEST(json.at("replaced_words") == "40 tasks of earlier runs were replaced");
    BOOST_TEST(json.at("replaced_href") == "/clusters/00000007/jobs/0?state=replaced#tasks");
    BOOST_TEST(labels(json.at("states")).ends_with("replaced by a retry (40) "));
    BOOST_TEST(labels(json.at("states")).starts_with("All (150)! "));

    const JobQuery replaced{.state = "replaced"};
    BOOST_TEST(replaced.filter().is_replaced);
    BOOST_TEST(!JobQuery{}.filter().is_replaced);
}

BOOST_AUTO_TEST_CASE(a_row_leads_to_its_machine_and_a_list_of_one_page_has_no_pager) {
    auto job = many_tasks({});
    const auto row = job_json(page(), job).at("tasks")[0];
    BOOST_TEST(row.at("host") == short_name(page().nodes[0].hostname));
    BOOST_TEST(row.at("machine_href") == "../machines/1000");
    job.machines.clear();
    BOOST_TEST(job_json(page(), job).at("tasks")[0].at("machine_href") == "");
    job.matching = tasks_on_a_page;
    BOOST_TEST(job_json(page(), job).at("pager").is_null());
}

BOOST_AUTO_TEST_CASE(a_kind_of_task_is_asked_for_as_the_filter_calls_it) {
    BOOST_TEST(query_of_kind(Action::install, "a b") == "?action=install&service=a%20b");
    BOOST_TEST(query_of_kind(Action::create, "") == "?action=create&service=machine");
}

BOOST_AUTO_TEST_CASE(the_filter_offers_what_the_job_has_with_counts) {
    const auto json = job_json(page(), many_tasks({.state = "failed", .service = "machine"}));
    BOOST_TEST(labels(json.at("states")) ==
               "All (150) running (1) waiting (147) done (2) failed (0)! more than one attempt ");
    BOOST_TEST(labels(job_json(page(), many_tasks({.state = "retried"})).at("states")) ==
               "All (150) running (1) waiting (147) done (2) more than one attempt! ");
    BOOST_TEST(JobQuery{.state = "retried"}.filter().is_repeated);
    BOOST_TEST(labels(json.at("services")) == "All (150) machine (1)! cache (2) web (147) ");
    BOOST_TEST(labels(json.at("actions")) == "All (150)! create (1) install (2) start (147) ");
}

BOOST_AUTO_TEST_CASE(services_of_a_job_are_called_by_their_labels_and_asked_for_by_their_names) {
    auto job = many_tasks({.service = "web"});
    job.labels.add(CatalogueKind::service, {{"web", "Web server"}});

    const auto json = job_json(page(), job);

    BOOST_TEST(labels(json.at("services")) == "All (150) machine (1) cache (2) Web server (147)! ");
    BOOST_TEST(json.at("services")[3].at("value") == "web");
}

BOOST_AUTO_TEST_CASE(tasks_can_be_ordered_by_how_long_they_took_and_when_they_began) {
    using provisioner::store::TaskOrder;
    BOOST_TEST((JobQuery{}.filter().order == TaskOrder::by_need));
    BOOST_TEST((JobQuery{.order = "longest"}.filter().order == TaskOrder::longest));
    BOOST_TEST((JobQuery{.order = "started"}.filter().order == TaskOrder::started));
    BOOST_TEST((JobQuery{.order = "size"}.filter().order == TaskOrder::by_need));
    const auto json = job_json(page(), many_tasks({.order = "longest"}));
    BOOST_TEST(labels(json.at("orders")) ==
               "what needs a look first longest first! as they started ");
    BOOST_TEST(json.at("tasks_order") == "");
}

BOOST_AUTO_TEST_CASE(a_large_job_is_summed_up_by_kind_of_task) {
    auto job = many_tasks({});
    BOOST_TEST(job_json(page(), job).at("kinds").empty());

    job.job.tasks_total = 150;

    const auto kinds = job_json(page(), job).at("kinds");
    std::string lines;
    for (const auto& kind : kinds) {
        lines +=
            kind.at("what").get<std::string>() + ": " + kind.at("words").get<std::string>() + '\n';
    }
    BOOST_TEST(lines == "start cache: 0 of 1 done, 1 running\n");
    BOOST_TEST(kinds[0].at("href") == "?action=start&service=cache#tasks");
    // What waits and what is done is folded away.
    const auto waiting = job_json(page(), job).at("waiting_kinds");
    BOOST_REQUIRE(waiting.size() == 2U);
    BOOST_TEST(waiting[1].at("words") == "0 of 146 done");
    BOOST_TEST(job_json(page(), job).at("waiting_words") == "2 kinds of tasks are waiting");
    const auto done = job_json(page(), job).at("done_kinds");
    BOOST_REQUIRE(done.size() == 2U);
    BOOST_TEST(done[0].at("what") == "create the machine");
    BOOST_TEST(done[0].at("words") == "1 done");
    BOOST_TEST(job_json(page(), job).at("done_words") == "2 kinds of tasks are done");
}

BOOST_AUTO_TEST_CASE(what_a_failure_has_cancelled_is_folded_when_the_job_has_ended) {
    JobPage job;
    job.job.tasks_total = 200;
    const provisioner::store::TaskKind install{.action = Action::install, .service = "web"};
    const provisioner::store::TaskKind start{.action = Action::start, .service = "web"};
    job.kinds = {{install, TaskState::done, 99},
                 {install, TaskState::failed, 1},
                 {start, TaskState::done, 50},
                 {start, TaskState::cancelled, 50}};
    BOOST_TEST(job_json(page(), job).at("kinds").size() == 2U);

    job.job.finished_at = now;

    const auto json = job_json(page(), job);
    BOOST_TEST_REQUIRE(json.at("kinds").size() == 1U);
    BOOST_TEST(json.at("kinds")[0].at("what") == "install web");
    BOOST_TEST(json.at("waiting_words") == "1 other kind of task is not finished");
    // Without a failure it is all that is left to say.
    job.kinds.erase(job.kinds.begin() + 1);
    const auto aborted = job_json(page(), job);
    BOOST_TEST(aborted.at("kinds").size() == 1U);
    BOOST_TEST(aborted.at("waiting_words") == "");
}

BOOST_AUTO_TEST_CASE(one_failure_is_one_part_of_the_bar_of_its_kind) {
    JobPage job;
    job.job.tasks_total = 200;
    const provisioner::store::TaskKind kind{.action = Action::install, .service = "web"};
    job.kinds = {
        {kind, TaskState::done, 150}, {kind, TaskState::failed, 1}, {kind, TaskState::blocked, 49}};

    const auto parts = job_json(page(), job).at("kinds")[0].at("parts");

    BOOST_REQUIRE(parts.size() == 2U);
    BOOST_TEST(parts[0].at("look") == "done");
    BOOST_TEST(parts[0].at("width") == "75%");
    BOOST_TEST(parts[1].at("look") == "failed");
    BOOST_TEST(parts[1].at("x") == "75%");
    BOOST_TEST(parts[1].at("width") == "0.5%");
}

BOOST_AUTO_TEST_CASE(words_of_the_filter_are_what_the_store_asks_for) {
    const auto filter =
        JobQuery{.state = "queued", .action = "delete", .service = "machine", .machine = "a"}
            .filter();
    BOOST_TEST((filter.state == TaskState::ready));
    BOOST_TEST((filter.action == Action::delete_machine));
    BOOST_TEST((filter.service == std::optional<std::string>("")));
    BOOST_TEST(filter.machine == "a");
    const auto unknown = JobQuery{.state = "x", .action = "y"}.filter();
    BOOST_TEST((!unknown.state && !unknown.action && !unknown.service));
}

BOOST_AUTO_TEST_CASE(a_forecast_says_how_long_until_when_and_from_what) {
    BOOST_TEST(forecast_words(foretold({.end = now + 230s}, 12), now) ==
               "About 4 minutes left: should end at 10:03 UTC (based on 12 earlier runs)");
    BOOST_TEST(forecast_words(foretold({.end = now + 41s}, 1), now) ==
               "About 45 s left (based on 1 earlier run)");
    BOOST_TEST(forecast_words(foretold({.end = now + 120s}, 1), now) ==
               "About 2 minutes left: should end at 10:02 UTC (based on 1 earlier run)");
    BOOST_TEST(forecast_words(foretold({.end = now + 5s, .is_late = true}, 1), now) ==
               "About to end (based on 1 earlier run)");
    BOOST_TEST(forecast_words(foretold({.end = now + 2h}, 0), now) ==
               "About 2 hours left: should end at 12:00 UTC (based on the finished tasks)");
    const std::string tomorrow = provisioner::base::to_rfc3339(now + 20h).substr(0, 10);
    BOOST_TEST(forecast_words(foretold({.end = now + 20h}, 2), now) ==
               "About 20 hours left: should end at " + tomorrow +
                   " 06:00 UTC (based on 2 earlier runs)");
    BOOST_TEST(forecast_words(foretold({.end = now}, 2), now) ==
               "About to end (based on 2 earlier runs)");
    BOOST_TEST(forecast_words(foretold({.end = now, .is_late = true}, 2), now) ==
               "Should have ended by now (based on 2 earlier runs)");
    BOOST_TEST(forecast_words(JobPage{}, now) == "");
}

BOOST_AUTO_TEST_CASE(a_rough_forecast_does_not_count_seconds) {
    const auto left = [](std::chrono::seconds time) {
        const auto words = forecast_words(foretold({.end = now + time, .is_rough = true}, 5), now);
        return words.substr(0, words.find(" (based on 5 earlier runs)"));
    };
    BOOST_TEST(left(119s) == "About 2 minutes left");
    BOOST_TEST(left(89s) == "About 1 minute left");
    BOOST_TEST(left(46s) == "About 1 minute left");
    BOOST_TEST(left(41s) == "About 45 s left");
    BOOST_TEST(left(16s) == "About 30 s left");
    BOOST_TEST(left(9s) == "About 15 s left");
    BOOST_TEST(left(3min) == "About 3 minutes left: should end at 10:03 UTC");
}

BOOST_AUTO_TEST_CASE(only_a_job_that_can_succeed_has_a_forecast) {
    Job job;
    const provisioner::store::KindCount failed{.state = TaskState::failed, .tasks = 1};
    const provisioner::store::KindCount waits{.state = TaskState::blocked, .tasks = 1};
    BOOST_TEST(may_forecast(job, {waits}));
    BOOST_TEST(!may_forecast(job, {waits, failed}));
    job.aborted = true;
    BOOST_TEST(!may_forecast(job, {waits}));
    job.aborted = false;
    job.status = JobStatus::paused;
    BOOST_TEST(!may_forecast(job, {waits}));
}

BOOST_AUTO_TEST_CASE(a_row_has_attempts_exit_code_and_times) {
    auto job = many_tasks({});
    auto& listed = job.tasks.front();
    job.job.created_at = now - 10s;
    listed.task.attempt = 3;
    listed.task.started_at = now - 4s;
    listed.task.finished_at = now - 3600ms;
    listed.status_code = 201;
    listed.task.action = Action::create;
    BOOST_TEST(job_json(page(), job).at("tasks")[0].at("code") == "",
               "what the provider did has no exit code");
    listed.status_code = 100;
    listed.task.action = Action::install;
    const auto row = job_json(page(), job).at("tasks")[0];
    BOOST_TEST(row.at("attempts") == "3");
    BOOST_TEST(job_json(page(), job).at("has_attempts") == true);
    BOOST_TEST(job_json(page(), many_tasks({})).at("has_attempts") == false,
               "a column that is empty in all rows is none");
    BOOST_TEST(row.at("code") == "100");
    BOOST_TEST(row.at("began").at("after") == "after 6 s");
    BOOST_TEST(row.at("took") == "0.4 s");
    // Started and took are those of the same attempt.
    listed.task.attempt_began = now - 3s;
    listed.task.attempt_ended = now - 2500ms;
    const auto last = job_json(page(), job).at("tasks")[0];
    BOOST_TEST(last.at("began").at("after") == "after 7 s");
    BOOST_TEST(last.at("took") == "0.5 s");
    job.job.created_at = now - 138s;
    BOOST_TEST(job_json(page(), job).at("tasks")[0].at("began").at("after") == "after 2 min 15 s");
    // As on the time axis, breaks do not count.
    job.breaks = {{.job = job.job.id, .begin = now - 100s, .end = now - 40s}};
    BOOST_TEST(job_json(page(), job).at("tasks")[0].at("began").at("after") == "after 75 s");
    BOOST_TEST(row.at("host") == "shop-7-1000");
    listed.task.state = TaskState::ready;
    const auto waiting = job_json(page(), job).at("tasks")[0];
    BOOST_TEST(waiting.at("began").is_null());
    BOOST_TEST(waiting.at("took") == "");
}

BOOST_AUTO_TEST_CASE(what_failed_is_retried_from_the_page_of_its_job_if_that_is_the_latest) {
    auto cluster = settled(ClusterStatus::incomplete, JobStatus::failed);
    cluster.job->id = JobId{5};
    cluster.tasks = {task(9, Action::install, "web", TaskState::failed)};
    cluster.kinds = {{{.action = Action::install, .service = "web"}, TaskState::failed, 1}};
    auto job = many_tasks({});
    cluster.job->message = "install web failed on shop-7-1000: exit status 1";
    job.job = *cluster.job;

    const auto json = job_json(cluster, job);

    BOOST_TEST(json.at("has_failures") == true);
    BOOST_TEST(json.at("failures")[0].at("what") == "install web");
    BOOST_TEST(json.at("failures")[0].at("where") == "on 1 of 1 machine");
    BOOST_TEST(json.at("job").at("message") == "", "what failed says why");
    BOOST_TEST(json.at("failures")[0].at("retry").at("label") == "Retry this machine");
    job.job.id = JobId{4};
    BOOST_TEST(job_json(cluster, job).at("failures")[0].at("retry").is_null());
    cluster.tasks.clear();
    BOOST_TEST(job_json(cluster, job).at("has_failures") == false);
}

BOOST_AUTO_TEST_CASE(a_filter_is_not_cut_within_a_character) {
    std::vector<std::string> notes;
    fcgi::http::Request request;
    request.query = "machine=a";
    for (int i = 0; i < 200; ++i) request.query += "%C3%A4%C3%A4";
    BOOST_TEST(job_query_in(request, notes).machine.size() == 255U);
    request.query.replace(request.query.find("=a"), 2, "=");
    BOOST_TEST(job_query_in(request, notes).machine.size() == 254U);
    request.query = "machine=%FF";
    BOOST_TEST(job_query_in(request, notes).machine == "\xEF\xBF\xBD");
    BOOST_TEST(notes.empty());
}

BOOST_AUTO_TEST_CASE(filters_of_tasks_that_do_not_exist_are_named) {
    fcgi::http::Request request;
    request.query = "state=broken&action=fly&page=0&lanes=2";
    std::vector<std::string> notes;

    const auto query = job_query_in(request, notes);

    BOOST_TEST(query.state == "");
    BOOST_TEST(query.action == "");
    BOOST_TEST(query.page == 1);
    BOOST_TEST(query.lanes == 2);
    BOOST_REQUIRE(notes.size() == 3U);
    BOOST_TEST(notes[0] == "Unknown page “0”; showing the first.");
    BOOST_TEST(notes[1] == "Unknown state “broken”; showing all.");
    BOOST_TEST(notes[2] == "Unknown action “fly”; showing all.");
    notes.clear();
    request.query = "state=retried&action=install&page=";
    BOOST_TEST(job_query_in(request, notes).state == "retried");
    BOOST_TEST(notes.empty());
}

BOOST_AUTO_TEST_CASE(what_failed_is_one_press_away_from_the_head_of_a_job) {
    auto job = many_tasks({});
    BOOST_TEST(job_json(page(), job).at("failed_href") == "");
    job.kinds.push_back({{.action = Action::start, .service = "web"}, TaskState::failed, 5});

    const auto json = job_json(page(), job);

    BOOST_TEST(json.at("failed_words") == "5 failed tasks");
    BOOST_TEST(json.at("failed_href") == "/clusters/00000007/jobs/0?state=failed#tasks");
}

BOOST_AUTO_TEST_CASE(what_is_read_aloud_counts_tasks_and_failures) {
    auto job = many_tasks({});
    job.job.tasks_total = 200;
    job.job.tasks_done = 50;
    BOOST_TEST(job_json(page(), job).at("news") == "50 of 200 tasks done");
    job.kinds.push_back({{.action = Action::start, .service = "web"}, TaskState::failed, 2});
    const auto json = job_json(page(), job);
    BOOST_TEST(json.at("news") == "50 of 200 tasks done, 2 failed");
    BOOST_TEST(json.at("failed") == 2);
}

BOOST_AUTO_TEST_SUITE_END()
