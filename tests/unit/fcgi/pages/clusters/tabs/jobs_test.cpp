#include "fcgi/pages/clusters/tabs/jobs.hpp"

#include <boost/test/unit_test.hpp>

#include "cluster_fixture.hpp"

BOOST_AUTO_TEST_SUITE(jobs_of_a_cluster)

using namespace tests;

BOOST_AUTO_TEST_CASE(a_job_says_what_became_of_it_and_who_asked) {
    auto job = *page().job;
    job.id = JobId{12};
    job.asked_by = {.user = UserId{3}, .name = "ada"};
    const auto line = [&] { return jobs_json(page(), {job}).at("jobs")[0]; };
    BOOST_TEST(line().at("words") == "running");
    BOOST_TEST(line().at("lasted") == "running for 20 s");
    BOOST_TEST(line().at("asked_by") == "Started by ada");
    BOOST_TEST(line().at("href") == "/clusters/00000007/jobs/12");
    BOOST_TEST(line().at("tasks") == "2 of 4 tasks");
    job.aborted = true;
    BOOST_TEST(line().at("words") == "being aborted");
    job.status = JobStatus::failed;
    job.finished_at = job.created_at + 90s;
    BOOST_TEST(line().at("words") == "aborted");
    BOOST_TEST(line().at("took") == "90 s");
    BOOST_TEST(line().at("lasted") == "took 90 s");
    BOOST_TEST(jobs_json(page(), {}).at("has_jobs") == false);
}

BOOST_AUTO_TEST_CASE(a_job_says_who_ran_it_again_and_what_was_changed_for_that) {
    auto cluster = page();
    Job job = *cluster.job;
    job.id = JobId{12};
    cluster.retries = {{.job = JobId{12},
                        .user = "ada",
                        .at = now - 1s,
                        .has_new_configuration = true,
                        .changed = {"web.port"}},
                       {.job = JobId{12}, .user = "grace", .at = now - 10s},
                       {.job = JobId{12},
                        .user = "grace",
                        .at = now - 20s,
                        .machines = {"shop-1000", "shop-1001", "shop-1002", "shop-1004"}},
                       {.job = JobId{11}, .user = "grace", .at = now - 1h}};
    const auto retries = jobs_json(cluster, {job}).at("jobs")[0].at("retries");

    BOOST_REQUIRE(retries.size() == 3U);
    BOOST_TEST(retries[0].at("words") ==
               "4 machines retried by grace: shop-1000, shop-1001, shop-1002 and 1 more");
    BOOST_TEST(retries[1].at("words") == "Retried by grace");
    BOOST_TEST(retries[2].at("words") ==
               "Retried by ada with another configuration (changed: web.port)");
}

BOOST_AUTO_TEST_CASE(a_job_says_who_paused_and_who_resumed_it) {
    auto cluster = page();
    Job job = *cluster.job;
    job.id = JobId{12};
    job.status = JobStatus::paused;
    job.message = "Paused by user.";
    const auto line = [&] { return jobs_json(cluster, {job}).at("jobs")[0]; };
    BOOST_TEST(line().at("message") == "Paused by user.");
    cluster.retries = {{.job = JobId{12}, .kind = JobRetry::Kind::pause, .user = "ada"}};
    BOOST_TEST(line().at("message") == "Paused by ada.");
    BOOST_TEST(line().at("retries").empty());

    job.status = JobStatus::running;
    job.message = "Resumed by user.";
    cluster.retries.insert(cluster.retries.begin(),
                           {.job = JobId{12}, .kind = JobRetry::Kind::resume, .user = "grace"});
    BOOST_TEST(line().at("message") == "Resumed by grace.");
    BOOST_TEST(line().at("retries").empty());
    job.status = JobStatus::complete;
    job.message = "";
    BOOST_TEST(line().at("message") == "");
}

BOOST_AUTO_TEST_CASE(a_job_says_who_aborted_it_and_that_its_remaining_tasks_were_run) {
    auto cluster = page();
    Job job = *cluster.job;
    job.id = JobId{12};
    job.status = JobStatus::failed;
    job.aborted = true;
    job.message = "Aborted by user.";
    const auto line = [&] { return jobs_json(cluster, {job}).at("jobs")[0]; };
    BOOST_TEST(line().at("message") == "Aborted by user.");
    cluster.retries = {{.job = JobId{12}, .kind = JobRetry::Kind::abort, .user = "ada"}};

    BOOST_TEST(line().at("message") == "Aborted by ada.");
    BOOST_TEST(line().at("retries").empty());

    job.status = JobStatus::complete;
    job.aborted = false;
    job.message.clear();
    cluster.retries.insert(cluster.retries.begin(), {.job = JobId{12}, .user = "grace"});
    const auto retries = line().at("retries");
    BOOST_REQUIRE(retries.size() == 2U);
    BOOST_TEST(retries[0].at("words") == "Aborted by ada");
    BOOST_TEST(retries[1].at("words") == "Remaining tasks run by grace");
}

BOOST_AUTO_TEST_CASE(a_job_that_configures_says_what_it_changed) {
    auto cluster = page();
    Job job = *cluster.job;
    job.id = JobId{12};
    job.operation = Operation::cluster_configure;
    const auto changed = [&] { return jobs_json(cluster, {job}).at("jobs")[0].at("changed"); };
    // Two within a second: the next one was recorded when this job began.
    cluster.retries = {{.job = JobId{13},
                        .kind = JobRetry::Kind::configure,
                        .at = job.created_at,
                        .changed = {"web.title removed"}},
                       {.job = JobId{12},
                        .kind = JobRetry::Kind::configure,
                        .at = job.created_at + 1s,
                        .changed = {"web.port from 80 to 81"}}};

    BOOST_TEST(changed() == "Changed: web.port from 80 to 81.");
    job.id = JobId{11};
    BOOST_TEST(changed() == "", "nothing is said of a job that no event names");
}

BOOST_AUTO_TEST_CASE(the_time_between_a_failure_and_its_retry_is_told_but_not_counted) {
    auto cluster = page();
    Job& job = *cluster.job;
    job.id = JobId{12};
    job.finished_at = job.created_at + 3h + 12s;
    cluster.breaks = {
        {.job = JobId{12}, .begin = job.created_at + 7s, .end = job.created_at + 3h + 7s},
        {.job = JobId{11}, .begin = job.created_at, .end = job.created_at + 9h}};

    const auto line = jobs_json(cluster, {job}).at("jobs")[0];

    BOOST_TEST(line.at("took") == "12 s, idle for 3 hours");
    BOOST_TEST(line.at("lasted") == "took 12 s, idle for 3 hours");
}

BOOST_AUTO_TEST_CASE(of_many_failures_of_a_job_the_list_does_not_take_one_for_the_reason) {
    auto cluster = page();
    Job job = *cluster.job;
    job.id = JobId{12};
    job.status = JobStatus::failed;
    job.message = "failed start web on shop-7-1000.local: no space";
    const auto line = [&] { return jobs_json(cluster, {job}).at("jobs")[0].at("message"); };
    const auto alone = line();
    cluster.kinds_of_jobs[JobId{11}] = {
        {.kind = {Action::start, "web"}, .state = TaskState::failed, .tasks = 3},
        {.kind = {Action::install, "web"}, .state = TaskState::failed, .tasks = 2}};
    BOOST_TEST(line() == alone);

    cluster.kinds_of_jobs[JobId{12}] = cluster.kinds_of_jobs[JobId{11}];
    BOOST_TEST(line() == "5 tasks failed, most often start web (3)");
}

BOOST_AUTO_TEST_SUITE_END()
