#include "fcgi/pages/clusters/tabs/services.hpp"

#include <boost/test/unit_test.hpp>

#include "cluster_fixture.hpp"

BOOST_AUTO_TEST_SUITE(services_of_a_cluster)

using namespace tests;

BOOST_AUTO_TEST_CASE(services_that_run_can_be_started_and_stopped_while_the_cluster_is_active) {
    auto active = settled(ClusterStatus::active, JobStatus::complete);
    active.cluster.snapshot.services = {web_that_runs()};

    const auto json = services_json(active);
    BOOST_TEST(json.at("add") == "/clusters/00000007/services/add");
    auto complete = active;
    complete.cluster.services = {"web"};
    complete.cluster.snapshot.cluster_template.compatibility.services = {"web"};
    BOOST_TEST(services_json(complete).at("add") == "");
    BOOST_TEST(json.at("remove") == "/clusters/00000007/services/remove");
    BOOST_TEST(json.at("needed") == "");
    auto alone = active;
    alone.machines.front().services = {"web"};
    BOOST_TEST(services_json(alone).at("remove") == "");
    BOOST_TEST(services_json(alone).at("needed") ==
               "No service can be removed: machines would be left without one.");
    const auto rows = json.at("services");
    BOOST_REQUIRE(rows.size() == 3U);
    BOOST_TEST(rows[0].at("name") == "All services");
    BOOST_TEST(rows[0].at("stop") == "/clusters/00000007/services/stop");
    BOOST_TEST(rows[0].at("operable") == true);
    BOOST_TEST(rows[1].at("name") == "cache");
    BOOST_TEST(rows[1].at("operable") == false);
    BOOST_TEST(rows[1].at("words") == "installed");
    BOOST_TEST(rows[2].at("name") == "web");
    BOOST_TEST(rows[2].at("operable") == true);
    BOOST_TEST(rows[2].at("stop") == "/clusters/00000007/services/stop?service=web");

    active.cluster.status = ClusterStatus::inconsistent;
    const auto settled_otherwise = services_json(active);
    BOOST_TEST(settled_otherwise.at("services")[2].at("operable") == false);
    BOOST_TEST(settled_otherwise.at("add") == "");
}

BOOST_AUTO_TEST_CASE(what_a_failed_job_has_not_removed_everywhere_is_listed_without_buttons) {
    auto failed = settled(ClusterStatus::inconsistent, JobStatus::failed);
    failed.end.left_behind = {{"agent", 3}};
    failed.labels.add(CatalogueKind::service, {{"agent", "Monitoring agent"}});

    const auto row = services_json(failed).at("services").back();

    BOOST_TEST(row.at("name") == "Monitoring agent");
    BOOST_TEST(row.at("words") == "not yet removed from 3 machines");
    BOOST_TEST(row.at("machines") == "");
    BOOST_TEST(row.at("operable") == false);
}

BOOST_AUTO_TEST_CASE(services_are_shown_by_their_labels_and_started_by_their_names) {
    auto made = settled(ClusterStatus::active, JobStatus::complete);
    made.cluster.snapshot.services = {web_that_runs()};
    made.labels.add(CatalogueKind::service, {{"web", "Web server"}});

    const auto json = services_json(made);

    const auto& rows = json.at("services");
    const auto web =
        std::ranges::find_if(rows, [](const Json& row) { return row.at("service") == "web"; });
    BOOST_REQUIRE((web != rows.end()));
    BOOST_TEST(web->at("name") == "Web server");
    BOOST_TEST(web->at("stop").get<std::string>().ends_with("/services/stop?service=web"));
}

BOOST_AUTO_TEST_CASE(the_state_of_a_service_is_said_in_words) {
    const auto words = [](ServiceSummary summary) {
        summary.machines = 4;
        summary.runs = true;
        return words_of_service(summary);
    };
    BOOST_TEST(words({.running = 4}) == "running");
    BOOST_TEST(words({.stopped = 4}) == "stopped");
    BOOST_TEST(words({}) == "unknown");
    BOOST_TEST(words({.running = 3, .stopped = 1}) ==
               "running on 3 and stopped on 1 of 4 machines");
    BOOST_TEST(words({.running = 1, .failed = 1, .at_work = 1}) ==
               "failed on 1, in progress on 1, running on 1 and unknown on 1 of 4 machines");
    BOOST_TEST(words_of_service({.machines = 4}) == "installed");
}

BOOST_AUTO_TEST_CASE(a_service_that_runs_everywhere_is_not_started_and_a_stopped_one_not_stopped) {
    auto active = settled(ClusterStatus::active, JobStatus::complete);
    active.cluster.snapshot.services = {web_that_runs()};
    const auto can = [&](std::size_t row) {
        const auto json = services_json(active).at("services").at(row);
        return std::string(json.at("can_start") == true ? "start " : "") +
               (json.at("can_stop") == true ? "stop" : "");
    };
    BOOST_TEST(can(2) == "start stop");
    active.services = {{.node = NodeId{1}, .service = "web"}};
    BOOST_TEST(can(2) == "stop");
    BOOST_TEST(can(0) == "stop");
    active.services[0].action = Action::stop;
    BOOST_TEST(can(2) == "start ");
    BOOST_TEST(can(0) == "start ");
    active.services[0].state = TaskState::failed;
    BOOST_TEST(can(2) == "start stop");
}

