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
    BOOST_TEST(ways(Operation::cluster_configure) ==
               "Change the configuration, Go back to the last configuration that worked, Run the "
               "remaining tasks, Shrink, Delete");
    page.end.failed_machines = 2;
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
