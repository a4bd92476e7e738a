#include <boost/test/unit_test.hpp>

#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/clusters/question_page.hpp"
#include "fcgi/pages/clusters/settings_page.hpp"
#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/model/plugins/sealed.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::from_sql;

BOOST_AUTO_TEST_CASE(a_moment_survives_the_way_through_the_form) {
    const auto moment = from_sql("2026-12-24 18:05:00");

    BOOST_TEST(input_of(moment) == "2026-12-24T18:05");
    BOOST_TEST((moment_in("2026-12-24T18:05") == moment));
    BOOST_TEST((moment_in("2026-12-24T18:05:30") == from_sql("2026-12-24 18:05:30")));
    for (const char* text : {"", "tomorrow", "2026-12-24 18:05", "2026-12-24Txx:05"}) {
        BOOST_TEST(!moment_in(text).has_value());
    }
}

BOOST_AUTO_TEST_CASE(a_cluster_that_cannot_be_configured_says_so_before_anything_is_typed) {
    ConfigurePage page;
    page.cluster.id = ClusterId{7};
    page.cluster.status = ClusterStatus::inconsistent;
    BOOST_TEST(to_json(page).at("blocked").is_null());
    page.cluster.status = ClusterStatus::pending;
    BOOST_TEST(to_json(page).at("blocked").at("words") ==
               "A job is running on this cluster. You can change the cluster when it has "
               "ended.");
    page.job = Job();
    page.job->status = JobStatus::paused;
    BOOST_TEST(
        to_json(page).at("blocked").at("words") ==
        "A job of this cluster is paused. You can change the cluster when the job has ended. "
        "It goes on when you resume it.");
    BOOST_TEST(to_json(page).at("blocked").at("ways")[0].at("post") == "/clusters/00000007/resume");
    page.job.reset();
    page.cluster.status = ClusterStatus::incomplete;
    BOOST_TEST(to_json(page).at("blocked").at("ways")[0].at("label") == "See its state");
    page.job = Job();
    page.job->operation = Operation::cluster_create;
    page.job->status = JobStatus::failed;
    BOOST_TEST(to_json(page).at("blocked").is_null());
    page.job->operation = Operation::cluster_delete;
    BOOST_TEST(to_json(page).at("blocked").at("ways")[0].at("post") == "/clusters/00000007/retry");
    page.cluster.status = ClusterStatus::terminated;
    BOOST_TEST(to_json(page).at("blocked").at("ways")[0].at("href") ==
               "/clusters/new?like=00000007");
}

BOOST_AUTO_TEST_CASE(what_was_typed_before_a_job_began_is_not_lost) {
    ConfigurePage page;
    page.cluster.config = {{"port", 80}};
    page.cluster.status = ClusterStatus::pending;
    page.config = text_of_config(page.cluster.config, page.cluster.config);
    page.problems = {{"", "Cluster is not in a configurable state."}};
    BOOST_TEST(to_json(page).at("typed") == "");
    // The box says why, and once.
    BOOST_TEST(to_json(page).at("problems").empty());
    page.config = "{\"port\": 81}";
    BOOST_TEST(to_json(page).at("typed") == page.config);
    page.cluster.status = ClusterStatus::active;
    BOOST_TEST(to_json(page).at("typed") == "");
    BOOST_TEST(!to_json(page).at("problems").empty());
}

BOOST_AUTO_TEST_CASE(a_creation_whose_remaining_machines_wait_is_not_said_to_have_failed) {
    ConfigurePage page;
    page.cluster.status = ClusterStatus::incomplete;
    page.cluster.message = left_out_message;
    page.job = Job();
    page.job->operation = Operation::cluster_create;
    page.job->status = JobStatus::failed;
    page.job->message = left_out_message;

    BOOST_TEST(to_json(page).at("job_words") == "The creation is not finished.");
    BOOST_TEST(to_json(page).at("job_look") == "warn");
}

