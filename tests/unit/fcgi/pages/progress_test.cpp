#include "fcgi/pages/progress.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/jobs/job_end.hpp"

using namespace std::chrono_literals;
using fcgi::pages::time_taken;
using provisioner::model::Task;
using provisioner::model::TaskState;

BOOST_AUTO_TEST_SUITE(progress)

namespace {

const auto began = provisioner::base::from_sql("2026-11-20 10:00:00");

Task a_task(TaskState state, int attempt) {
    Task task;
    task.state = state;
    task.attempt = attempt;
    return task;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_task_of_one_attempt_took_from_its_begin_to_its_end) {
    Task task = a_task(TaskState::claimed, 1);
    BOOST_TEST(time_taken(task, began) == "");

    task.started_at = began;
    BOOST_TEST(time_taken(task, began + 5s) == "5 s");

    task.finished_at = began + 7s;
    BOOST_TEST(time_taken(task, began + 60s) == "7 s");
}

BOOST_AUTO_TEST_CASE(the_pause_before_a_retry_is_no_time_of_a_task) {
    Task task = a_task(TaskState::failed, 2);
    task.started_at = began;
    task.finished_at = began + 5min;
    task.attempt_began = began + 4min;
    task.attempt_ended = began + 4min + 3s;

    BOOST_TEST(time_taken(task, began + 1h) == "3 s, attempt 2");
}

BOOST_AUTO_TEST_CASE(a_task_that_waits_to_be_tried_again_does_not_go_on_taking_time) {
    Task task = a_task(TaskState::ready, 1);
    task.started_at = began;
    task.attempt_began = began;
    task.attempt_ended = began + 2s;

    BOOST_TEST(time_taken(task, began + 1min) == "2 s");
}

BOOST_AUTO_TEST_CASE(what_was_aborted_is_not_called_a_failure) {
    using namespace provisioner::model;
    Job job;
    job.operation = Operation::cluster_create;
    job.status = JobStatus::failed;
    BOOST_TEST(fcgi::pages::shown_status(ClusterStatus::incomplete, job, 0).words ==
               "creation failed");

    job.aborted = true;

    const auto shown = fcgi::pages::shown_status(ClusterStatus::incomplete, job, 0);
    BOOST_TEST(shown.words == "creation aborted");
    BOOST_TEST(shown.css == "stopped");
    job.operation = Operation::cluster_grow;
    BOOST_TEST(fcgi::pages::shown_status(ClusterStatus::incomplete, job, 0).words ==
               "growth aborted");
    job.operation = Operation::cluster_configure;
    BOOST_TEST(fcgi::pages::shown_status(ClusterStatus::inconsistent, job, 2).words ==
               "configuration aborted, 2 services stopped");
}

BOOST_AUTO_TEST_CASE(the_status_of_a_failed_cluster_names_what_failed) {
    using namespace provisioner::model;
    const auto words = [](ClusterStatus status, Operation operation) {
        Job job;
        job.operation = operation;
        job.status = JobStatus::failed;
        return fcgi::pages::shown_status(status, job, 0).words;
    };

    BOOST_TEST(words(ClusterStatus::incomplete, Operation::cluster_create) == "creation failed");
    BOOST_TEST(words(ClusterStatus::incomplete, Operation::cluster_grow) == "growth failed");
    BOOST_TEST(words(ClusterStatus::incomplete, Operation::cluster_shrink) == "shrink failed");
    BOOST_TEST(words(ClusterStatus::incomplete, Operation::cluster_delete) == "deletion failed");
    BOOST_TEST(words(ClusterStatus::inconsistent, Operation::restart_services) == "restart failed");
    BOOST_TEST(words(ClusterStatus::inconsistent, Operation::cluster_configure) ==
               "configuration failed");
    BOOST_TEST(fcgi::pages::shown_status(ClusterStatus::incomplete, std::nullopt, 0).words ==
               "creation failed");
}

BOOST_AUTO_TEST_CASE(a_job_that_finishes_another_without_some_machines_is_no_shrink) {
    using namespace provisioner::model;
    Job job;
    job.operation = Operation::cluster_shrink;
    const auto words = [&](ClusterStatus status) {
        return fcgi::pages::shown_status(status, job, 0).words;
    };
    BOOST_TEST(fcgi::pages::heading_of(job) == "Shrinking the cluster");
    job.is_finishing = true;

    BOOST_TEST(fcgi::pages::heading_of(job) == "Going on without some machines");
    BOOST_TEST(words(ClusterStatus::pending) == "going on without some machines");
    job.status = JobStatus::failed;
    BOOST_TEST(words(ClusterStatus::incomplete) == "going on without machines failed");
    job.aborted = true;
    BOOST_TEST(words(ClusterStatus::incomplete) == "going on without machines aborted");
}

BOOST_AUTO_TEST_CASE(a_job_that_only_keeps_machines_goes_on_without_none) {
    using namespace provisioner::model;
    Job job;
    job.operation = Operation::cluster_shrink;
    job.is_finishing = true;
    job.only_keeps = true;

    BOOST_TEST(fcgi::pages::heading_of(job) == "Keeping all machines");
    BOOST_TEST(fcgi::pages::shown_status(ClusterStatus::pending, job, 0).words ==
               "keeping all machines");
}

BOOST_AUTO_TEST_CASE(a_job_that_goes_back_is_called_so_whatever_else_it_does) {
    using namespace provisioner::model;
    Job job;
    job.operation = Operation::cluster_shrink;
    job.is_finishing = true;
    job.only_keeps = true;
    job.goes_back = true;

    BOOST_TEST(fcgi::pages::heading_of(job) == "Going back to the last configuration that worked");
    BOOST_TEST(fcgi::pages::shown_status(ClusterStatus::pending, job, 0).words ==
               "going back to the last configuration that worked");
    job.status = JobStatus::failed;
    BOOST_TEST(fcgi::pages::shown_status(ClusterStatus::incomplete, job, 0).words ==
               "going back to the last configuration failed");
}

BOOST_AUTO_TEST_CASE(a_job_that_goes_on_without_services_is_no_removal_and_names_them) {
    using namespace provisioner::model;
    Job job;
    job.operation = Operation::remove_services;
    const auto words = [&](ClusterStatus status) {
        return fcgi::pages::shown_status(status, job, 0).words;
    };
    BOOST_TEST(fcgi::pages::heading_of(job) == "Removing services");
    job.without = {"cache", "log"};

    fcgi::pages::Labels labels;
    labels.add(CatalogueKind::service, {{"cache", "Redis"}});
    BOOST_TEST(fcgi::pages::heading_of(job, labels) == "Going on without Redis and log");
    job.leaves_as_is = true;
    BOOST_TEST(fcgi::pages::heading_of(job, labels) == "Leaving Redis and log as they are");
    job.leaves_as_is = false;
    BOOST_TEST(words(ClusterStatus::pending) == "going on without some services");
    job.status = JobStatus::failed;
    BOOST_TEST(words(ClusterStatus::inconsistent) == "going on without services failed");
    job.aborted = true;
    BOOST_TEST(words(ClusterStatus::inconsistent) == "going on without services aborted");
}

BOOST_AUTO_TEST_CASE(what_an_abort_has_left_of_some_machines_is_run_and_not_retried) {
    using fcgi::pages::label_of_retry;
    BOOST_TEST(label_of_retry(false, 1) == "Retry this machine");
    BOOST_TEST(label_of_retry(false, 1200) == "Retry these 1,200 machines");
    BOOST_TEST(label_of_retry(true, 1) == "Run the remaining tasks of this machine");
    BOOST_TEST(label_of_retry(true, 2) == "Run the remaining tasks of these 2 machines");
}

BOOST_AUTO_TEST_CASE(what_was_not_retried_is_said_by_the_status_as_elsewhere) {
    using namespace provisioner::model;
    Job job;
    job.operation = Operation::cluster_create;
    job.status = JobStatus::failed;
    job.message = left_out_message;

    const auto shown = fcgi::pages::shown_status(ClusterStatus::incomplete, job, 0);
    BOOST_TEST(shown.words == "creation not finished");
    BOOST_TEST(shown.css == "stopped");
    job.operation = Operation::restart_services;
    BOOST_TEST(fcgi::pages::shown_status(ClusterStatus::inconsistent, job, 0).words ==
               "change not finished");
}

BOOST_AUTO_TEST_CASE(a_cluster_without_a_layout_was_never_created) {
    using namespace provisioner::model;
    Job job;
    job.operation = Operation::solve_layout;
    job.status = JobStatus::failed;
    BOOST_TEST(fcgi::pages::shown_status(ClusterStatus::terminated, job, 0).words ==
               "never created");

    job.operation = Operation::cluster_delete;

    BOOST_TEST(fcgi::pages::shown_status(ClusterStatus::terminated, job, 0).words == "deleted");
}

BOOST_AUTO_TEST_CASE(a_failure_is_said_once) {
    Task task = a_task(TaskState::failed, 1);
    task.action = provisioner::model::Action::install;
    task.service = "cache";
    using fcgi::pages::said_once;
    task.message = "install cache ended with exit code 100: install cache: no such package";
    BOOST_TEST(said_once(task) == "exit code 100: no such package");
    BOOST_TEST(said_once(task, false) == "no such package");
    task.message = "make directories ended with exit code 1: make directories: disk full";
    BOOST_TEST(said_once(task) == "make directories: exit code 1: disk full");
    BOOST_TEST(said_once(task, false) == "make directories: disk full");
    task.message = "install cache ended with exit code 3";
    BOOST_TEST(said_once(task) == "exit code 3");
    BOOST_TEST(said_once(task, false) == "");
    task.message = "the machine does not answer";
    BOOST_TEST(said_once(task) == "the machine does not answer");
    task.message = "install cache was stopped after 60 s: install cache: downloading";
    BOOST_TEST(said_once(task, false) == "stopped after 60 s: downloading");
}

BOOST_AUTO_TEST_CASE(the_next_attempt_has_the_number_that_its_log_will_have) {
    using namespace fcgi::pages;
    Task task = a_task(TaskState::ready, 4);
    task.message = "make directories ended with exit code 1 (try 1 of 3, the next one after 2 s)";
    BOOST_TEST(said_once(task) == "make directories: exit code 1");
    BOOST_TEST(said_with_next(task) ==
               "make directories: exit code 1 (attempt 5 of 6 starts 2 s after the last one)");
    task.state = TaskState::claimed;
    task.attempt = 5;
    BOOST_TEST(said_with_next(task) == "make directories: exit code 1 (attempt 5 of 6 is running)");
    task.state = TaskState::failed;
    BOOST_TEST(said_with_next(task) == "make directories: exit code 1");
    task.state = TaskState::ready;
    task.message = "waits for an address (try it)";
    BOOST_TEST(said_with_next(task) == task.message);
}

BOOST_AUTO_TEST_CASE(the_reason_of_a_job_names_its_step_once) {
    using fcgi::pages::reason_said_once;
    BOOST_TEST(reason_said_once("install cache on shop-7-1000: make directories ended with exit "
                                "code 1: make directories: disk full") ==
               "install cache on shop-7-1000: make directories: exit code 1: disk full");
    BOOST_TEST(reason_said_once("install cache on shop-7-1000: install cache ended with exit code "
                                "100: install cache: no such package") ==
               "install cache on shop-7-1000: exit code 100: no such package");
    BOOST_TEST(reason_said_once("create on shop-7-1000: no credit") ==
               "create on shop-7-1000: no credit");
    BOOST_TEST(reason_said_once("Aborted by user.") == "Aborted by user.");
}

BOOST_AUTO_TEST_CASE(begin_and_end_are_those_of_one_attempt) {
    using namespace fcgi::pages;
    Task task = a_task(TaskState::failed, 2);
    task.started_at = began;
    task.finished_at = began + 1min;
    task.attempt_began = began + 20s;
    task.attempt_ended = began + 23s;
    BOOST_TEST((begin_of_attempt(task) == began + 20s));
    BOOST_TEST((end_of_attempt(task, began + 2min) == began + 23s));
    // It waits for the next one.
    task.state = TaskState::ready;
    BOOST_TEST(!begin_of_attempt(task));
    task.attempt_ended.reset();
    BOOST_TEST((begin_of_attempt(task) == began + 20s));
    task.state = TaskState::blocked;
    BOOST_TEST(!begin_of_attempt(task));
}

BOOST_AUTO_TEST_SUITE_END()
