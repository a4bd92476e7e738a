#include "fcgi/pages/clusters/show_page.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/progress.hpp"

BOOST_AUTO_TEST_SUITE(cluster_page)

namespace {

using namespace std::chrono_literals;
using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::Json;

const auto now = provisioner::base::from_sql("2026-11-20 10:00:00");

Task task(int id, Action action, const std::string& service, TaskState state) {
    Task made;
    made.id = TaskId{id};
    made.node = NodeId{1};
    made.action = action;
    made.service = service;
    made.state = state;
    if (state != TaskState::blocked) made.started_at = now - 3s;
    return made;
}

/// One machine with a cache and a web server, half done.
ClusterPage page() {
    Node node;
    node.id = NodeId{1};
    node.nodenum = 1000;
    node.hostname = "shop-7-1000.local";
    node.services = {"cache", "web"};
    node.addresses = {{"access_v4", "10.0.0.5"}};
    ClusterPage made{.nodes = {node}, .now = now};
    made.cluster.id = ClusterId{7};
    made.cluster.name = "shop";
    made.job = Job();
    made.job->operation = Operation::cluster_create;
    made.job->created_at = now - 20s;
    made.job->tasks_total = 4;
    made.job->tasks_done = 2;
    made.tasks = {task(1, Action::create, "", TaskState::done),
                  task(2, Action::install, "cache", TaskState::done),
                  task(3, Action::start, "cache", TaskState::claimed),
                  task(4, Action::install, "web", TaskState::blocked)};
    return made;
}

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

/// "Pause! Abort ": what can be done at once has an exclamation mark, the rest leads to a page.
std::string buttons(const Json& page) {
    std::string text;
    for (const auto& button : page.at("buttons")) {
        text += button.at("label").get<std::string>();
        text += button.at("post").get<std::string>().empty() ? " " : "! ";
    }
    return text;
}

ClusterPage settled(ClusterStatus status, JobStatus job) {
    auto made = page();
    made.cluster.status = status;
    made.job->status = job;
    return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_picture_shows_how_far_each_service_on_each_machine_is) {
    BOOST_TEST(draw(to_json(page())) == "machine cache web | shop-7-1000, ready, running, waiting");
}

BOOST_AUTO_TEST_CASE(a_failed_task_marks_its_cell_its_machine_and_the_top_of_the_page) {
    auto failed = page();
    failed.tasks[2].state = TaskState::failed;
    failed.tasks[2].message = "exit status 1";
    failed.outputs[TaskId{3}] = "no such file\n";
    failed.job->status = JobStatus::failed;
    failed.cluster.status = ClusterStatus::incomplete;

    const auto json = to_json(failed);

    BOOST_TEST(draw(json) == "machine cache web | shop-7-1000, ready, failed, waiting");
    BOOST_TEST(json.at("nodes")[0].at("state") == "failed");
    BOOST_TEST(json.at("nodes")[0].at("open") == true);
    BOOST_TEST(json.at("trouble").at("title") == "Creating the cluster failed");
    BOOST_TEST(
        json.at("trouble").at("failures")[0].dump() ==
        R"({"what":"start cache","host":"shop-7-1000","message":"exit status 1","output":"no such file\n"})");
}

BOOST_AUTO_TEST_CASE(a_running_cluster_is_followed_and_can_be_paused_or_aborted) {
    const auto json = to_json(page());

    BOOST_TEST(json.at("follow") == "yes");
    BOOST_TEST(buttons(json) == "Pause! Abort ");
    BOOST_TEST(json.at("status_words") == "being created");
    BOOST_TEST(json.at("progress").at("words") == "2 of 4 tasks done, 1 running, 20 s");
    BOOST_TEST(json.at("nodes")[0].at("state_words") == "start cache");
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_not_there_any_more_is_shown_as_lost) {
    auto shown = page();
    shown.lost[shown.nodes[0].id] = shown.now - 60s;
    BOOST_TEST(to_json(shown).at("nodes")[0].at("state_words") == "start cache");
    shown.job->status = JobStatus::complete;
    shown.cluster.status = ClusterStatus::active;

    const auto node = to_json(shown).at("nodes")[0];

    BOOST_TEST(node.at("state") == "failed");
    BOOST_TEST(node.at("state_words") == "lost");
    BOOST_TEST(node.at("lost").at("relative") == "1 minute ago");
    shown.lost.clear();
    BOOST_TEST(to_json(shown).at("nodes")[0].at("lost").is_null());
}

BOOST_AUTO_TEST_CASE(a_deletion_that_fails_says_how_often_and_when_it_comes_again) {
    auto stuck = page();
    stuck.cluster.status = ClusterStatus::incomplete;
    stuck.cluster.message = "delete on shop-7-1000: no credit";
    stuck.job->operation = Operation::cluster_delete;
    stuck.job->status = JobStatus::failed;
    stuck.job->asked_by = {.user = {}, .name = asked_by_lease};
    stuck.failed_deletions = {.count = 3, .last = stuck.now - 60s, .message = "no credit"};

    const auto trouble = to_json(stuck).at("trouble");

    BOOST_TEST(trouble.at("text") == "delete on shop-7-1000: no credit");
    BOOST_TEST(trouble.at("again").at("words") ==
               "Its lease has ended, but it could not be deleted: 3 attempts failed.");
    BOOST_TEST(trouble.at("again").at("next").at("relative") == "in 3 minutes");
    BOOST_TEST(to_json(stuck).at("progress").at("asked_by") == "Because its lease has ended");
    BOOST_TEST(buttons(to_json(stuck)) == "Try again! Lease Delete ");
    stuck.for_admin = true;
    BOOST_TEST(buttons(to_json(stuck)) == "Try again! Lease Delete Give up ");
    stuck.failed_deletions.reset();
    BOOST_TEST(to_json(stuck).at("trouble").at("again").is_null());
}

BOOST_AUTO_TEST_CASE(the_page_says_who_asked_for_the_work) {
    auto asked = page();
    BOOST_TEST(to_json(asked).at("progress").at("asked_by") == "");
    asked.job->asked_by = {.user = UserId{3}, .name = "ada"};

    BOOST_TEST(to_json(asked).at("progress").at("asked_by") == "Asked for by ada");
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

    const auto links = to_json(active).at("links");

    BOOST_TEST(links.dump() ==
               R"([{"label":"site","url":"http://10.0.0.5/"},)"
               R"({"label":"alone on shop-7-1000","url":"http://10.0.0.5:8080/"}])");
}

BOOST_AUTO_TEST_CASE(a_deleted_cluster_is_shown_as_gone) {
    auto gone = page();
    gone.cluster.status = ClusterStatus::terminated;
    gone.job->operation = Operation::cluster_delete;
    gone.job->status = JobStatus::complete;
    gone.tasks = {task(9, Action::delete_machine, "", TaskState::done)};

    const auto json = to_json(gone);

    BOOST_TEST(draw(json) == "machine cache web | shop-7-1000, gone, gone, gone");
    BOOST_TEST(json.at("follow") == "no");
    BOOST_TEST(buttons(json).empty());
}

BOOST_AUTO_TEST_CASE(a_page_of_many_machines_lists_only_what_runs_or_failed) {
    auto large = page();
    for (int i = 2; i <= 60; ++i) {
        large.nodes.push_back(large.nodes.front());
        large.nodes.back().id = NodeId{i};
    }

    const auto tasks = to_json(large).at("nodes")[0].at("tasks");

    BOOST_TEST(tasks.size() == 1U);
    BOOST_TEST(tasks[0].at("what") == "start cache");
}

BOOST_AUTO_TEST_CASE(a_paused_cluster_can_be_resumed_and_one_being_aborted_is_left_alone) {
    auto paused = page();
    paused.job->status = JobStatus::paused;
    BOOST_TEST(buttons(to_json(paused)) == "Resume! Abort ");
    BOOST_TEST(to_json(paused).at("status_words") == "paused");
    BOOST_TEST(to_json(paused).at("status") == "paused");

    auto aborted = page();
    aborted.job->aborted = true;
    BOOST_TEST(buttons(to_json(aborted)).empty());
    BOOST_TEST(to_json(aborted).at("status_words") == "being aborted");
}

BOOST_AUTO_TEST_CASE(a_deletion_can_be_paused_but_not_aborted) {
    auto deleting = page();
    deleting.job->operation = Operation::cluster_delete;

    BOOST_TEST(buttons(to_json(deleting)) == "Pause! ");
}

BOOST_AUTO_TEST_CASE(a_settled_cluster_offers_what_its_status_allows) {
    BOOST_TEST(buttons(to_json(settled(ClusterStatus::active, JobStatus::complete))) ==
               "Grow Shrink Configure Lease Delete ");
    BOOST_TEST(buttons(to_json(settled(ClusterStatus::inconsistent, JobStatus::failed))) ==
               "Try again! Shrink Configure Lease Delete ");
    BOOST_TEST(buttons(to_json(settled(ClusterStatus::incomplete, JobStatus::failed))) ==
               "Try again! Shrink Lease Delete ");
    auto half_deleted = settled(ClusterStatus::incomplete, JobStatus::failed);
    half_deleted.job->operation = Operation::cluster_delete;
    BOOST_TEST(buttons(to_json(half_deleted)) == "Try again! Lease Delete ");
}

BOOST_AUTO_TEST_CASE(services_that_run_can_be_started_and_stopped_while_the_cluster_is_active) {
    auto active = settled(ClusterStatus::active, JobStatus::complete);
    Service web;
    web.header.name = "web";
    web.actions[Action::start].type = "shell";
    Service base;
    base.header.name = "base";
    base.actions[Action::install].type = "shell";
    Service removed = web;
    removed.header.name = "removed";
    active.cluster.services = {"web", "base"};
    active.cluster.snapshot.services = {web, base, removed};

    const auto panel = to_json(active).at("service_panel");
    BOOST_TEST(panel.at("add") == "/clusters/00000007/services/add");
    BOOST_TEST(panel.at("remove") == "/clusters/00000007/services/remove");
    const auto rows = panel.at("services");
    BOOST_REQUIRE(rows.size() == 2U);
    BOOST_TEST(rows[0].at("name") == "All services");
    BOOST_TEST(rows[0].at("stop") == "/clusters/00000007/services/stop");
    BOOST_TEST(rows[1].at("name") == "web");
    BOOST_TEST(rows[1].at("stop") == "/clusters/00000007/services/stop?service=web");

    active.cluster.status = ClusterStatus::inconsistent;
    BOOST_TEST(to_json(active).at("service_panel").is_null());
}

BOOST_AUTO_TEST_CASE(machines_can_be_replaced_unless_the_cluster_is_worked_on_or_half_gone) {
    const auto replace = [](ClusterStatus status) {
        return to_json(settled(status, JobStatus::complete)).at("nodes")[0].at("replace");
    };

    BOOST_TEST(replace(ClusterStatus::active) == "/clusters/00000007/nodes/1000/replace");
    BOOST_TEST(replace(ClusterStatus::inconsistent) == "/clusters/00000007/nodes/1000/replace");
    BOOST_TEST(replace(ClusterStatus::incomplete) == "/clusters/00000007/nodes/1000/replace");
    auto half_gone = settled(ClusterStatus::incomplete, JobStatus::failed);
    half_gone.job->operation = Operation::cluster_delete;
    BOOST_TEST(to_json(half_gone).at("nodes")[0].at("replace") == "");
    BOOST_TEST(replace(ClusterStatus::pending) == "");
    BOOST_TEST(replace(ClusterStatus::terminated) == "");
}

BOOST_AUTO_TEST_CASE(callbacks_say_what_came_of_them) {
    auto told = settled(ClusterStatus::active, JobStatus::complete);
    BOOST_TEST(to_json(told).at("callback_panel").is_null());
    Callback callback;
    callback.event = CallbackEvent::success;
    callback.state = CallbackState::given_up;
    callback.attempts = 45;
    callback.created_at = now - 1s;
    told.callbacks = {callback};

    const auto item = to_json(told).at("callback_panel").at("callbacks")[0];

    BOOST_TEST(item.at("what") == "success of cluster_create");
    BOOST_TEST(item.at("words") == "failed after 45 attempts");
}

BOOST_AUTO_TEST_SUITE_END()