BOOST_AUTO_TEST_CASE(each_end_of_a_job_has_its_own_way_out) {
    Cluster cluster;
    cluster.id = ClusterId{7};
    cluster.status = ClusterStatus::incomplete;
    Job job;
    job.operation = Operation::cluster_create;
    job.status = JobStatus::failed;
    const auto words = [&](bool wrong) {
        return blocked_json(cluster, job, {}, {.has_wrong_configuration = wrong})
            .at("words")
            .get<std::string>();
    };
    const auto ways = [&](bool wrong) {
        const auto json = blocked_json(cluster, job, {}, {.has_wrong_configuration = wrong});
        std::string all;
        for (const auto& way : json.at("ways")) all += way.at("label").get<std::string>() + ". ";
        return all;
    };
    BOOST_TEST(words(false).starts_with("The creation failed. Retry it, with the same"));
    BOOST_TEST(ways(false) == "Retry. Change configuration and retry. Create again. ");
    BOOST_TEST(words(true).starts_with("A value of the configuration is wrong"));
    BOOST_TEST(ways(true) == "Change configuration and retry. Retry. Create again. ");
    job.aborted = true;
    BOOST_TEST(words(false).starts_with("The creation was aborted. Run the remaining tasks"));
    BOOST_TEST(ways(false) == "Run the remaining tasks. Change configuration and retry. ");

    job = Job();
    job.status = JobStatus::failed;
    job.operation = Operation::cluster_configure;
    cluster.status = ClusterStatus::inconsistent;
    BOOST_TEST(words(false).starts_with("The latest configuration failed"));
    job.aborted = true;
    BOOST_TEST(
        words(false) ==
        "The latest job was aborted. Run the remaining tasks, change the configuration or go "
        "back.");
    job.aborted = false;
    BOOST_TEST(ways(true) ==
               "Change the configuration. Go back to the last configuration that worked. Retry. ");
    const auto broken = blocked_json(cluster, job, {}, {.failed_machines = 2});
    BOOST_TEST(
        broken.at("words") ==
        "The latest configuration failed. If a value of it is wrong, change it or go back: a "
        "retry applies the same values again. If the 2 machines that failed are broken, go "
        "on without them.");
    BOOST_TEST(broken.at("ways").back().at("label") == "Go on without the 2 machines that failed");
    job.operation = Operation::cluster_grow;
    cluster.status = ClusterStatus::incomplete;
    BOOST_TEST(ways(false) == "Retry. Change configuration and retry. ");
    BOOST_TEST(ways(true) == "Change configuration and retry. Retry. ");
    const auto without = blocked_json(cluster, job, {}, {.failed_machines = 10});
    BOOST_TEST(without.at("words") ==
               "The latest job failed. Retry it, go on without the machines that failed, or change "
               "the configuration and retry.");
    BOOST_TEST(without.at("ways")[1].at("label") == "Go on without the 10 machines that failed");
    BOOST_TEST(without.at("ways")[1].at("href") == "/clusters/00000007/shrink");
    job.aborted = true;
    BOOST_TEST(blocked_json(cluster, job, {}, {.aborted_by = "ada"}).at("words") ==
               "The latest job was aborted by ada. Run the remaining tasks, or change the "
               "configuration and retry.");
    BOOST_TEST(ways(false) == "Run the remaining tasks. Change configuration and retry. ");
    const auto unfinished = blocked_json(cluster, job, {}, {.failed_machines = 2});
    BOOST_TEST(unfinished.at("ways")[1].at("label") == "Go on without the 2 unfinished machines");
    BOOST_TEST(unfinished.at("words") ==
               "The latest job was aborted. Run the remaining tasks, go on without the machines "
               "that are not finished, or change the configuration and retry.");
    BOOST_TEST(blocked_json(cluster, job, {}, {.failed_services = {"log"}}).at("words") ==
               "The latest job was aborted. Run the remaining tasks, go on without the services "
               "that are not finished, or change the configuration and retry.");
    // The first one is filled.
    const auto first = blocked_json(cluster, job, {}).at("ways")[0];
    BOOST_TEST(first.at("look") == "primary");
    BOOST_TEST(first.at("post") == "/clusters/00000007/retry");
    job.operation = Operation::add_services;
    job.aborted = false;
    cluster.status = ClusterStatus::inconsistent;
    cluster.services = {"cache", "log", "web"};
    const EndFacts addition{.failed_services = {"cache", "log"}};
    const auto additions = blocked_json(cluster, job, {}, addition);
    BOOST_TEST(additions.at("words") ==
               "The latest job failed. Retry it, go on without the services that failed, or change "
               "the configuration and retry.");
    BOOST_TEST(additions.at("ways")[1].at("label") == "Go on without cache and log");
    BOOST_TEST(
        additions.at("ways")[1].at("href") ==
        "/clusters/00000007/services/remove?restart=false&services=cache&services=log#preview");
    job.operation = Operation::remove_services;
    const auto removal =
        blocked_json(cluster, job, {}, {.failed_services = {"log"}, .left_behind = {{"mail", 2}}});
    BOOST_TEST(removal.at("words").get<std::string>().ends_with(
        " mail is not yet removed from 2 machines."));
    BOOST_TEST(removal.at("ways")[1].at("href") ==
               "/clusters/00000007/services/remove?services=log#preview");
    BOOST_TEST(removal.at("ways")[2].at("label") == "Go on and leave mail as it is");
    BOOST_TEST(removal.at("ways")[2].at("href") ==
               "/clusters/00000007/services/remove?force=true&services=mail#preview");
    cluster.status = ClusterStatus::incomplete;
    job.operation = Operation::cluster_delete;
    BOOST_TEST(words(false).starts_with("The deletion failed. Retry it"));
}