BOOST_AUTO_TEST_CASE(services_of_a_terminated_cluster_are_gone_and_failed_ones_have_failed) {
    auto shown = settled(ClusterStatus::incomplete, JobStatus::failed);
    shown.cluster.snapshot.services = {web_that_runs()};
    shown.services = {{.node = NodeId{1}, .service = "web"}};
    shown.tasks = {task(1, Action::install, "cache", TaskState::failed),
                   task(2, Action::configure, "web", TaskState::failed),
                   task(3, Action::create, "", TaskState::failed)};
    const auto words = [&](std::size_t row) {
        const auto counted = counted_again(shown);
        return services_json(counted).at("services").at(row).at("words").get<std::string>();
    };
    BOOST_TEST(words(1) == "failed");
    BOOST_TEST(words(2) == "failed");
    shown.tasks.clear();
    BOOST_TEST(words(1) == "installed");
    BOOST_TEST(words(2) == "running");
    shown.cluster.status = ClusterStatus::terminated;
    BOOST_TEST(words(1) == "deleted");
    BOOST_TEST(words(2) == "deleted");
    BOOST_TEST(services_json(shown).at("services").at(2).at("look") == "terminated");
}

BOOST_AUTO_TEST_CASE(a_service_that_a_job_has_not_reached_is_said_as_in_the_overview) {
    auto shown = settled(ClusterStatus::incomplete, JobStatus::failed);
    shown.cluster.snapshot.services = {web_that_runs()};
    shown.services.clear();
    const auto words = [&] {
        shown.work = of_services(shown.tasks);
        return services_json(shown).at("services").at(2).at("words").get<std::string>();
    };
    shown.tasks = {task(1, Action::install, "web", TaskState::cancelled),
                   task(2, Action::start, "web", TaskState::cancelled)};
    BOOST_TEST(words() == "not started");
    shown.tasks[0].state = TaskState::done;
    BOOST_TEST(words() == "not finished");
    shown.tasks[1].state = TaskState::failed;
    BOOST_TEST(words() == "failed");
    // If the job has no task of it, the state is that of the machine.
    shown.tasks.clear();
    shown.machines[0].tasks = 3;
    shown.machines[0].done = 0;
    shown.machines[0].failed = 0;
    shown.machines[0].running = 0;
    shown.machines[0].cancelled = 3;
    shown.machines[0].own = {};
    BOOST_TEST(words() == "not started");
    shown.machines[0].failed = 1;
    BOOST_TEST(words() == "not started", "something else has failed there");
    shown.cluster.status = ClusterStatus::active;
    BOOST_TEST(words() == "unknown");
}

BOOST_AUTO_TEST_CASE(what_was_removed_from_a_machine_does_not_count_any_more) {
    auto active = settled(ClusterStatus::active, JobStatus::complete);
    Node other;
    other.id = NodeId{2};
    other.nodenum = 1001;
    other.services = {"cache"};
    active.nodes.push_back(other);
    active = counted_again(active);
    active.services = {{.node = NodeId{1}, .service = "web"},
                       {.node = NodeId{2}, .service = "web", .action = Action::stop},
                       {.node = NodeId{3}, .service = "web"}};

    const auto summaries = summaries_of(active);

    BOOST_REQUIRE(summaries.size() == 2U);
    BOOST_TEST(summaries[1].name == "web");
    BOOST_TEST(summaries[1].machines == 1);
    BOOST_TEST(summaries[1].running == 1);
    BOOST_TEST(summaries[1].stopped == 0);
}

BOOST_AUTO_TEST_CASE(a_service_of_a_machine_that_a_failed_deletion_has_deleted_does_not_run) {
    auto failed = settled(ClusterStatus::inconsistent, JobStatus::failed);
    failed.job->operation = Operation::cluster_delete;
    Node other = failed.nodes.front();
    other.id = NodeId{2};
    other.nodenum = 1001;
    failed.nodes.push_back(other);
    failed.tasks = {task(1, Action::delete_machine, "", TaskState::done),
                    task(2, Action::delete_machine, "", TaskState::failed)};
    failed.tasks[1].node = other.id;
    failed = counted_again(failed);
    failed.cluster.snapshot.services = {web_that_runs()};
    failed.services = {{.node = NodeId{1}, .service = "web"},
                       {.node = NodeId{2}, .service = "web"}};

    const auto summaries = summaries_of(failed);

    BOOST_REQUIRE(summaries.size() == 2U);
    BOOST_TEST(summaries[1].running == 1);
    BOOST_TEST(words_of_service(summaries[1]) == "running on 1 and deleted on 1 of 2 machines");
}

BOOST_AUTO_TEST_SUITE_END()
