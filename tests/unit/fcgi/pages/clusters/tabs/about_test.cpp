#include "fcgi/pages/clusters/tabs/about.hpp"

#include <boost/test/unit_test.hpp>

#include "cluster_fixture.hpp"

BOOST_AUTO_TEST_SUITE(settings_of_a_cluster)

using namespace tests;

BOOST_AUTO_TEST_CASE(callbacks_say_what_came_of_them) {
    auto told = settled(ClusterStatus::active, JobStatus::complete);
    BOOST_TEST(settings_json(told).at("callback_panel").is_null());
    Callback callback;
    callback.event = CallbackEvent::success;
    callback.state = CallbackState::given_up;
    callback.attempts = 45;
    callback.created_at = now - 1s;
    told.callbacks = {callback};

    const auto item = settings_json(told).at("callback_panel").at("callbacks")[0];

    BOOST_TEST(item.at("what") == "Creating the cluster: success");
    BOOST_TEST(item.at("words") == "failed after 45 attempts");
}

BOOST_AUTO_TEST_CASE(a_configuration_that_did_not_work_says_so_beside_its_values) {
    auto page = settled(ClusterStatus::inconsistent, JobStatus::failed);
    page.job->id = JobId{3};
    page.job->operation = Operation::restart_services;
    BOOST_TEST(settings_json(page).at("config_note").is_null());

    page.job->operation = Operation::cluster_configure;
    const auto note = settings_json(page).at("config_note");
    BOOST_TEST(note.at("words") ==
               "This configuration did not work: the job that applied it failed.");
    BOOST_TEST(note.at("job_href") == page.href() + "/jobs/3");
    BOOST_TEST(note.at("change_href") == page.href() + "/configure");

    page.job->aborted = true;
    BOOST_TEST(settings_json(page).at("config_note").at("words") ==
               "This configuration is not applied everywhere: its job was not finished.");
    page.end.has_wrong_configuration = true;
    BOOST_TEST(settings_json(page).at("config_note").at("words") ==
               "A value of this configuration is wrong: the latest job failed with it.");
    page.may_operate = false;
    BOOST_TEST(settings_json(page).at("config_note").at("change_href") == "");
    page = settled(ClusterStatus::active, JobStatus::complete);
    BOOST_TEST(settings_json(page).at("config_note").is_null());
}

BOOST_AUTO_TEST_CASE(a_description_is_changed_also_while_a_job_runs) {
    auto page = settled(ClusterStatus::active, JobStatus::complete);
    page.may_operate = true;
    BOOST_TEST(settings_json(page).at("description_href") == page.href() + "/description");
    page.cluster.status = ClusterStatus::pending;
    BOOST_TEST(settings_json(page).at("description_href") == page.href() + "/description");
    page.cluster.status = ClusterStatus::terminated;
    BOOST_TEST(settings_json(page).at("description_href") == "");
    page = settled(ClusterStatus::active, JobStatus::complete);
    page.may_operate = false;
    BOOST_TEST(settings_json(page).at("description_href") == "");
}

BOOST_AUTO_TEST_CASE(a_newer_version_of_the_template_is_said_and_its_difference_linked) {
    auto page = settled(ClusterStatus::active, JobStatus::complete);
    page.cluster.snapshot.cluster_template.header.version = 3;
    page.newest_template = 0;
    const auto version = [&] {
        const auto json = settings_json(page);
        return json.at("facts").at(1);
    };
    BOOST_TEST(version().at("value") == "3");
    BOOST_TEST(version().at("link").is_null());

    page.newest_template = 3;
    BOOST_TEST(version().at("link").at("words") == "what it extends has changed");
    page.newest_template = 4;
    BOOST_TEST(version().at("link").at("words") == "version 4 is newer");
    BOOST_TEST(version().at("link").at("link_href") == page.href() + "/sync");

    // It was deleted and made anew since.
    page.is_of_earlier_template = true;
    page.newest_template = 3;
    BOOST_TEST(version().at("value") == "3 of the earlier template");
    BOOST_TEST(version().at("link").at("words") == "version 3 is in force");

    page.is_of_earlier_template = false;
    page.newest_template = 4;
    page.may_operate = false;
    BOOST_TEST(version().at("value") == "3; version 4 is newer");
    BOOST_TEST(version().at("link").is_null());
}

BOOST_AUTO_TEST_CASE(nobody_reads_passwords_among_the_settings) {
    auto page = settled(ClusterStatus::active, JobStatus::complete);
    page.cluster.config = {
        {"database_password", "s3cret"}, {"apiToken", {{"of", 42}}}, {"workers", 4}};

    const auto config = settings_json(page).at("config").get<std::string>();

    BOOST_TEST(config.find("s3cret") == std::string::npos);
    BOOST_TEST(config.find("42") == std::string::npos);
    BOOST_TEST(config.find("\"database_password\": \"********\"") != std::string::npos);
    BOOST_TEST(config.find("\"workers\": 4") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