BOOST_AUTO_TEST_CASE(the_sentence_after_a_failure_names_the_ways_that_have_buttons) {
    Cluster cluster;
    cluster.status = ClusterStatus::inconsistent;
    Job job;
    job.status = JobStatus::failed;
    job.operation = Operation::remove_services;
    EndFacts end{.left_behind = {{"mail", 1}}};
    const auto words = [&] { return ways_out(cluster, job, end).words; };

    BOOST_TEST(words() ==
               "The latest job failed. Retry it, go on and leave mail as it is, or change the "
               "configuration and retry. mail is not yet removed from 1 machine.");
    end.failed_machines = 3;
    BOOST_TEST(words() ==
               "The latest job failed. Retry it, go on without the machines that failed, go on and "
               "leave mail as it is, or change the configuration and retry. mail is not yet "
               "removed from 1 machine.");
    BOOST_TEST(ways_out(cluster, job, end).ways[1].label ==
               "Go on without the 3 machines that failed");
    end.failed_machines = 0;
    end.left_behind.emplace_back("news", 1);
    BOOST_TEST(words().find("leave mail and news as they are, or") != std::string::npos);
    BOOST_TEST(ways_out(cluster, job, end).ways[1].label ==
               "Go on and leave mail and news as they are");
    job.aborted = true;
    end = {.failed_services = {"log"}, .left_behind = {{"mail", 1}}};
    BOOST_TEST(words() ==
               "The latest job was aborted. Run the remaining tasks, go on without the services "
               "that are not finished, or change the configuration and retry. mail is not yet "
               "removed from 1 machine.");
    job = {};
    job.status = JobStatus::failed;
    job.operation = Operation::cluster_create;
    cluster.status = ClusterStatus::incomplete;
    end = {.failed_machines = 2};
    BOOST_TEST(words().starts_with(
        "The creation failed. Retry it, with the same configuration or another one, or go on "
        "without the machines that failed. For another"));
    job.operation = Operation::cluster_delete;
    BOOST_TEST(ways_out(cluster, job, {}).words ==
               "The deletion failed. Retry it: the cluster can only be deleted.");
}

