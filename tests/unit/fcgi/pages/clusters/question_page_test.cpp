#include "fcgi/pages/clusters/question_page.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;
using provisioner::model::ClusterStatus;
using provisioner::model::Node;

namespace {

QuestionPage about(Question question, ClusterStatus status) {
    QuestionPage page{.question = question, .nodes = {Node{}}};
    page.cluster.name = "shop";
    page.cluster.status = status;
    return page;
}

bool is_asked(Question question, ClusterStatus status) {
    const auto json = to_json(about(question, status));
    const bool is_asked = json["button"] != "";
    BOOST_TEST(is_asked == (json["keep"] != "Go to the cluster"));
    BOOST_TEST((is_asked || !json["has_hosts"].get<bool>()));
    return is_asked;
}

}  // namespace

BOOST_AUTO_TEST_CASE(work_is_aborted_only_while_it_is_under_way) {
    BOOST_TEST(is_asked(Question::abort_job, ClusterStatus::pending));
    BOOST_TEST(!is_asked(Question::abort_job, ClusterStatus::active));
    BOOST_TEST(!is_asked(Question::abort_job, ClusterStatus::incomplete));
    BOOST_TEST(to_json(about(Question::abort_job, ClusterStatus::active))["sentence"] ==
               "No job is running on this cluster.");
}

BOOST_AUTO_TEST_CASE(the_question_of_an_abort_says_what_stays) {
    using provisioner::model::Operation;
    auto page = about(Question::abort_job, ClusterStatus::pending);
    page.job = provisioner::model::Job{};
    const auto warning = [&](Operation operation) {
        page.job->operation = operation;
        return to_json(page).at("warning").get<std::string>();
    };
    const std::string stays = "The cluster stays as it is at that moment.";

    BOOST_TEST(warning(Operation::cluster_create) == stays);
    BOOST_TEST(warning(Operation::cluster_configure) == stays);
    BOOST_TEST(warning(Operation::cluster_configure_with_restart) ==
               stays + " Services that the job has stopped stay stopped.");
}

BOOST_AUTO_TEST_CASE(the_question_of_an_abort_names_all_buttons_that_the_cluster_has_then) {
    using provisioner::model::Operation;
    auto page = about(Question::abort_job, ClusterStatus::pending);
    page.job = provisioner::model::Job{};
    page.cluster.node_count = 5;
    const auto ways = [&](Operation operation) {
        page.job->operation = operation;
        std::string labels;
        const auto json = to_json(page);
        for (const auto& way : json.at("ways_after")) {
            labels += (labels.empty() ? "" : ", ") + way.at("label").get<std::string>();
        }
        return labels;
    };

    BOOST_TEST(ways(Operation::cluster_create) ==
               "Run the remaining tasks, Change configuration and retry, Shrink, Delete");
    BOOST_TEST(ways(Operation::add_services) ==
               "Run the remaining tasks, Change configuration and retry, Shrink, Delete");
    page.end.can_go_back = true;
    BOOST_TEST(ways(Operation::cluster_configure) ==
               "Change the configuration, Go back to the last configuration that worked, Run the "
               "remaining tasks, Shrink, Delete");
    page.end = {.failed_machines = 2};
    BOOST_TEST(ways(Operation::cluster_grow) ==
               "Run the remaining tasks, Go on without the 2 unfinished machines, Change "
               "configuration and retry, Delete");

    page.cluster.status = ClusterStatus::active;
    BOOST_TEST(ways(Operation::cluster_grow) == "");
}

BOOST_AUTO_TEST_CASE(services_of_a_cluster_that_was_not_made_are_not_asked_about) {
    auto page = about(Question::restart_services, ClusterStatus::incomplete);
    page.job = provisioner::model::Job{};
    page.job->operation = provisioner::model::Operation::cluster_create;
    page.job->status = provisioner::model::JobStatus::failed;
    page.problems = {{"", "No."}};

    const auto json = to_json(page);

    BOOST_TEST(json.at("button") == "");
    BOOST_TEST(json.at("has_services") == false);
    BOOST_TEST(json.at("has_problems") == false);
    BOOST_TEST(json.at("blocked").at("words").get<std::string>().starts_with(
        "The creation failed. Retry it"));
    BOOST_TEST(json.at("blocked").at("ways")[0].at("label") == "Retry");
    BOOST_TEST(is_asked(Question::restart_services, ClusterStatus::active));
}

BOOST_AUTO_TEST_CASE(questions_name_services_by_their_labels) {
    auto page = about(Question::stop_services, ClusterStatus::active);
    page.cluster.snapshot.services.resize(2);
    page.cluster.snapshot.services[0].header.name = "web";
    page.cluster.snapshot.services[0].header.label = "Web server";
    page.cluster.snapshot.services[1].header.name = "db";
    page.services = {"web"};
    page.touched = {"web", "db"};
    page.offered = {"web"};

    const auto json = to_json(page);

    BOOST_TEST(json["heading"] == "Stop Web server on shop?");
    BOOST_TEST(json["button"] == "Stop Web server");
    BOOST_TEST(json["services"][0]["service"] == "Web server");
    BOOST_TEST(json["services"][1]["reason"] == "uses Web server");
    BOOST_TEST(json["chosen"][0]["service"] == "web");
    BOOST_TEST(json["offers"][0]["service"] == "web");
    BOOST_TEST(json["offers"][0]["service_label"] == "Web server");
}

BOOST_AUTO_TEST_CASE(a_large_cluster_is_deleted_by_who_types_its_name) {
    auto page = about(Question::delete_cluster, ClusterStatus::active);
    page.nodes.resize(machines_of_large_cluster - 1);
    BOOST_TEST(to_json(page)["fields"].empty());

    page.nodes.resize(machines_of_large_cluster);
    page.typed = "shap";
    page.problems = {{"confirm", "This is not the name."}};
    const auto json = to_json(page);
    BOOST_REQUIRE(json["fields"].size() == 1U);
    BOOST_TEST(json["fields"][0]["value"] == "shap");
    BOOST_TEST(json["fields"][0]["problem"] == "This is not the name.");
    page.question = Question::stop_services;
    BOOST_TEST(to_json(page)["fields"].empty());
    page.question = Question::delete_cluster;
    page.cluster.status = ClusterStatus::terminated;
    BOOST_TEST(to_json(page)["fields"].empty());
}

BOOST_AUTO_TEST_CASE(nothing_is_done_with_a_terminated_cluster) {
    for (const Question question : {Question::delete_cluster, Question::give_up,
                                    Question::stop_services, Question::restart_services}) {
        BOOST_TEST(is_asked(question, ClusterStatus::active));
        BOOST_TEST(!is_asked(question, ClusterStatus::terminated));
    }
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

BOOST_AUTO_TEST_CASE(all_services_can_be_started_after_a_stop_that_failed_and_single_ones_cannot) {
    using namespace provisioner::model;
    auto page = about(Question::start_services, ClusterStatus::inconsistent);
    page.job = Job{};
    page.job->status = JobStatus::failed;
    page.job->operation = Operation::stop_services;

    BOOST_TEST(to_json(page)["button"] == "Start");
    page.services = {"web"};
    BOOST_TEST(to_json(page)["button"] == "");
    page.services.clear();
    page.job->operation = Operation::remove_services;
    BOOST_TEST(to_json(page)["button"] == "");
}
