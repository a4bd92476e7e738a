#include "fcgi/pages/daemons/daemons.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/elsewhere.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::from_millis;
using provisioner::store::DaemonRow;
using provisioner::store::RunningTask;

namespace {

DaemonsPage page_of(std::size_t tasks, std::int64_t heartbeat) {
    DaemonRow daemon{.instance = "host:/run/lock",
                     .pid = 42,
                     .capacity = 2000,
                     .version = "0.2.0",
                     .started_at = from_millis(0),
                     .heartbeat_at = from_millis(heartbeat),
                     .running = std::vector<RunningTask>(tasks)};
    for (RunningTask& task : daemon.running) {
        task.action = Action::install;
        task.service = "web";
        task.since = from_millis(40'000);
    }
    return {.daemons = {daemon}, .now = from_millis(100'000)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_daemon_is_shown_with_its_tasks_and_its_heartbeat) {
    const auto json = to_json(page_of(1, 97'000));

    BOOST_TEST(json["summary"] == "1 provisioner, 1 running, 1 task in progress.");
    const auto& daemon = json["daemons"][0];
    BOOST_TEST(daemon["state_words"] == "running");
    BOOST_TEST(daemon["heartbeat_age"] == "3 s");
    BOOST_TEST(daemon["tasks"][0]["what"] == "install web");
    BOOST_TEST(daemon["tasks"][0]["took"] == "60 s");
    const std::string cluster = daemon["tasks"][0]["cluster_href"];
    BOOST_TEST(daemon["tasks"][0]["host_href"] == cluster + "/machines/0");
    BOOST_TEST(cluster.starts_with("/clusters/0"));
    BOOST_TEST(daemon["tasks"][0]["task_href"].get<std::string>().starts_with(cluster + "/tasks/"));
    BOOST_TEST(daemon["tasks"][0]["tenant_href"].get<std::string>().starts_with("/tenants/"));
    BOOST_TEST(daemon["more"].is_null());
}

BOOST_AUTO_TEST_CASE(of_many_tasks_some_are_shown_and_the_others_counted) {
    auto page = page_of(2000, 97'000);
    const auto json = to_json(page);

    BOOST_TEST(json["daemons"][0]["tasks"].size() == 10U);
    BOOST_TEST(json["daemons"][0]["more"] == "1,990");
    BOOST_TEST(json["daemons"][0]["more_href"] == "/daemons?tasks=all");

    page.shows_all = true;
    BOOST_TEST(to_json(page)["daemons"][0]["more"] == "1,500");
    BOOST_TEST(to_json(page)["daemons"][0]["more_href"] == "");
}

BOOST_AUTO_TEST_CASE(a_silent_daemon_is_told_from_one_that_is_alive) {
    const auto json = to_json(page_of(0, 10'000));

    BOOST_TEST(json["summary"] == "1 provisioner, 0 running, 0 tasks in progress.");
    BOOST_TEST(json["daemons"][0]["state"] == "failed");
    BOOST_TEST(json["daemons"][0]["has_tasks"] == false);
}

BOOST_AUTO_TEST_CASE(only_a_daemon_that_takes_tasks_can_be_drained) {
    auto page = page_of(0, 97'000);
    page.daemons[0].instance = "a b:/run/lock";
    BOOST_TEST(to_json(page)["daemons"][0]["drain_href"] ==
               "/daemons/drain?instance=a%20b%3A%2Frun%2Flock");

    page.daemons[0].drains = true;
    BOOST_TEST(to_json(page)["daemons"][0]["drain_href"] == "");
    BOOST_TEST(to_json(page)["summary"] ==
               "1 provisioner, 0 running, 1 draining, 0 tasks in progress.");
    BOOST_TEST(to_json(page_of(0, 10'000))["daemons"][0]["drain_href"] == "");
}

BOOST_AUTO_TEST_CASE(the_question_before_a_drain_names_the_provisioner_and_its_tasks) {
    DrainPage page{.instance = "host:/run/lock", .running = 3};

    BOOST_TEST(to_json(page)["instance"] == "host:/run/lock");
    BOOST_TEST(to_json(page)["tasks"] == "Its 3 running tasks go on to their end.");
    page.running = 0;
    BOOST_TEST(to_json(page)["tasks"] == "It has no running tasks.");
}

BOOST_AUTO_TEST_CASE(a_provisioner_says_its_version_if_it_knows_it) {
    auto page = page_of(0, 97'000);
    BOOST_TEST(to_json(page)["daemons"][0]["process"] == "Process 42, version 0.2.0");

    page.daemons[0].version = "";
    BOOST_TEST(to_json(page)["daemons"][0]["process"] == "Process 42, version unknown");
}

BOOST_AUTO_TEST_CASE(versions_that_run_side_by_side_are_counted) {
    auto page = page_of(0, 97'000);
    page.daemons.resize(4, page.daemons.front());
    BOOST_TEST(to_json(page)["versions"] == "");

    page.daemons[1].version = "";
    page.daemons[3].version = "0.1.0";
    BOOST_TEST(to_json(page)["versions"] ==
               "Provisioners of several versions are running: 1 of an unknown version, 1 of "
               "version 0.1.0 and 2 of version 0.2.0.");

    // Of those that are gone nobody waits for an update.
    page.daemons[1].heartbeat_at = page.daemons[3].heartbeat_at = from_millis(10'000);
    BOOST_TEST(to_json(page)["versions"] == "");
}

BOOST_AUTO_TEST_CASE(a_link_to_a_provisioner_leads_to_its_panel) {
    const auto json = to_json(page_of(0, 97'000));

    const std::string id = json["daemons"][0]["id"];
    BOOST_TEST(id.starts_with("host-"));
    BOOST_TEST(href_of_daemon("host:/run/lock") == "/daemons#" + id);
    BOOST_TEST(href_of_daemon("host:/run/other") != "/daemons#" + id);
}