BOOST_AUTO_TEST_CASE(a_failed_or_aborted_creation_is_retried_with_another_configuration) {
    ConfigurePage page;
    page.cluster.status = ClusterStatus::incomplete;
    page.cluster.message = "configure web failed on shop-1: port: eighty is no number";
    page.touched = {"web"};
    page.job = Job();
    page.job->operation = Operation::cluster_create;
    page.job->status = JobStatus::failed;

    BOOST_TEST(to_json(page).at("retries") == true);
    BOOST_TEST(to_json(page).at("job_words") ==
               "The creation failed: configure web failed on shop-1: port: eighty is no number");
    page.kinds = {{.kind = {Action::configure, "web"}, .state = TaskState::failed, .tasks = 52}};
    BOOST_TEST(to_json(page).at("job_words") ==
               "The creation failed: configure web failed on 52 machines");
    // It says itself what is restarted.
    BOOST_TEST(to_json(page).at("has_restarts") == false);
    page.job->aborted = true;
    BOOST_TEST(to_json(page).at("retries") == true);
    BOOST_TEST(to_json(page).at("job_words") == "The creation was aborted.");
    BOOST_TEST(to_json(page).at("job_look") == "warn");
    page.cluster.status = ClusterStatus::active;
    BOOST_TEST(to_json(page).at("retries") == false);
    BOOST_TEST(to_json(page).at("job_words") == "");
}

BOOST_AUTO_TEST_CASE(a_growth_that_met_a_wrong_value_is_finished_with_another_configuration) {
    ConfigurePage page;
    page.cluster.status = ClusterStatus::incomplete;
    page.cluster.message = "configure web failed on shop-1: port: eighty is no number";
    page.touched = {"web"};
    page.job = Job();
    page.job->operation = Operation::cluster_grow;
    page.job->status = JobStatus::failed;

    const auto json = to_json(page);

    BOOST_TEST(json.at("blocked").is_null());
    BOOST_TEST(json.at("retries") == true);
    BOOST_TEST(json.at("finishes") == true);
    BOOST_TEST(json.at("job_words") ==
               "The latest job failed: configure web failed on shop-1: port: eighty is no number");
    page.job->operation = Operation::cluster_delete;
    BOOST_TEST(!to_json(page).at("blocked").is_null());
    BOOST_TEST(to_json(page).at("finishes") == false);
}

BOOST_AUTO_TEST_CASE(a_configuration_that_was_aborted_is_not_said_to_have_failed) {
    ConfigurePage page;
    page.cluster.status = ClusterStatus::inconsistent;
    page.cluster.message = "Aborted by user.";
    page.working = provisioner::base::Json{{"port", 80}};
    page.job = Job();
    page.job->operation = Operation::cluster_configure;
    page.job->status = JobStatus::failed;
    BOOST_TEST(to_json(page).at("failed").at("title") == "This configuration failed");

    page.job->aborted = true;

    BOOST_TEST(to_json(page).at("failed").at("title") == "This configuration was aborted");
    BOOST_TEST(to_json(page).at("failed").at("reason") == "");
    page.end.aborted_by = "ada";
    BOOST_TEST(to_json(page).at("failed").at("title") == "This configuration was aborted by ada");
}

BOOST_AUTO_TEST_CASE(without_a_change_an_aborted_job_has_its_remaining_tasks_run) {
    ConfigurePage page;
    page.preview = page.cluster.config;
    BOOST_TEST(to_json(page).at("anyway") == "Apply it again");
    page.cluster.status = ClusterStatus::incomplete;
    page.job.emplace();
    page.job->operation = Operation::cluster_grow;
    page.job->status = JobStatus::failed;
    BOOST_TEST(to_json(page).at("anyway") == "Retry without changes");
    page.job->aborted = true;
    BOOST_TEST(to_json(page).at("anyway") == "Run the remaining tasks");
    BOOST_TEST(to_json(page).at("same_words") ==
               "Nothing changes: the cluster has this configuration. You can run the remaining "
               "tasks with it.");
}

BOOST_AUTO_TEST_CASE(a_preview_without_a_difference_says_that_nothing_changes) {
    ConfigurePage page;
    page.cluster.config = {{"port", 80}};
    BOOST_TEST(to_json(page).at("same") == false);
    page.preview = page.cluster.config;
    BOOST_TEST(to_json(page).at("same") == true);
    page.preview = {{"port", 8080}};
    BOOST_TEST(to_json(page).at("same") == false);
    BOOST_TEST(to_json(page).at("empties") == false);
    page.preview = provisioner::base::Json::object();
    BOOST_TEST(to_json(page).at("empties") == true);
    page.cluster.config = provisioner::base::Json::object();
    BOOST_TEST(to_json(page).at("empties") == false);
}

