#include "fcgi/pages/clusters/tabs/overview.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/clusters/tabs/machines.hpp"
#include "fcgi/pages/clusters/tabs/services.hpp"

#include "cluster_fixture.hpp"
#include "fcgi/pages/clusters/tabs/cells.hpp"
#include "fcgi/pages/clusters/tabs/machines.hpp"
#include "provisioner/model/jobs/job_end.hpp"

BOOST_AUTO_TEST_SUITE(overview)

namespace {

using namespace tests;

/// "machine cache web: ready running waiting"
std::string draw(const Json& page) {
    std::string text;
    for (const auto& column : page.at("columns"))
        text += column.at("service").get<std::string>() + ' ';
    for (const auto& row : page.at("rows")) {
        text += "| " + row.at("title").get<std::string>();
        for (const auto& cell : row.at("cells")) text += ", " + cell.at("words").get<std::string>();
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_picture_shows_how_far_each_service_on_each_machine_is) {
    BOOST_TEST(draw(overview_json(page())) ==
               "Machine cache web | shop-7-1000, ready, in progress, waiting");
}

BOOST_AUTO_TEST_CASE(a_failed_task_marks_its_cell_and_the_top_of_the_page) {
    auto failed = page();
    failed.tasks[2].state = TaskState::failed;
    failed.tasks[2].message = "exit status 1";
    failed.outputs[TaskId{3}] = "no such file\n";
    failed.job->status = JobStatus::failed;
    failed.cluster.status = ClusterStatus::incomplete;

    const auto json = overview_json(counted_again(failed));

    BOOST_TEST(draw(json) == "Machine cache web | shop-7-1000, ready, failed, not started");
    BOOST_TEST(json.at("trouble").at("title") == "Creating the cluster failed");
    const auto failure = json.at("trouble").at("failures")[0];
    BOOST_TEST(failure.at("what") == "start cache");
    BOOST_TEST(failure.at("where") == "on 1 of 1 machine");
    BOOST_TEST(failure.at("message") == "exit status 1");
    BOOST_TEST(failure.at("output") == "no such file\n");
    BOOST_TEST(failure.at("hosts")[0].at("href") == "/clusters/00000007/machines/1000");
    BOOST_TEST(failure.at("more") == "");
    BOOST_TEST(failure.at("task") == "/clusters/00000007/tasks/3");
}

BOOST_AUTO_TEST_CASE(no_output_is_linked_where_there_is_none) {
    auto failed = page();
    failed.tasks[2].state = TaskState::failed;
    failed.job->status = JobStatus::failed;
    failed.cluster.status = ClusterStatus::incomplete;
    const auto link = [&] {
        return overview_json(counted_again(failed))
            .at("trouble")
            .at("failures")[0]
            .at("task")
            .get<std::string>();
    };
    BOOST_TEST(link() == "/clusters/00000007/tasks/3", "it was not read");
    failed.outputs[TaskId{3}] = "";
    BOOST_TEST(link() == "");
    // The provider answers, and prints nothing.
    failed.outputs.clear();
    failed.tasks[2].action = Action::create;
    BOOST_TEST(link() == "");
}

BOOST_AUTO_TEST_CASE(a_failed_layout_leads_to_the_form_that_says_why) {
    auto failed = settled(ClusterStatus::terminated, JobStatus::failed);
    failed.job->operation = Operation::solve_layout;
    failed.cluster.message = "Layout solving failed";
    failed.nodes.clear();
    failed.tasks.clear();
    failed.may_operate = true;

    const auto json = overview_json(counted_again(failed));

    BOOST_TEST(json.at("has_machines") == false);
    BOOST_TEST(json.at("trouble").at("title") == "Never created: no layout was found");
    BOOST_TEST(json.at("status_words") == "never created");
    BOOST_TEST(json.at("trouble").at("again_href") == "/clusters/new?like=00000007");
    failed.may_operate = false;
    BOOST_TEST(overview_json(counted_again(failed)).at("trouble").at("again_href") == "");
    BOOST_TEST(overview_json(page()).at("has_machines") == true);
}

BOOST_AUTO_TEST_CASE(tasks_that_an_abort_stopped_are_no_failures) {
    auto aborted = settled(ClusterStatus::incomplete, JobStatus::failed);
    aborted.job->aborted = true;
    aborted.tasks = {task(1, Action::create, "", TaskState::done),
                     task(2, Action::start, "cache", TaskState::cancelled),
                     task(3, Action::install, "web", TaskState::cancelled)};

    aborted.job->tasks_done = 1;
    aborted.job->tasks_total = 3;
    const auto drawn = [&] { return overview_json(counted_again(aborted)); };

    auto json = drawn();

    BOOST_TEST(json.at("trouble").at("failures").empty());
    BOOST_TEST(json.at("trouble").at("text") == "2 tasks are left.");
    BOOST_TEST(draw(json) == "Machine cache web | shop-7-1000, ready, not started, not started");

    // What failed by itself stays a failure.
    aborted.tasks[1].state = TaskState::failed;
    aborted.tasks[1].message = "exit code 1";
    json = drawn();
    BOOST_TEST(json.at("trouble").at("failures").size() == 1U);
    BOOST_TEST(json.at("trouble").at("text") == "");
}

BOOST_AUTO_TEST_CASE(the_machines_of_a_group_of_failures_can_be_retried_by_who_may) {
    auto failed = page();
    for (int i : {1, 2, 3}) {
        failed.tasks.push_back(task(10 + i, Action::start, "web", TaskState::failed));
        failed.tasks.back().node = NodeId{i == 3 ? 2 : i};
        failed.tasks.back().message = "lock " + std::to_string(i);
    }
    failed.job->status = JobStatus::failed;
    failed.cluster.status = ClusterStatus::incomplete;
    const auto retry = [&] {
        return overview_json(failed).at("trouble").at("failures")[0].at("retry");
    };

    BOOST_TEST(retry().at("label") == "Retry these 2 machines");
    BOOST_TEST(retry().at("href") == "/clusters/00000007/retry");
    failed.tasks.resize(5);
    BOOST_TEST(retry().at("label") == "Retry this machine");
    failed.may_operate = false;
    BOOST_TEST(retry().is_null());
}

BOOST_AUTO_TEST_CASE(a_running_cluster_is_followed_and_can_be_paused_or_aborted) {
    const auto json = overview_json(page());

    BOOST_TEST(json.at("follow") == "yes");
    BOOST_TEST(buttons(json) == "Pause! Abort ");
    BOOST_TEST(json.at("status_words") == "being created");
    BOOST_TEST(json.at("progress").at("words") == "2 of 4 tasks done, 1 running, 20 s");
}

BOOST_AUTO_TEST_CASE(a_job_that_had_nothing_to_do_is_shown_once_it_is_complete) {
    auto trivial = page();
    trivial.job->tasks_total = 0;
    trivial.job->tasks_done = 0;
    BOOST_TEST(overview_json(trivial).at("progress").is_null());

    trivial.job->operation = Operation::cluster_shrink;
    trivial.job->status = JobStatus::complete;
    const auto progress = overview_json(trivial).at("progress");
    BOOST_TEST(progress.at("operation") == "Shrinking the cluster");
    BOOST_TEST(progress.at("words") == "Nothing had to be done.");
    BOOST_TEST(progress.at("news") == "Nothing had to be done.");
    BOOST_TEST(progress.at("done") == progress.at("total"));
    BOOST_TEST(progress.at("total") == 1);

    trivial.job->operation = Operation::solve_layout;
    BOOST_TEST(overview_json(trivial).at("progress").is_null());
}

BOOST_AUTO_TEST_CASE(a_paused_job_says_that_nothing_more_starts) {
    auto paused = page();
    paused.job->status = JobStatus::paused;

    BOOST_TEST(overview_json(paused).at("progress").at("words") ==
               "2 of 4 tasks done. Paused: 1 still running, no new tasks start.");
    paused.machines[0].running = 0;
    BOOST_TEST(overview_json(paused).at("progress").at("words") ==
               "2 of 4 tasks done. Paused: no new tasks start.");
}

BOOST_AUTO_TEST_CASE(a_lost_machine_is_not_drawn_as_ready) {
    auto active = settled(ClusterStatus::active, JobStatus::complete);
    BOOST_TEST(overview_json(active).at("lost").is_null());
    const auto before = draw(overview_json(active));
    active.lost[active.machines[0].node] = active.now - 60s;

    const auto json = overview_json(active);

    BOOST_TEST(json.at("lost").at("count") == "1 machine");
    BOOST_TEST(json.at("lost").at("href") == "/clusters/00000007/machines?state=lost");
    BOOST_TEST(before.find("failed") == std::string::npos);
    BOOST_TEST(draw(json).find("lost, lost, lost") != std::string::npos);
    BOOST_TEST(json.at("legend").dump() == R"([{"look":"failed","words":"lost"}])");
    active.cluster.status = ClusterStatus::pending;
    BOOST_TEST(overview_json(active).at("lost").is_null());
}

BOOST_AUTO_TEST_CASE(a_deletion_that_fails_says_how_often_and_when_it_comes_again) {
    auto stuck = page();
    stuck.cluster.status = ClusterStatus::incomplete;
    stuck.cluster.message = "delete on shop-7-1000: no credit";
    stuck.job->operation = Operation::cluster_delete;
    stuck.job->status = JobStatus::failed;
    stuck.job->asked_by = {.user = {}, .name = asked_by_lease};
    stuck.failed_deletions = {.count = 3, .last = stuck.now - 60s, .message = "no credit"};

    const auto trouble = overview_json(stuck).at("trouble");

    BOOST_TEST(trouble.at("text") == "delete on shop-7-1000: no credit");
    BOOST_TEST(trouble.at("again").at("words") ==
               "The lease has ended, but the cluster could not be deleted: 3 attempts failed.");
    BOOST_TEST(trouble.at("again").at("next").at("relative") == "in 3 minutes");
    BOOST_TEST(overview_json(stuck).at("progress").at("asked_by") ==
               "Started because the lease ended");
    BOOST_TEST(buttons(overview_json(stuck)) == "Retry! Change lease Delete ");
    stuck.for_admin = true;
    BOOST_TEST(buttons(overview_json(stuck)) ==
               "Retry! Change lease Delete Delete without provider ");
    stuck.failed_deletions.reset();
    BOOST_TEST(overview_json(stuck).at("trouble").at("again").is_null());
}

BOOST_AUTO_TEST_CASE(the_page_says_who_asked_for_the_work) {
    auto asked = page();
    BOOST_TEST(overview_json(asked).at("progress").at("asked_by") == "");
    asked.job->asked_by = {.user = UserId{3}, .name = "ada"};

    BOOST_TEST(overview_json(asked).at("progress").at("asked_by") == "Started by ada");
}

BOOST_AUTO_TEST_CASE(only_web_addresses_that_are_known_become_links) {
    auto active = page();
    active.cluster.status = ClusterStatus::active;
    active.cluster.snapshot.cluster_template.links = {
        {"site", "http://%ip.access_v4.service.web%/"},
        {"gone", "http://%ip.access_v4.service.nothing%/"},
        {"trick", "javascript:alert(1)"}};

    Service web;
    web.header.name = "web";
    web.links = {{"alone", "http://%ip.access_v4.self%:8080/"}};
    active.cluster.snapshot.services = {web};

    const auto links = overview_json(active).at("links");

    BOOST_TEST(links.dump() ==
               R"([{"label":"site","url":"http://10.0.0.5/","state":""},)"
               R"({"label":"alone on shop-7-1000","url":"http://10.0.0.5:8080/","state":""}])");

    active.services = {{.node = NodeId{1}, .service = "web", .action = Action::stop}};
    const auto stopped = overview_json(active);
    BOOST_TEST(stopped.at("links")[1].at("state") == "stopped");
    BOOST_TEST(stopped.at("links_look") == "warn");
}

BOOST_AUTO_TEST_CASE(a_link_of_many_machines_is_folded_so_that_it_buries_no_other) {
    auto active = page();
    active.cluster.status = ClusterStatus::active;
    active.cluster.snapshot.cluster_template.links = {
        {"site", "http://%ip.access_v4.service.web%/"}};
    Service web;
    web.header.name = "web";
    web.links = {{"alone", "http://%ip.access_v4.self%:8080/"}};
    active.cluster.snapshot.services = {web};
    Node node = active.nodes.front();
    active.nodes.assign(1, node);
    for (int i = 2; i <= 15; ++i) {
        node.id = NodeId{100 + i};
        active.nodes.push_back(node);
    }
    active = counted_again(active);

    auto json = overview_json(active);

    BOOST_TEST_REQUIRE(json.at("links").size() == 1U);
    BOOST_TEST(json.at("links")[0].at("label") == "site");
    BOOST_TEST_REQUIRE(json.at("folded_links").size() == 1U);
    const auto folded = json.at("folded_links")[0];
    BOOST_TEST(folded.at("summary") == "web: alone (one of 15 machines)");
    BOOST_TEST(folded.at("links").size() == 12U);
    BOOST_TEST(folded.at("links")[0].at("label") == "alone on shop-7-1000");
    BOOST_TEST(folded.at("more") == "and 3 more");
    BOOST_TEST(json.at("links_look") == "good");

    active.services = {{.node = NodeId{102}, .service = "web", .action = Action::stop}};
    json = overview_json(active);
    BOOST_TEST(json.at("folded_links")[0].at("links")[1].at("state") == "stopped");
    BOOST_TEST(json.at("links_look") == "warn");
    // Twelve are all there are.
    active.nodes.resize(12);
    BOOST_TEST(overview_json(active).at("folded_links")[0].at("more") == "");
}

BOOST_AUTO_TEST_CASE(a_link_of_the_template_to_a_stopped_service_says_so) {
    auto active = page();
    active.cluster.status = ClusterStatus::active;
    active.cluster.snapshot.cluster_template.links = {
        {"site", "http://%ip.access_v4.service.web%/"}};
    Service web;
    web.header.name = "web";
    web.actions[Action::stop] = {};
    active.cluster.snapshot.services = {web};
    const auto site = [&] { return overview_json(active).at("links").at(0); };
    BOOST_TEST(site().at("state") == "");
    BOOST_TEST(overview_json(active).at("links_look") == "good");
    for (const auto& machine : active.machines) {
        active.services.push_back({.node = machine.node,
                                   .service = "web",
                                   .action = Action::stop,
                                   .state = TaskState::done});
    }

    BOOST_TEST(site().at("state") == "stopped");

    active.cluster.snapshot.cluster_template.links[0].url = "http://%ip.access_v4.service.web[0]%/";
    BOOST_TEST(site().at("state") == "stopped");
    // Another service whose name begins with the same letters.
    active.cluster.snapshot.cluster_template.links[0].url =
        "http://%ip.access_v4.service.webmail%/";
    active.nodes.front().services.push_back("webmail");
    BOOST_TEST(site().at("state") == "");
}

BOOST_AUTO_TEST_CASE(a_link_to_a_service_that_failed_says_so) {
    auto broken = settled(ClusterStatus::inconsistent, JobStatus::failed);
    broken.job->operation = Operation::start_services;
    broken.cluster.snapshot.cluster_template.links = {
        {"site", "http://%ip.access_v4.service.web%/"}};
    Service web = web_that_runs();
    web.links = {{"alone", "http://%ip.access_v4.self%:8080/"}};
    broken.cluster.snapshot.services = {web};
    broken.tasks = {task(4, Action::start, "web", TaskState::failed)};
    broken.nodes[0].was_set_up = true;
    broken.services = {{.node = NodeId{1}, .service = "web", .state = TaskState::failed}};

    const auto json = overview_json(counted_again(broken));

    BOOST_TEST(json.at("links")[0].at("state") == "failed");
    BOOST_TEST(json.at("links")[1].at("state") == "failed");
    BOOST_TEST(json.at("links_look") == "warn");
}

BOOST_AUTO_TEST_CASE(a_link_to_a_machine_that_is_lost_says_so) {
    auto active = settled(ClusterStatus::active, JobStatus::complete);
    active.cluster.snapshot.cluster_template.links = {
        {"site", "http://%ip.access_v4.service.web%/"}};
    Service web = web_that_runs();
    web.links = {{"alone", "http://%ip.access_v4.self%:8080/"}};
    active.cluster.snapshot.services = {web};
    active.services = {{.node = NodeId{1}, .service = "web"}};
    active.lost[NodeId{1}] = now - 60s;

    for (const auto status : {ClusterStatus::active, ClusterStatus::inconsistent}) {
        active.cluster.status = status;
        const auto json = overview_json(active);
        BOOST_TEST_REQUIRE(json.at("links").size() == 2U);
        BOOST_TEST(json.at("links")[0].at("state") == "lost");
        BOOST_TEST(json.at("links")[1].at("state") == "lost");
        BOOST_TEST(json.at("links_look") == "warn");
    }
}

BOOST_AUTO_TEST_CASE(machines_that_a_failed_deletion_has_deleted_have_no_links) {
    auto failed = settled(ClusterStatus::inconsistent, JobStatus::failed);
    failed.job->operation = Operation::cluster_delete;
    failed.cluster.snapshot.cluster_template.links = {
        {"site", "http://%ip.access_v4.service.web%/"}};
    Service web = web_that_runs();
    web.links = {{"alone", "http://%ip.access_v4.self%:8080/"}};
    failed.cluster.snapshot.services = {web};
    Node other = failed.nodes.front();
    other.id = NodeId{2};
    other.nodenum = 1001;
    other.hostname = "shop-7-1001.local";
    other.addresses = {{"access_v4", "10.0.0.6"}};
    failed.nodes.push_back(other);
    failed.tasks = {task(1, Action::delete_machine, "", TaskState::done),
                    task(2, Action::delete_machine, "", TaskState::failed)};
    failed.tasks[1].node = other.id;
    failed.services = {{.node = NodeId{1}, .service = "web"},
                       {.node = NodeId{2}, .service = "web"}};

    const auto json = overview_json(counted_again(failed));

    BOOST_TEST_REQUIRE(json.at("links").size() == 2U);
    BOOST_TEST(json.at("links")[0].at("url") == "http://10.0.0.6/");
    BOOST_TEST(json.at("links")[1].at("url") == "http://10.0.0.6:8080/");
    failed.tasks[1].state = TaskState::done;
    const auto none = overview_json(counted_again(failed));
    BOOST_TEST(none.at("has_links") == false);
}

BOOST_AUTO_TEST_CASE(after_a_failed_growth_links_lead_to_the_machines_where_something_runs) {
    auto failed = settled(ClusterStatus::incomplete, JobStatus::failed);
    failed.job->operation = Operation::cluster_grow;
    failed.cluster.snapshot.cluster_template.links = {
        {"site", "http://%ip.access_v4.service.web[0]%/"},
        {"cache", "http://%ip.access_v4.service.cache[0]%/"}};
    Service web = web_that_runs();
    web.links = {{"alone", "http://%ip.access_v4.self%:8080/"}};
    Service cache = web_that_runs();
    cache.header.name = "cache";
    failed.cluster.snapshot.services = {web, cache};
    failed.tasks.clear();
    for (int i = 1; i <= 4; ++i) {
        if (i > 1) failed.nodes.push_back(failed.nodes.front());
        failed.nodes.back().id = NodeId{i};
        failed.nodes.back().nodenum = 999 + i;
        failed.tasks.push_back(task(i, Action::configure, "web", TaskState::cancelled));
        failed.tasks.back().node = NodeId{i};
    }
    // The others have none yet.
    failed.services = {{.node = NodeId{2}, .service = "web"},
                       {.node = NodeId{3}, .service = "web", .action = Action::stop}};
    failed = counted_again(failed);

    auto json = overview_json(failed);

    BOOST_TEST_REQUIRE(json.at("links").size() == 1U, "there is no cache yet");
    BOOST_TEST(json.at("links")[0].at("label") == "site");
    BOOST_TEST(json.at("links")[0].at("state") == "");
    BOOST_TEST_REQUIRE(json.at("folded_links").size() == 1U);
    BOOST_TEST(json.at("folded_links")[0].at("summary") == "web: alone (one of 2 machines)");
    BOOST_TEST(json.at("folded_links")[0].at("links")[1].at("state") == "stopped");
    failed.services[0].action = Action::stop;
    json = overview_json(failed);
    BOOST_TEST(json.at("links")[0].at("state") == "stopped");
    // While the job is under way nothing is said of that.
    failed.cluster.status = ClusterStatus::pending;
    BOOST_TEST(overview_json(failed).at("has_links") == false);
    // An active cluster knows no more of what was never started than of the rest.
    failed.cluster.status = ClusterStatus::active;
    json = overview_json(failed);
    BOOST_TEST(json.at("links").size() == 2U);
    BOOST_TEST(json.at("folded_links")[0].at("summary") == "web: alone (one of 4 machines)");
}

BOOST_AUTO_TEST_CASE(a_failed_growth_can_be_retried_or_go_on_without_what_failed) {
    auto failed = settled(ClusterStatus::incomplete, JobStatus::failed);
    failed.job->operation = Operation::cluster_grow;
    failed.cluster.node_count = 5;
    failed.end.failed_machines = 2;

    const auto json = overview_json(failed);

    BOOST_TEST(json.at("trouble").at("way_out") ==
               "The latest job failed. Retry it, go on without the machines that failed, or change "
               "the configuration and retry.");
    std::string labels;
    for (const auto& button : json.at("buttons")) {
        labels += button.at("label").get<std::string>() + ", ";
    }
    BOOST_TEST(labels ==
               "Retry, Go on without the 2 machines that failed, Change configuration and retry, "
               "Change lease, Delete, ");
}

BOOST_AUTO_TEST_CASE(a_failed_creation_says_the_way_out_that_its_first_button_is) {
    auto failed = settled(ClusterStatus::incomplete, JobStatus::failed);
    const auto way_out = [&] {
        return overview_json(failed).at("trouble").at("way_out").get<std::string>();
    };
    BOOST_TEST(way_out().starts_with("The creation failed. Retry it, with the same"));
    BOOST_TEST(overview_json(failed).at("buttons")[0].at("label") == "Retry");
    failed.end.has_wrong_configuration = true;
    BOOST_TEST(way_out().starts_with("A value of the configuration is wrong"));
    const auto button = overview_json(failed).at("buttons")[0];
    BOOST_TEST(button.at("label") == "Change configuration and retry");
    BOOST_TEST(button.at("look") == "primary");

    failed.may_operate = false;
    BOOST_TEST(way_out() == "");
}

BOOST_AUTO_TEST_CASE(what_a_failed_change_has_stopped_is_stopped_in_the_grid_too) {
    auto failed = settled(ClusterStatus::inconsistent, JobStatus::failed);
    failed.job->operation = Operation::cluster_configure_with_restart;
    failed.tasks = {task(1, Action::stop, "web", TaskState::done),
                    task(2, Action::configure, "web", TaskState::cancelled)};
    failed = counted_again(failed);
    BOOST_TEST(draw(overview_json(failed)).find("not finished") != std::string::npos);
    failed.services = {{.node = NodeId{1}, .service = "web", .action = Action::stop}};

    const auto picture = draw(overview_json(failed));

    BOOST_TEST(picture.ends_with("stopped"));
}

BOOST_AUTO_TEST_CASE(what_changes_while_it_is_read_tells_no_idle_time) {
    auto retried = page();
    retried.job->id = JobId{12};
    retried.breaks = {{.job = JobId{12},
                       .begin = retried.job->created_at + 2s,
                       .end = retried.job->created_at + 17s}};
    BOOST_TEST(overview_json(retried).at("progress").at("words") ==
               "2 of 4 tasks done, 1 running, 5 s");

    retried.job->finished_at = retried.now;
    BOOST_TEST(overview_json(retried).at("progress").at("words") ==
               "2 of 4 tasks done in 5 s, idle for 15 s");
}

BOOST_AUTO_TEST_CASE(a_deleted_cluster_is_shown_as_gone) {
    auto gone = page();
    gone.cluster.status = ClusterStatus::terminated;
    gone.job->operation = Operation::cluster_delete;
    gone.job->status = JobStatus::complete;
    gone.tasks = {task(9, Action::delete_machine, "", TaskState::done)};

    const auto json = overview_json(counted_again(gone));

    BOOST_TEST(draw(json) == "Machine cache web | shop-7-1000, deleted, deleted, deleted");
    BOOST_TEST(json.at("follow") == "no");
    BOOST_TEST(buttons(json) == "Create again ");
    gone.may_operate = false;
    BOOST_TEST(buttons(overview_json(gone)).empty());
}

BOOST_AUTO_TEST_CASE(a_stopped_service_is_not_shown_as_ready) {
    auto active = settled(ClusterStatus::active, JobStatus::complete);
    active.tasks.clear();
    active.services = {{.node = NodeId{1}, .service = "web", .action = Action::stop},
                       {.node = NodeId{1}, .service = "cache"}};

    const auto json = overview_json(counted_again(active));

    BOOST_TEST(draw(json) == "Machine cache web | shop-7-1000, ready, running, stopped");
    BOOST_TEST(json.at("legend").dump() ==
               R"([{"look":"done","words":"ready"},{"look":"done","words":"running"},)"
               R"({"look":"stopped","words":"stopped"}])");
    BOOST_TEST(json.at("rows")[0].at("href") == "/clusters/00000007/machines/1000");
    active.services[0] = {.node = NodeId{1}, .service = "web", .state = TaskState::failed};
    BOOST_TEST(draw(overview_json(active)) ==
               "Machine cache web | shop-7-1000, ready, running, failed");
}

BOOST_AUTO_TEST_CASE(after_a_failed_change_all_pages_have_one_word_for_a_service) {
    auto failed = settled(ClusterStatus::inconsistent, JobStatus::failed);
    failed.job->operation = Operation::cluster_configure_with_restart;
    Service cache;
    cache.header.name = "cache";
    cache.actions[Action::start];
    failed.cluster.snapshot.services = {cache};
    failed.services = {{.node = NodeId{1}, .service = "cache"}};
    failed.tasks = {task(1, Action::configure, "web", TaskState::failed),
                    task(2, Action::stop, "cache", TaskState::cancelled)};
    failed.nodes[0].was_set_up = true;
    failed = counted_again(failed);

    BOOST_TEST(draw(overview_json(failed)) ==
               "Machine cache web | shop-7-1000, ready, running, failed");
    const auto services = services_json(failed);
    std::map<std::string, std::string> words;
    for (const auto& row : services.at("services")) {
        words[row.at("service")] = row.at("words").get<std::string>();
    }
    BOOST_TEST(words["cache"] == "running");
    BOOST_TEST(words["web"] == "failed");
    // Of the machine it is said what is left of it.
    failed.tasks[0].state = TaskState::cancelled;
    const auto machine = machine_json(counted_again(failed));
    BOOST_TEST(machine.at("state_words") == "running");
    BOOST_TEST(machine.at("left") == "change not finished");
}

BOOST_AUTO_TEST_CASE(until_a_change_reaches_a_service_all_pages_say_that_it_runs) {
    auto changed = settled(ClusterStatus::pending, JobStatus::running);
    changed.job->operation = Operation::cluster_configure_with_restart;
    Service cache;
    cache.header.name = "cache";
    cache.actions[Action::start];
    changed.cluster.snapshot.services = {cache, web_that_runs()};
    changed.services = {{.node = NodeId{1}, .service = "cache"},
                        {.node = NodeId{1}, .service = "web"}};
    changed.tasks = {task(1, Action::configure, "web", TaskState::blocked),
                     task(2, Action::stop, "cache", TaskState::blocked)};
    changed.nodes[0].was_set_up = true;
    changed = counted_again(changed);

    BOOST_TEST(draw(overview_json(changed)) ==
               "Machine cache web | shop-7-1000, ready, running, running");
    const auto services = services_json(changed);
    BOOST_TEST(services.at("services")[1].at("words") == "running");
    BOOST_TEST(services.at("services")[2].at("words") == "running");
    const auto machine = machine_json(changed);
    BOOST_TEST(machine.at("state_words") == "running");
    BOOST_TEST(machine.at("left") == "change waiting");
    const auto listed = machines_json(changed, {.state = "running", .page = 1});
    BOOST_TEST(listed.at("machines").size() == 1U);
    // Of a service that was never started nothing else is known.
    changed.services.pop_back();
    BOOST_TEST(draw(overview_json(changed)) ==
               "Machine cache web | shop-7-1000, ready, running, waiting");
    const auto without = services_json(changed);
    BOOST_TEST(without.at("services")[2].at("words") == "waiting");
}

BOOST_AUTO_TEST_CASE(while_a_job_runs_all_pages_have_one_word_for_a_service) {
    auto busy = page();
    Service cache;
    cache.header.name = "cache";
    cache.actions[Action::start];
    busy.cluster.snapshot.services = {cache, web_that_runs()};
    const auto words = [&] {
        const auto json = services_json(busy);
        return draw(overview_json(busy)) + " | " +
               json.at("services")[1].at("words").get<std::string>() + ", " +
               json.at("services")[2].at("words").get<std::string>();
    };

    BOOST_TEST(words() ==
               "Machine cache web | shop-7-1000, ready, in progress, waiting | in progress, "
               "waiting");
    BOOST_TEST(machine_json(busy).at("state_words") == "in progress");
    BOOST_TEST(machine_json(busy).at("left") == "start cache");
    // Its tasks are counted where they are too many to be read.
    busy.work = {{{NodeId{1}, "cache"}, {.tasks = 2, .done = 1, .running = 1}},
                 {{NodeId{1}, "web"}, {.tasks = 2, .done = 1}}};
    busy.tasks.clear();
    BOOST_TEST(words() ==
               "Machine cache web | shop-7-1000, ready, in progress, waiting | in progress, "
               "waiting");
    // What has been started runs, and nothing of it is partly done.
    busy.work = {{{NodeId{1}, "cache"}, {.tasks = 2, .done = 2}},
                 {{NodeId{1}, "web"}, {.tasks = 2, .done = 1}}};
    busy.services = {{.node = NodeId{1}, .service = "cache"}};
    BOOST_TEST(words() ==
               "Machine cache web | shop-7-1000, ready, running, waiting | running, waiting");
}

BOOST_AUTO_TEST_CASE(what_is_tried_again_is_told_with_what_failed_before) {
    auto busy = page();
    auto again = task(3, Action::start, "cache", TaskState::claimed);
    again.attempt = 2;
    again.message = "exit status 1";
    auto later = task(4, Action::install, "web", TaskState::ready);
    later.attempt = 1;
    later.message = "apt is locked by process 17";
    busy.retried = {again, later};

    const auto json = overview_json(busy);

    BOOST_TEST(json.at("retried").at("words") == "Retrying 2 tasks: start cache and install web");
    busy.job->status = JobStatus::paused;
    BOOST_TEST(overview_json(busy).at("retried").at("words") ==
               "Paused before retrying 2 tasks: start cache and install web");
    const auto retried = json.at("retried").at("groups");
    BOOST_TEST_REQUIRE(retried.size() == 2U);
    BOOST_TEST(retried[0].at("what") == "start cache");
    BOOST_TEST(retried[0].at("where") == "on 1 of 1 machine");
    BOOST_TEST(retried[0].at("hosts")[0].at("host") == "shop-7-1000");
    BOOST_TEST(retried[0].at("words") == "attempt 2 is running");
    BOOST_TEST(retried[0].at("message") == "exit status 1");
    BOOST_TEST(retried[0].at("task") == "/clusters/00000007/tasks/3");
    BOOST_TEST(retried[1].at("words") == "attempt 2 starts soon");
    BOOST_TEST(overview_json(page()).at("retried").is_null());
}

BOOST_AUTO_TEST_CASE(attempts_are_counted_since_the_job_began_and_not_since_its_retry) {
    auto busy = page();
    auto later = task(3, Action::start, "cache", TaskState::ready);
    // Three attempts before a person asked for a retry, and one since.
    later.attempt = 4;
    later.message = "disk full (try 1 of 3, the next one after 2 s)";
    busy.retried = {later};
    const auto group = [&] { return overview_json(busy).at("retried").at("groups")[0]; };

    BOOST_TEST(group().at("words") == "attempt 5 of 6 starts 2 s after the last one");
    BOOST_TEST(group().at("message") == "disk full");
    busy.retried[0].state = TaskState::claimed;
    busy.retried[0].attempt = 5;
    BOOST_TEST(group().at("words") == "attempt 5 of 6 is running");
}

BOOST_AUTO_TEST_CASE(a_failure_counts_the_machines_that_have_its_task) {
    auto failed = page();
    for (int i = 2; i <= 120; ++i) {
        failed.nodes.push_back(failed.nodes.front());
        failed.nodes.back().id = NodeId{i};
    }
    failed.tasks = {task(7, Action::install, "web", TaskState::failed)};
    failed.kinds = {{{.action = Action::install, .service = "web"}, TaskState::done, 117},
                    {{.action = Action::install, .service = "web"}, TaskState::failed, 1},
                    {{.action = Action::install, .service = "cache"}, TaskState::done, 120}};
    failed.job->status = JobStatus::failed;
    const auto where = [&] {
        const auto json = overview_json(counted_again(failed));
        return json.at("trouble").at("failures")[0].at("where").get<std::string>();
    };

    BOOST_TEST(where() == "on 1 of 118 machines");
    // A machine that was made again has two tasks of a kind.
    failed.tasks = {task(7, Action::create, "", TaskState::failed)};
    failed.kinds = {{{.action = Action::create}, TaskState::failed, 1},
                    {{.action = Action::create}, TaskState::done, 122}};
    BOOST_TEST(where() == "on 1 of 120 machines");
}

BOOST_AUTO_TEST_CASE(machines_that_fail_alike_are_one_failure) {
    auto failed = page();
    failed.tasks.clear();
    failed.nodes.resize(1);
    for (int i = 1; i <= 30; ++i) {
        failed.nodes.push_back(failed.nodes.front());
        failed.nodes.back().id = NodeId{i + 1};
        failed.nodes.back().nodenum = 1000 + i;
        auto broken = task(i, Action::install, "cache", TaskState::failed);
        broken.node = NodeId{i + 1};
        broken.message = "apt lock held by process " + std::to_string(100 + i);
        failed.tasks.push_back(broken);
    }
    failed.job->status = JobStatus::failed;

    const auto failures = overview_json(counted_again(failed)).at("trouble").at("failures");

    BOOST_TEST_REQUIRE(failures.size() == 1U);
    BOOST_TEST(failures[0].at("where") == "on 30 of 30 machines");
    BOOST_TEST(failures[0].at("message") == "apt lock held by process 101");
    BOOST_TEST(failures[0].at("hosts").size() == 10U);
    BOOST_TEST(failures[0].at("more") == "and 20 more");
    const auto all = failures[0].at("more_href").get<std::string>();
    BOOST_TEST(all.starts_with("/clusters/00000007/jobs/"));
    BOOST_TEST(all.ends_with("&state=failed#tasks"));
}

BOOST_AUTO_TEST_CASE(services_that_do_not_run_are_named_while_the_cluster_is_active) {
    auto active = settled(ClusterStatus::active, JobStatus::complete);
    active.cluster.snapshot.services = {web_that_runs()};
    using provisioner::store::ServiceState;
    active.services = {ServiceState{NodeId{1}, "web", Action::stop, TaskState::done}};

    const auto stopped = overview_json(active).at("stopped");
    BOOST_TEST(stopped.at("services")[0].at("name") == "web");
    BOOST_TEST(stopped.at("services")[0].at("words") == "stopped");

    active.services[0].action = Action::start;
    BOOST_TEST(overview_json(active).at("stopped").is_null());
    active.services[0].state = TaskState::failed;
    BOOST_TEST(overview_json(active).at("stopped").at("services")[0].at("words") == "failed");
    active.cluster.status = ClusterStatus::pending;
    BOOST_TEST(overview_json(active).at("stopped").is_null());
}

BOOST_AUTO_TEST_CASE(many_machines_are_cells_and_no_table) {
    auto large = page();
    for (int i = 2; i <= 60; ++i) {
        large.nodes.push_back(large.nodes.front());
        large.nodes.back().id = NodeId{i};
    }
    const auto json = overview_json(counted_again(large));

    BOOST_TEST(json.at("is_large") == true);
    BOOST_TEST(json.at("rows").empty());
    const auto& group = json.at("groups").back();
    BOOST_TEST(group.at("count") == "60 machines");
    BOOST_TEST(group.at("services") == "cache and web");
    const auto& lines = group.at("lines");
    // Lines of 25, so that they fit side by side on a screen and below each other on a phone.
    BOOST_TEST_REQUIRE(lines.size() == 3U);
    BOOST_TEST(lines[0].at("line") == "1-1");
    BOOST_TEST_REQUIRE(lines[0].at("paths").size() == 2U);
    BOOST_TEST(lines[0].at("paths")[0].at("d") == "M0 6h10");
    BOOST_TEST(lines[0].at("paths")[1].at("d") == "M12 6h286");
    BOOST_TEST(lines[2].at("line") == "1-3");
    BOOST_TEST_REQUIRE(lines[2].at("paths").size() == 1U);
    BOOST_TEST(lines[2].at("paths")[0].at("d") == "M0 6h118");
}

BOOST_AUTO_TEST_CASE(an_ended_cluster_has_no_expiry) {
    auto ended = settled(ClusterStatus::terminated, JobStatus::complete);
    ended.cluster.expires_at = now + 1h;
    BOOST_TEST(overview_json(ended).at("about").at("expires").is_null());
    ended.cluster.status = ClusterStatus::active;
    BOOST_TEST(overview_json(ended).at("about").at("expires").at("relative") == "in 1 hour");
}

BOOST_AUTO_TEST_CASE(a_number_of_a_large_picture_leads_to_as_many_machines) {
    auto large = page();
    large.machines.clear();
    for (int i = 0; i < 90; ++i) {
        provisioner::store::ListedMachine machine;
        machine.node = NodeId{i + 1};
        machine.nodenum = 1000 + i;
        if (i >= 10) machine.services = {"web", i < 60 ? "cache" : "db"};
        machine.tasks = 1;
        machine.failed = i % 3 == 0 ? 1 : 0;
        large.machines.push_back(machine);
    }

    const auto groups = cells_json(large);

    BOOST_TEST_REQUIRE(groups.size() == 3U);
    BOOST_TEST(groups[0].at("services") == "cache and web");
    BOOST_TEST(groups[2].at("services") == "no services");
    for (const auto& [at, words] : {std::pair{0, "cache,web"}, {1, "db,web"}, {2, "-"}}) {
        const auto& state = groups[at].at("states")[0];
        const MachineQuery query{.state = "failed", .services = words};
        const auto listed = machines_json(large, query).at("machines").size();
        BOOST_TEST(state.at("count") == std::to_string(listed));
        BOOST_TEST(state.at("href").get<std::string>().ends_with("&state=failed"));
    }
    BOOST_TEST(groups[0].at("lines")[0].at("numbers") == "1010-1034");
    BOOST_TEST(groups[0].at("lines")[1].at("numbers") == "1035-1059");
    BOOST_TEST(groups[0].at("states")[0].at("href") ==
               "/clusters/00000007/machines?services=cache%2Cweb&part=services&state=failed");
}

namespace {

/// 50 machines with a web server, all done.
ClusterPage fifty_machines() {
    auto large = settled(ClusterStatus::incomplete, JobStatus::failed);
    Service web;
    web.header.name = "web";
    web.actions[Action::start];
    large.cluster.snapshot.services = {web};
    large.machines.clear();
    large.work.clear();
    for (int i = 0; i < 50; ++i) {
        provisioner::store::ListedMachine machine;
        machine.node = NodeId{i + 1};
        machine.nodenum = 1000 + i;
        machine.services = {"web"};
        machine.tasks = machine.done = 5;
        machine.own = {.tasks = 3, .done = 3};
        large.machines.push_back(machine);
    }
    return large;
}

/// "failed 1, ready 49 "
std::string states_of(const Json& group) {
    std::string text;
    for (const auto& state : group.at("states")) {
        text += (text.empty() ? "" : ", ") + state.at("words").get<std::string>() + " " +
                state.at("count").get<std::string>();
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_machine_that_failed_itself_is_no_failure_of_its_services) {
    auto large = fifty_machines();
    BOOST_TEST(cells_json(large).size() == 1U);
    // It could not be prepared.
    large.machines[0].done = 2;
    large.machines[0].failed = 1;
    large.machines[0].cancelled = 2;
    large.machines[0].own = {.tasks = 3, .done = 2, .failed = 1};

    const auto groups = cells_json(large);

    BOOST_TEST_REQUIRE(groups.size() == 2U);
    BOOST_TEST(groups[0].at("services") == "The machines themselves");
    BOOST_TEST(groups[0].at("number") == "machine");
    BOOST_TEST(states_of(groups[0]) == "failed 1, ready 49");
    BOOST_TEST(groups[0].at("states")[0].at("href") ==
               "/clusters/00000007/machines?part=machine&state=failed");
    BOOST_TEST(states_of(groups[1]) == "not started 1, ready 49");
}

BOOST_AUTO_TEST_CASE(after_an_aborted_growth_all_pages_say_that_the_other_machines_run) {
    auto large = fifty_machines();
    large.job->operation = Operation::cluster_grow;
    large.job->status = JobStatus::failed;
    large.job->aborted = true;
    for (auto& machine : large.machines) {
        machine.done = 0;
        machine.cancelled = machine.tasks;
        // The last one is new. The others would only have been configured again.
        if (&machine == &large.machines.back()) {
            machine.own = {.tasks = 3, .cancelled = 3};
            continue;
        }
        machine.own = {};
        machine.was_set_up = true;
        large.services.push_back({.node = machine.node, .service = "web"});
    }

    BOOST_TEST(states_of(cells_json(large).back()) == "not started 1, running 49");
    const auto services = services_json(large);
    BOOST_TEST(services.at("services").back().at("words") ==
               "running on 49 and not started on 1 of 50 machines");
    const auto found = machines_json(large, {.state = "running", .page = 1});
    BOOST_TEST(found.at("summary") == "1–49 of 49 machines");
    BOOST_TEST(found.at("machines")[0].at("left") == "change not finished");
}

BOOST_AUTO_TEST_CASE(until_a_growth_reaches_other_machines_all_pages_say_that_they_run) {
    auto large = fifty_machines();
    large.cluster.status = ClusterStatus::pending;
    large.job->operation = Operation::cluster_grow;
    large.job->status = JobStatus::running;
    for (auto& machine : large.machines) {
        machine.done = 0;
        // The last one is new. The others are only configured again.
        if (&machine == &large.machines.back()) {
            machine.own = {.tasks = 3};
            continue;
        }
        machine.own = {};
        machine.was_set_up = true;
        large.services.push_back({.node = machine.node, .service = "web"});
    }

    BOOST_TEST(states_of(cells_json(large).back()) == "waiting 1, running 49");
    const auto services = services_json(large);
    BOOST_TEST(services.at("services").back().at("words") ==
               "running on 49 and waiting on 1 of 50 machines");
    BOOST_TEST(services.at("services").back().at("machines") == "", "the words have said it");
    const auto found = machines_json(large, {.state = "running", .page = 1});
    BOOST_TEST(found.at("summary") == "1–49 of 49 machines");
    BOOST_TEST(found.at("machines")[0].at("left") == "change waiting");
}

BOOST_AUTO_TEST_CASE(a_service_of_many_machines_runs_or_is_stopped_as_on_its_page) {
    auto large = fifty_machines();
    for (const auto& machine : large.machines) {
        large.services.push_back({.node = machine.node, .service = "web"});
    }
    large.services[0].action = Action::stop;

    BOOST_TEST(states_of(cells_json(large)[0]) == "stopped 1, running 49");
    BOOST_TEST(services_json(large).at("services").back().at("words") ==
               "running on 49 and stopped on 1 of 50 machines");
    const auto json = machines_json(large, {.page = 1});
    BOOST_TEST(json.at("states")[1].at("label") == "stopped (1)");
    BOOST_TEST(json.at("states")[2].at("label") == "running (49)");
}

BOOST_AUTO_TEST_CASE(a_service_that_never_runs_is_installed_on_all_pages) {
    auto large = fifty_machines();
    large.cluster.snapshot.services.clear();

    BOOST_TEST(states_of(cells_json(large)[0]) == "installed 50");
    BOOST_TEST(services_json(large).at("services").back().at("words") == "installed");
}

BOOST_AUTO_TEST_CASE(machines_that_are_made_have_a_row_of_their_own_meanwhile) {
    auto large = fifty_machines();
    large.cluster.status = ClusterStatus::pending;
    large.job->status = JobStatus::running;
    BOOST_TEST(states_of(cells_json(large)[0]) == "ready 50");
    BOOST_TEST(cells_json(large)[0].at("number") == "machine");

    // A job that starts services does nothing with machines.
    for (auto& machine : large.machines) machine.own = {};

    BOOST_TEST(cells_json(large)[0].at("number") == "1");
}

BOOST_AUTO_TEST_CASE(the_legend_of_many_machines_has_the_states_that_some_machine_is_in) {
    auto large = fifty_machines();
    const auto legend = [&] {
        std::string text;
        const auto json = overview_json(large);
        for (const auto& look : json.at("legend")) {
            text += look.at("words").get<std::string>() + " ";
        }
        return text;
    };
    BOOST_TEST(legend() == "ready ");
    large.machines[0].done = 4;
    large.machines[0].cancelled = 1;
    BOOST_TEST(legend() == "not finished ready ");
    large.lost[NodeId{2}] = now - 60s;
    BOOST_TEST(legend() == "lost not finished ready ");
}

BOOST_AUTO_TEST_CASE(the_picture_of_a_partial_retry_does_not_wait_for_what_is_left) {
    auto retried = page();
    retried.tasks[3].state = TaskState::cancelled;
    BOOST_TEST(draw(overview_json(counted_again(retried))) ==
               "Machine cache web | shop-7-1000, ready, in progress, not started");
    retried.tasks.push_back(task(5, Action::configure, "web", TaskState::done));
    BOOST_TEST(draw(overview_json(counted_again(retried))) ==
               "Machine cache web | shop-7-1000, ready, in progress, not finished");
}

BOOST_AUTO_TEST_CASE(an_update_of_the_template_says_from_which_version_to_which) {
    auto updated = page();
    updated.cluster.snapshot.cluster_template.header.name = "shop";
    updated.cluster.snapshot.cluster_template.header.version = 3;
    BOOST_TEST(overview_json(updated).at("updated").is_null());

    updated.updated_from = 2;
    updated.for_admin = true;

    const auto json = overview_json(updated).at("updated");
    BOOST_TEST(json.at("words") == "Template shop was updated from version 2 to version 3.");
    BOOST_TEST(json.at("href") == "/catalogue/clustertemplates/shop/versions");
}

BOOST_AUTO_TEST_SUITE_END()
