#include "fcgi/pages/clusters/configure_page.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/model/plugins/sealed.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;

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
    BOOST_TEST(json.at("lede") ==
               "The work of the latest job is finished with this configuration. Every service is "
               "configured again and restarted.");
    BOOST_TEST(json.at("job_words") ==
               "The latest job failed: configure web failed on shop-1: port: eighty is no number");
    page.job->operation = Operation::cluster_delete;
    BOOST_TEST(!to_json(page).at("blocked").is_null());
    BOOST_TEST(to_json(page).at("lede") == "Every machine gets this configuration.");
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

BOOST_AUTO_TEST_CASE(the_preview_of_the_configuration_that_worked_has_the_name_of_its_way) {
    ConfigurePage page;
    page.cluster.id = ClusterId{7};
    page.cluster.name = "shop";
    page.cluster.status = ClusterStatus::inconsistent;
    page.cluster.config = {{"port", "abc"}};
    page.working = {{"port", 80}};
    page.job = Job{};
    page.job->operation = Operation::cluster_configure;
    page.job->status = JobStatus::failed;
    const std::string name = "Go back to the last configuration that worked";
    BOOST_TEST(page.title() == "Configure shop");
    BOOST_TEST(to_json(page).at("failed").at("restore") == name);
    page.preview = page.working;
    BOOST_TEST(page.title() == name + ", shop");
    BOOST_TEST(to_json(page).at("heading") == name);
    BOOST_TEST(to_json(page).at("button") == name);

    // Another value is another configuration.
    page.preview = {{"port", 81}};
    BOOST_TEST(page.title() == "Configure shop");
    BOOST_TEST(to_json(page).at("button") == "Configure");

    page.preview = page.working;
    page.cluster.status = ClusterStatus::incomplete;
    page.job->operation = Operation::cluster_shrink;
    auto& change = page.finish.emplace();
    change.nodes.resize(2);
    change.nodes[1].membership = provisioner::planner::Membership::dropped;
    BOOST_TEST(to_json(page).at("button") == name + " and remove 1 machine");
}

BOOST_AUTO_TEST_CASE(
    machines_that_a_failed_job_was_removing_can_be_kept_with_another_configuration) {
    ConfigurePage page;
    page.cluster.status = ClusterStatus::incomplete;
    page.job = Job{};
    page.job->operation = Operation::replace_node;
    page.job->status = JobStatus::failed;
    BOOST_TEST(to_json(page).at("keep").is_null());

    auto& way = page.end.to_keep.emplace();
    way.kept.push_back({.hostname = "sim-1002.example"});
    BOOST_TEST(to_json(page).at("keep").at("label") == "Keep sim-1002, which was being removed");
    BOOST_TEST(to_json(page).at("keep").at("checked") == false);
    BOOST_TEST(to_json(page).at("keep").at("hint") == "");

    way.kept.push_back({.hostname = "sim-1003.example"});
    way.without = {1004, 1005};
    page.keep = true;
    BOOST_TEST(to_json(page).at("keep").at("label") ==
               "Keep sim-1002 and sim-1003, which were being removed");
    BOOST_TEST(to_json(page).at("keep").at("checked") == true);
    BOOST_TEST(to_json(page).at("keep").at("hint") == "The 2 new machines are removed then.");

    // After a configuration no machine leaves.
    page.job->operation = Operation::cluster_configure;
    page.cluster.status = ClusterStatus::inconsistent;
    BOOST_TEST(to_json(page).at("keep").is_null());
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
                             page.restart, page.keep);
    };
    BOOST_TEST(to_json(page).at("previewed") == of("{ \"web\":\r\n{\"port\": 80} }"));
    BOOST_TEST(to_json(page).at("previewed") != of(R"({"web": {"port": 81}})"));

    // Another choice of restarts has another plan.
    const std::string with_restart = to_json(page).at("previewed");
    page.restart = false;
    BOOST_TEST(to_json(page).at("previewed") != with_restart);
    const std::string without_keep = to_json(page).at("previewed");
    page.keep = true;
    BOOST_TEST(to_json(page).at("previewed") != without_keep);

    // Somebody else has applied another one since.
    const std::string before = of(page.config.c_str());
    page.cluster.config = {{"web", {{"port", 8080}}}};
    BOOST_TEST(to_json(page).at("previewed") != before);
}