BOOST_AUTO_TEST_CASE(a_preview_has_the_plan_of_its_job_where_something_changes) {
    ConfigurePage page;
    page.cluster.config = {{"port", 80}};
    page.preview = {{"port", 8080}};
    page.nodes.resize(1);
    page.touched = {"web"};
    BOOST_TEST(to_json(page).at("plan").is_null());
    BOOST_TEST(to_json(page).at("has_restarts") == true);
    page.plan.emplace();
    page.plan->add({0, Action::stop, "web"});

    BOOST_TEST(to_json(page).at("plan").at("plan_sentence") ==
               "1 task in 1 stage, counted by action");
    BOOST_TEST(to_json(page).at("plan").at("tasks").size() == 1U);
    // It says what restarts.
    BOOST_TEST(to_json(page).at("has_restarts") == false);
    page.preview = page.cluster.config;
    BOOST_TEST(to_json(page).at("plan").is_null());
}

BOOST_AUTO_TEST_CASE(a_configuration_that_finishes_a_failed_job_says_what_that_has_left) {
    ConfigurePage page;
    page.cluster.status = ClusterStatus::incomplete;
    page.cluster.config = {{"port", 80}};
    page.preview = {{"port", 8080}};
    page.job = Job{};
    page.job->operation = Operation::cluster_shrink;
    page.job->status = JobStatus::failed;
    page.nodes.resize(1);
    page.plan.emplace();
    page.plan->add({0, Action::stop, "web"});
    BOOST_TEST(to_json(page).at("button") == "Retry with this configuration");
    BOOST_TEST(to_json(page).at("button_look") == "primary");

    auto& change = page.finish.emplace();
    change.nodes.resize(2);
    change.nodes[0].node.id = NodeId{1};
    change.nodes[0].node.services = {"web"};
    change.nodes[0].node.hostname = "h1";
    change.nodes[0].leaving = {"agent"};
    change.nodes[1].node.hostname = "h2";
    change.nodes[1].membership = provisioner::planner::Membership::leaves;
    change.graph = *page.plan;

    const auto json = to_json(page);

    BOOST_TEST(json.at("plan").at("touched").dump() ==
               R"([{"text":"Interrupted by a restart: web"},{"text":"h1 loses agent"},)"
               R"({"text":"Removed: h2"}])");
    BOOST_TEST(json.at("button") == "Retry with this configuration and remove 1 machine");
    BOOST_TEST(json.at("button_look") == "danger");
    page.job.reset();
    page.finish.reset();
    page.cluster.status = ClusterStatus::active;
    BOOST_TEST(to_json(page).at("button") == "Configure");
}

BOOST_AUTO_TEST_CASE(passwords_can_be_shown_whenever_some_are_hidden_in_what_was_typed) {
    ConfigurePage page;
    page.cluster.config = {{"db", {{"password", "old"}}}};
    page.config = text_of_config(page.cluster.config, page.cluster.config);
    BOOST_TEST(to_json(page).at("has_mask") == true);
    page.preview = page.cluster.config;
    BOOST_TEST(to_json(page).at("has_mask") == true);
    page.preview.reset();
    page.config = page.cluster.config.dump(2);
    BOOST_TEST(to_json(page).at("has_mask") == false);
}

