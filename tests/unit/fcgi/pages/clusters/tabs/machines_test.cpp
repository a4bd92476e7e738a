#include "fcgi/pages/clusters/tabs/machines.hpp"

#include <boost/test/unit_test.hpp>

#include "cluster_fixture.hpp"

BOOST_AUTO_TEST_SUITE(machines_of_a_cluster)

namespace {

using namespace tests;

/// 120 machines; the last one has failed, the one before it is at work.
ClusterPage large() {
    auto made = settled(ClusterStatus::active, JobStatus::complete);
    made.machines.clear();
    for (int i = 0; i < 120; ++i) {
        provisioner::store::ListedMachine machine;
        machine.node = NodeId{i + 1};
        machine.nodenum = 1000 + i;
        machine.hostname = "shop-7-" + std::to_string(machine.nodenum) + ".local";
        machine.address = "10.0.0." + std::to_string(i);
        machine.services = {i % 2 == 0 ? "cache" : "web"};
        made.machines.push_back(machine);
    }
    made.machines[119].tasks = 1;
    made.machines[119].failed = 1;
    made.machines[118].tasks = 2;
    made.machines[118].running = 1;
    made.machines[118].action = Action::install;
    made.machines[118].service = "cache";
    return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(machines_have_labels_and_are_found_by_them) {
    auto made = large();
    made.labels.add(CatalogueKind::service, {{"cache", "Redis"}, {"web", "Web server"}});

    const auto json = machines_json(made, {.text = "redis", .services = "cache"});

    BOOST_TEST(json.at("summary") == "1–50 of 60 machines");
    BOOST_TEST(json.at("machines")[0].at("services") == "Redis");
    BOOST_TEST(json.at("chosen_words") == "Only machines with Redis.");
    BOOST_TEST(json.at("only_services") == "cache");
    BOOST_TEST(machines_json(made, {.text = "cache"}).at("summary") == "1–50 of 60 machines");
}

BOOST_AUTO_TEST_CASE(states_and_parts_of_machines_that_do_not_exist_are_named) {
    fcgi::http::Request request;
    request.query = "state=nonsense&part=roof&page=x&q=web&services=cache";
    std::vector<std::string> notes;

    const MachineQuery query = machine_query_in(request, notes);

    BOOST_TEST(query.state == "");
    BOOST_TEST(query.part == "");
    BOOST_TEST(query.page == 1);
    BOOST_TEST(query.text == "web");
    BOOST_TEST(query.services == "cache");
    BOOST_REQUIRE(notes.size() == 3U);
    BOOST_TEST(notes[0] == "Unknown page “x”; showing the first.");
    BOOST_TEST(notes[1] == "Unknown state “nonsense”; showing all.");
    BOOST_TEST(notes[2] == "Unknown part “roof”; showing all.");
    notes.clear();
    request.query = "state=not%20started&part=services&page=2";
    BOOST_TEST(machine_query_in(request, notes).state == "not started");
    BOOST_TEST(notes.empty());
}

BOOST_AUTO_TEST_CASE(failed_machines_come_first_and_fifty_are_on_a_page) {
    const auto first = machines_json(large(), {});
    BOOST_TEST(first.at("machines").size() == 50U);
    BOOST_TEST(first.at("machines")[0].at("short_name") == "shop-7-1119");
    BOOST_TEST(first.at("machines")[1].at("left") == "install cache");
    BOOST_TEST(first.at("machines")[2].at("short_name") == "shop-7-1000");
    BOOST_TEST(first.at("summary") == "1–50 of 120 machines");
    BOOST_TEST(first.at("pager").at("at") == "Page 1 of 3");
    BOOST_TEST(first.at("pager").at("previous") == "");
    BOOST_TEST(first.at("pager").at("next") == "/clusters/00000007/machines?page=2");
    BOOST_TEST(first.at("pager").at("last") == "/clusters/00000007/machines?page=3");

    const auto last = machines_json(large(), {.page = 99});
    BOOST_TEST(last.at("summary") == "101–120 of 120 machines");
    BOOST_TEST(last.at("pager").at("next") == "");
    BOOST_TEST(last.at("pager").at("first") == "/clusters/00000007/machines");
}

BOOST_AUTO_TEST_CASE(a_filter_by_services_stays_on_the_next_page_and_is_said) {
    const auto json = machines_json(large(), {.services = "cache"});
    BOOST_TEST(json.at("pager").at("next") == "/clusters/00000007/machines?services=cache&page=2");
    BOOST_TEST(json.at("chosen_words") == "Only machines with cache.");
    BOOST_TEST(json.at("has_filter") == true);
    BOOST_TEST(services_word({"web", "cache"}) == "cache,web");
    BOOST_TEST(said_services("cache,db,web", {}) == "cache, db and web");
    BOOST_TEST(said_services(services_word({}), {}) == "no services");
}

BOOST_AUTO_TEST_CASE(machines_are_found_by_state_name_address_and_service) {
    const auto number = [](const MachineQuery& query) {
        return machines_json(large(), query).at("summary").get<std::string>();
    };
    BOOST_TEST(number({.state = "failed"}) == "1–1 of 1 machine");
    BOOST_TEST(number({.state = "ready"}) == "1–50 of 118 machines");
    BOOST_TEST(number({.services = "cache"}) == "1–50 of 60 machines");
    BOOST_TEST(number({.state = "failed", .services = "cache"}) == "No machines");
    BOOST_TEST(number({.services = "-"}) == "No machines");
    BOOST_TEST(number({.text = "SHOP-7-1005"}) == "1–1 of 1 machine");
    BOOST_TEST(number({.text = "10.0.0.77"}) == "1–1 of 1 machine");
    BOOST_TEST(number({.text = "web"}) == "1–50 of 60 machines");
    BOOST_TEST(number({.state = "failed", .text = "cache"}) == "No machines");
    const auto second = machines_json(large(), {.state = "ready", .text = "a b", .page = 1});
    BOOST_TEST(second.at("text") == "a b");
    const auto filtered = machines_json(large(), {.state = "ready", .page = 2});
    BOOST_TEST(filtered.at("pager").at("next") == "/clusters/00000007/machines?state=ready&page=3");
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_not_there_any_more_is_shown_as_lost) {
    auto shown = page();
    shown.lost[shown.nodes[0].id] = shown.now - 60s;
    BOOST_TEST(machine_json(shown).at("state_words") == "in progress");
    BOOST_TEST(machine_json(shown).at("left") == "start cache");
    BOOST_TEST(machine_json(shown).at("lost").is_null(), "that is no time of what is in progress");
    shown.job->status = JobStatus::complete;
    shown.cluster.status = ClusterStatus::active;

    const auto node = machine_json(shown);

    BOOST_TEST(node.at("state") == "failed");
    BOOST_TEST(node.at("state_words") == "lost");
    BOOST_TEST(node.at("lost").at("relative") == "1 minute ago");
    shown.lost.clear();
    BOOST_TEST(machine_json(shown).at("lost").is_null());
}

BOOST_AUTO_TEST_CASE(the_failed_task_of_a_machine_is_its_first_one) {
    auto shown = settled(ClusterStatus::incomplete, JobStatus::failed);
    shown.tasks.resize(3);
    for (int i = 0; i < 3; ++i) {
        shown.tasks[static_cast<std::size_t>(i)].id = TaskId{i + 1};
        shown.tasks[static_cast<std::size_t>(i)].state = TaskState::done;
    }
    shown.tasks[1].state = TaskState::failed;
    shown.tasks[2].state = TaskState::cancelled;

    const auto tasks = machine_json(shown).at("tasks");

    BOOST_TEST(tasks[0].at("id") == 2);
    BOOST_TEST(tasks[1].at("id") == 1);
    BOOST_TEST(tasks[2].at("id") == 3);
}

BOOST_AUTO_TEST_CASE(machines_can_be_replaced_unless_the_cluster_is_worked_on_or_half_gone) {
    const auto replace = [](ClusterStatus status) {
        return machine_json(settled(status, JobStatus::complete)).at("replace");
    };

    BOOST_TEST(replace(ClusterStatus::active) == "/clusters/00000007/nodes/1000/replace");
    BOOST_TEST(replace(ClusterStatus::inconsistent) == "/clusters/00000007/nodes/1000/replace");
    BOOST_TEST(replace(ClusterStatus::incomplete) == "/clusters/00000007/nodes/1000/replace");
    auto half_gone = settled(ClusterStatus::incomplete, JobStatus::failed);
    half_gone.job->operation = Operation::cluster_delete;
    BOOST_TEST(machine_json(half_gone).at("replace") == "");
    BOOST_TEST(replace(ClusterStatus::pending) == "");
    BOOST_TEST(replace(ClusterStatus::terminated) == "");
}

BOOST_AUTO_TEST_CASE(a_machine_that_a_retry_of_others_has_left_is_not_under_way) {
    auto shown = settled(ClusterStatus::pending, JobStatus::running);
    for (Task& one : shown.tasks) one.state = TaskState::done;
    shown.tasks[3].state = TaskState::cancelled;
    const auto words = [&] { return machine_json(counted_again(shown)).at("state_words"); };
    BOOST_TEST(words() == "not finished");
    // Nothing of it was done.
    for (Task& one : shown.tasks) one.state = TaskState::cancelled;
    BOOST_TEST(words() == "not started");
    shown.tasks[3].state = TaskState::blocked;
    BOOST_TEST(words() == "waiting");
    shown.tasks[2].state = TaskState::done;
    BOOST_TEST(words() == "waiting");
}

BOOST_AUTO_TEST_CASE(a_machine_on_which_only_a_removal_failed_serves_and_says_what_is_left) {
    auto shown = settled(ClusterStatus::inconsistent, JobStatus::failed);
    shown.job->operation = Operation::remove_services;
    auto& machine = shown.machines.front();
    machine.tasks = 3;
    machine.done = 1;
    machine.failed = 1;
    machine.cancelled = 1;
    machine.running = 0;
    machine.own = {};
    machine.left_behind = {"agent"};
    machine.failed_removals = 1;
    shown.services.clear();
    shown.work.clear();
    shown.tasks.clear();
    for (const std::string& name : machine.services) {
        shown.services.push_back({.node = machine.node, .service = name});
    }
    shown.labels.add(CatalogueKind::service, {{"agent", "Monitoring agent"}});

    const auto json = machine_json(shown);

    BOOST_TEST(json.at("state_words") == "running");
    BOOST_TEST(json.at("left") == "Monitoring agent not removed");
    BOOST_TEST(json.at("retry") != "");

    // What goes on there is not left yet.
    machine.cancelled = 0;
    BOOST_TEST(machine_json(shown).at("left") != "Monitoring agent not removed");
    machine.cancelled = 1;
    machine.failed_removals = 0;
    BOOST_TEST(machine_json(shown).at("state_words") == "failed");
}

BOOST_AUTO_TEST_CASE(a_machine_that_a_failed_job_has_deleted_is_not_offered_any_more) {
    auto shown = settled(ClusterStatus::inconsistent, JobStatus::failed);
    shown.job->operation = Operation::cluster_shrink;
    auto& machine = shown.machines.front();
    machine.leaves = true;
    machine.running = 0;
    machine.done = machine.tasks - 1;
    machine.failed = 0;
    machine.cancelled = 1;
    BOOST_TEST(machine_json(shown).at("state_words") == "waits to be deleted");
    BOOST_TEST(machine_json(shown).at("left") == "");
    BOOST_TEST(machine_json(shown).at("replace") == "");
    machine.is_deleted = true;

    const auto json = machine_json(shown);

    BOOST_TEST(json.at("left") == "");
    BOOST_TEST(json.at("state_words") == "deleted");
    BOOST_TEST(json.at("replace") == "");
    BOOST_TEST(json.at("ssh") == "");
}

BOOST_AUTO_TEST_CASE(a_machine_and_its_services_are_found_by_their_own_states) {
    auto shown = large();
    shown.machines[119].own = {.tasks = 1, .failed = 1};
    shown.machines[119].tasks = 3;
    shown.machines[119].cancelled = 2;
    shown.machines[119].services = {"cache"};
    const auto found = [&](const MachineQuery& query) {
        return machines_json(shown, query).at("summary").get<std::string>();
    };

    BOOST_TEST(found({.state = "failed", .part = "machine"}) == "1–1 of 1 machine");
    BOOST_TEST(found({.state = "failed", .part = "services"}) == "No machines");
    BOOST_TEST(found({.state = "not started", .services = "cache", .part = "services"}) ==
               "1–1 of 1 machine");
    // It runs a task of a service.
    BOOST_TEST(found({.state = "in progress", .part = "machine"}) == "No machines");
    BOOST_TEST(found({.state = "in progress", .part = "services"}) == "1–1 of 1 machine");
    const auto json = machines_json(shown, {.state = "ready", .part = "machine"});
    BOOST_TEST(json.at("pager").at("next") ==
               "/clusters/00000007/machines?state=ready&part=machine&page=2");
    BOOST_TEST(json.at("chosen_words") ==
               "By the state of the machines themselves, without their services.");
    BOOST_TEST(json.at("has_filter") == true);
}

BOOST_AUTO_TEST_SUITE_END()