BOOST_AUTO_TEST_CASE(a_restart_interrupts_no_service_that_is_stopped_on_all_its_machines) {
    using namespace provisioner::model;
    Node first;
    first.id = NodeId{1};
    first.services = {"db", "web"};
    Node second;
    second.id = NodeId{2};
    second.services = {"cache", "db", "web"};

    const auto left = without_stopped({"cache", "db", "web"}, {first, second},
                                      {{.node = first.id, .service = "web", .action = Action::stop},
                                       {.node = second.id, .service = "web"},
                                       {.node = first.id, .service = "db", .action = Action::stop},
                                       {.node = second.id, .service = "db", .action = Action::stop},
                                       {.node = second.id,
                                        .service = "cache",
                                        .action = Action::stop,
                                        .state = TaskState::failed}});

    BOOST_TEST(left == (std::vector<std::string>{"cache", "web"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(passwords_of_a_configuration_are_masked_where_they_are_edited) {
    const auto present = provisioner::base::parse_json(
        R"({"db": {"password": "old", "port": 1}, "users": [{"password": "a"}]})");
    const auto earlier = provisioner::base::parse_json(
        R"({"db": {"password": "older", "port": 1}, "users": [{"password": "a"}]})");

    const auto text = text_of_config(*present, *present);
    BOOST_TEST(text.find("old") == std::string::npos);
    BOOST_TEST(text.find("\"port\": 1") != std::string::npos);
    BOOST_TEST((*with_masked_config(*provisioner::base::parse_json(text), *present) == *present));
    // A mask stands for the present value, so another one is in the clear.
    const auto other = text_of_config(*earlier, *present);
    BOOST_TEST(other.find("\"password\": \"older\"") != std::string::npos);
    BOOST_TEST(other.find("\"password\": \"********\"") != std::string::npos);
    BOOST_TEST((*with_masked_config(*provisioner::base::parse_json(other), *present) == *earlier));
}

BOOST_AUTO_TEST_CASE(a_list_with_another_password_is_edited_in_the_clear) {
    const auto present = provisioner::base::parse_json(
        R"({"users": [{"name": "a", "password": "x"}, {"name": "b", "password": "old"}]})");
    const auto earlier = provisioner::base::parse_json(
        R"({"users": [{"name": "a", "password": "x"}, {"name": "b", "password": "new"}]})");

    const auto text = text_of_config(*earlier, *present);

    BOOST_TEST((*with_masked_config(*provisioner::base::parse_json(text), *present) == *earlier));
}

BOOST_AUTO_TEST_CASE(a_preview_says_that_a_password_changes_and_not_what_it_is) {
    ConfigurePage page;
    page.cluster.config = *provisioner::base::parse_json(R"({"db": {"password": "beer"}})");
    page.config = R"({"db": {"password": "********"}})";
    page.preview = page.cluster.config;
    const auto difference = [&] { return to_json(page).at("preview").at("difference").dump(); };

    BOOST_TEST(to_json(page).at("preview").at("difference").at("is_equal") == true);
    BOOST_TEST(to_json(page).at("fields")[0].at("hint") ==
               "A JSON object. It replaces the current configuration. "
               "Passwords that read ******** stay as they are.");
    page.preview = provisioner::base::parse_json(R"({"db": {"password": "wine"}})");
    BOOST_TEST(difference().find("******** (changed)") != std::string::npos);
    BOOST_TEST(difference().find("wine") == std::string::npos);
    BOOST_TEST(difference().find("beer") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_form_says_which_configuration_was_previewed) {
    ConfigurePage page;
    page.config = R"({"web": {"port": 80}})";
    BOOST_TEST(to_json(page).at("previewed") == "");

    page.preview = provisioner::base::parse_json(page.config);
    const auto of = [&](const char* text) {
        return sum_of_config(*provisioner::base::parse_json(text), page.cluster.config,
                             page.restart);
    };
    BOOST_TEST(to_json(page).at("previewed") == of("{ \"web\":\r\n{\"port\": 80} }"));
    BOOST_TEST(to_json(page).at("previewed") != of(R"({"web": {"port": 81}})"));

    // Another choice of restarts has another plan.
    const std::string with_restart = to_json(page).at("previewed");
    page.restart = false;
    BOOST_TEST(to_json(page).at("previewed") != with_restart);

    // Somebody else has applied another one since.
    const std::string before = of(page.config.c_str());
    page.cluster.config = {{"web", {{"port", 8080}}}};
    BOOST_TEST(to_json(page).at("previewed") != before);
}

BOOST_AUTO_TEST_CASE(the_rules_of_a_lease_are_said_beside_its_field) {
    LeasePage page{.now = provisioner::base::from_sql("2026-12-01 10:00:00")};
    const auto hint = [&] { return to_json(page).at("fields")[0].at("hint").get<std::string>(); };
    BOOST_TEST(hint() == "The template sets no limit.");

    auto& lease = page.cluster.snapshot.cluster_template.lease;
    lease.max = std::chrono::hours{240};
    BOOST_TEST(hint() == "The lease may end at most 10 days after the cluster was created.");
    lease.step = std::chrono::hours{24};
    BOOST_TEST(hint() ==
               "You can extend the lease by 1 day at a time. It may end at most 10 days after "
               "the cluster was created.");
}

BOOST_AUTO_TEST_CASE(no_end_of_the_lease_is_asked_for_while_a_job_runs) {
    LeasePage page{.problems = {{"expireTime", "Cannot change expire time"}}};
    page.cluster.status = ClusterStatus::pending;
    BOOST_TEST(to_json(page).at("blocked").at("ways")[0].at("label") == "Follow the job");
    BOOST_TEST(to_json(page).at("problems").empty());
    page.cluster.status = ClusterStatus::incomplete;
    BOOST_TEST(to_json(page).at("blocked").is_null());
    BOOST_TEST(!to_json(page).at("problems").empty());
}

BOOST_AUTO_TEST_CASE(an_end_that_is_too_late_is_told_the_latest_one) {
    using provisioner::base::from_sql;
    LeasePage page{.now = from_sql("2026-12-01 10:00:00")};
    page.cluster.created_at = from_sql("2026-11-30 10:00:00");
    page.cluster.expires_at = from_sql("2026-12-03 10:00:00");
    auto& lease = page.cluster.snapshot.cluster_template.lease;
    lease.max = std::chrono::hours{240};
    const auto problem = [&](const std::string& message) {
        page.problems = {{"expireTime", message}};
        return to_json(page).at("fields")[0].at("problem").get<std::string>();
    };

    BOOST_TEST(problem("Cluster cannot be prolonged beyond its max duration") ==
               "The lease can end at 2026-12-10 10:00:00 UTC at the latest.");
    lease.step = std::chrono::hours{24};
    BOOST_TEST(problem("New expire time cannot be greater than allowed increment") ==
               "The lease can end at 2026-12-04 10:00:00 UTC at the latest.");
    BOOST_TEST(problem("New expire time must be before the year 10000") ==
               "The year must be below 10000.");
}

BOOST_AUTO_TEST_CASE(ends_of_a_lease_that_are_asked_for_most_are_one_press_away) {
    using provisioner::base::from_sql;
    LeasePage page{.now = from_sql("2026-12-01 10:00:00")};
    page.cluster.created_at = from_sql("2026-11-30 10:00:00");
    page.cluster.expires_at = from_sql("2026-12-03 10:00:30");
    const auto choices = [&] {
        std::string text;
        const auto json = to_json(page);
        for (const auto& one : json.at("choices")) {
            text += one.at("label").get<std::string>() + ' ' + one.at("value").get<std::string>() +
                    ' ' + one.at("until").get<std::string>() + '\n';
        }
        return text;
    };
    BOOST_TEST(choices() ==
               "1 day longer 2026-12-04T10:00 until 2026-12-04 10:00\n"
               "7 days longer 2026-12-10T10:00 until 2026-12-10 10:00\n"
               "30 days longer 2027-01-02T10:00 until 2027-01-02 10:00\n"
               "No expiry never until somebody deletes it\n");

    auto& lease = page.cluster.snapshot.cluster_template.lease;
    lease.max = std::chrono::hours{240};
    lease.step = std::chrono::hours{48};
    BOOST_TEST(choices() ==
               "1 day longer 2026-12-04T10:00 until 2026-12-04 10:00\n"
               "2 days longer 2026-12-05T10:00 until 2026-12-05 10:00\n");
    const auto hint = to_json(page).at("fields")[0].at("hint").get<std::string>();
    BOOST_TEST(hint.ends_with("The latest end now is 2026-12-05 10:00:30 UTC."));

    lease.step = std::chrono::milliseconds::max();
    BOOST_TEST(choices() ==
               "1 day longer 2026-12-04T10:00 until 2026-12-04 10:00\n"
               "As long as allowed 2026-12-10T10:00 until 2026-12-10 10:00\n");

    // What ended long ago is extended from its end, but never to a moment that is over.
    page.cluster.expires_at = from_sql("2026-11-20 10:00:00");
    lease.max = std::chrono::hours{30};
    BOOST_TEST(choices() == "As long as allowed 2026-12-01T16:00 until 2026-12-01 16:00\n");
    lease.max = std::chrono::hours{1};
    BOOST_TEST(choices() == "");
    BOOST_TEST(to_json(page).at("has_choices") == false);
}

BOOST_AUTO_TEST_CASE(ends_for_a_cluster_without_one_say_that_they_delete_it) {
    LeasePage page{.now = provisioner::base::from_sql("2026-12-01 10:00:00")};
    page.cluster.created_at = page.now;

    const auto json = to_json(page);

    BOOST_TEST(json.at("has_end") == false);
    BOOST_REQUIRE(json.at("choices").size() == 3U);
    BOOST_TEST(json.at("choices")[0].at("label") == "Delete in 1 day");
    BOOST_TEST(json.at("choices")[0].at("until") == "on 2026-12-02 10:00");
}

BOOST_AUTO_TEST_CASE(a_question_about_one_service_names_it_and_its_machines) {
    Node with;
    with.hostname = "shop-1000";
    with.services = {"cache"};
    Node without;
    without.hostname = "shop-1001";
    QuestionPage page{.question = Question::stop_services,
                      .cluster = {},
                      .nodes = {with, without},
                      .services = {"cache"},
                      .touched = {"cache"}};
    page.cluster.name = "shop";
    page.cluster.status = ClusterStatus::active;

    const auto json = to_json(page);

    BOOST_TEST(json.at("heading") == "Stop cache on shop?");
    BOOST_TEST(json.at("button") == "Stop cache");
    BOOST_TEST(json.at("action") == "/clusters/00000000/services/stop");
    BOOST_TEST(json.at("hosts").dump() == R"([{"host":"shop-1000"}])");
    page.services.clear();
    page.touched.clear();
    BOOST_TEST(to_json(page).at("heading") == "Stop all services on shop?");
    BOOST_TEST(to_json(page).at("hosts").size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_question_lists_what_it_touches_besides_and_what_was_stopped_with_it) {
    Node first;
    first.hostname = "shop-1000";
    first.services = {"db", "app"};
    Node second;
    second.hostname = "shop-1001";
    second.services = {"app"};
    Node third;
    third.hostname = "shop-1002";
    third.services = {"backup"};
    QuestionPage page{.question = Question::stop_services,
                      .cluster = {},
                      .nodes = {first, second, third},
                      .services = {"db"},
                      .touched = {"app", "db"}};
    page.cluster.name = "shop";
    page.cluster.status = ClusterStatus::active;

    auto json = to_json(page);

    BOOST_TEST(json.at("sentence") ==
               "This stops 2 services on 2 machines. Services that use others are stopped first.");
    BOOST_TEST(json.at("services").dump() ==
               R"([{"service":"app","machines":"2 machines","reason":"uses db"},)"
               R"({"service":"db","machines":"1 machine","reason":""}])");
    BOOST_TEST(json.at("hosts").size() == 2U);
    BOOST_TEST(json.at("chosen").dump() == R"([{"service":"db"}])");
    BOOST_TEST(json.at("has_offers") == false);

    page.question = Question::start_services;
    page.touched = {"db"};
    page.offered = {"app"};
    json = to_json(page);
    BOOST_TEST(json.at("heading") == "Start db on shop?");
    BOOST_TEST(json.at("sentence") == "This starts 1 service on 1 machine.");
    BOOST_TEST(json.at("warning") ==
               "Other services that use db are stopped now. They stay stopped unless you also "
               "start them.");
    BOOST_TEST(json.at("offers")[0].at("service") == "app");
    BOOST_TEST(json.at("look") == "primary");
    // What runs already is listed, but it is not what this starts.
    page.touched = {"app", "db"};
    page.services = {"app"};
    page.running = {"db"};
    json = to_json(page);
    BOOST_TEST(json.at("sentence") == "This starts 1 service on 2 machines.");
    BOOST_TEST(json.at("services")[1].at("reason") == "already running");
    page.running = {"app", "db"};
    BOOST_TEST(to_json(page).at("sentence") == "These services are already running.");
    BOOST_TEST(to_json(page).at("button") == "");
    page.question = Question::delete_cluster;
    BOOST_TEST(to_json(page).at("services").empty());
}
