#include "fcgi/pages/machines/machines_page.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(machines_page)

namespace {

using namespace fcgi::pages;
using namespace provisioner::model;
using namespace std::chrono_literals;
using provisioner::base::Json;

const auto now = provisioner::base::from_sql("2026-11-20 10:00:00");

void looked_at(MachineRow& row) {
    row.look =
        look_of({.status = row.cluster.status, .operation = row.cluster.latest_job->operation},
                row.lost, row.machine);
}

/// A machine of a cluster of three tasks a machine.
MachineRow a_row(ClusterStatus status, int done, int running = 0, int failed = 0) {
    MachineRow row{.machine = {.node = NodeId{70},
                               .cluster = ClusterId{7},
                               .nodenum = 1003,
                               .hostname = "shop7-1003.local",
                               .hardware_type = "small",
                               .address = "10.0.0.3",
                               .tasks = 3,
                               .done = done,
                               .running = running,
                               .failed = failed,
                               .action = Action::install,
                               .service = "cache"}};
    row.cluster.id = ClusterId{7};
    row.cluster.name = "shop";
    row.cluster.owner = "ada";
    row.cluster.tenant = "demo";
    row.cluster.status = status;
    row.cluster.provider.name = "local";
    row.cluster.latest_job = Job{};
    row.cluster.latest_job->operation = Operation::cluster_create;
    looked_at(row);
    return row;
}

/// The words of the choices that have this machine.
std::string choices_of(const MachineRow& row) {
    std::string words;
    for (const MachineChoice& choice : machine_choices()) {
        const bool is_there = std::ranges::count(choice.statuses, row.cluster.status) > 0;
        if (is_there && !choice.word.empty() && choice.has(row))
            words += (words.empty() ? "" : ", ") + choice.word;
    }
    return words;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_machine_is_listed_with_the_words_of_its_cluster) {
    MachinesPage page{.machines = {a_row(ClusterStatus::pending, 1, 1)}, .now = now};

    const Json row = to_json(page).at("machines")[0];

    BOOST_TEST(row.at("href") == "/clusters/00000007/machines/1003");
    BOOST_TEST(row.at("cluster_href") == "/clusters/00000007");
    BOOST_TEST(row.at("hostname") == "shop7-1003.local");
    BOOST_TEST(row.at("address") == "10.0.0.3");
    BOOST_TEST(row.at("provider") == "local");
    BOOST_TEST(row.at("owner") == "ada");
    BOOST_TEST(row.at("tenant") == "demo");
    BOOST_TEST(row.at("state") == "running");
    BOOST_TEST(row.at("state_words") == "in progress");
    BOOST_TEST(row.at("left") == "install cache");
    BOOST_TEST(row.at("tasks_words") == "1 of 3 tasks");
    BOOST_TEST(row.at("lost").is_null());
}

BOOST_AUTO_TEST_CASE(machines_of_the_viewers_tenant_have_labels) {
    MachinesPage page{
        .machines = {a_row(ClusterStatus::pending, 1, 1), a_row(ClusterStatus::active, 3)},
        .tenant = "demo",
        .now = now};
    page.machines[0].machine.services = {"cache"};
    page.machines[1].cluster.tenant = "other";
    page.labels.add(CatalogueKind::service, {{"cache", "Redis"}});
    page.labels.add(CatalogueKind::hardware_type, {{"small", "Small, 2 cores"}});

    const Json rows = to_json(page).at("machines");

    BOOST_TEST(rows[0].at("services") == "Redis");
    BOOST_TEST(rows[0].at("left") == "install Redis");
    BOOST_TEST(rows[0].at("hardware_type") == "Small, 2 cores");
    BOOST_TEST(rows[1].at("hardware_type") == "small");
}

BOOST_AUTO_TEST_CASE(a_bar_shows_what_goes_on_what_failed_and_what_was_left) {
    using enum ClusterStatus;
    const auto bar = [&](const MachineRow& row) {
        return to_json(MachinesPage{.machines = {row}, .now = now}).at("machines")[0].at("bar");
    };

    BOOST_TEST(bar(a_row(pending, 1, 1)) == "pending");
    BOOST_TEST(bar(a_row(incomplete, 2, 0, 1)) == "bad");
    BOOST_TEST(bar(a_row(incomplete, 2)) == "over");
    BOOST_TEST(bar(a_row(active, 3)) == "");
}

BOOST_AUTO_TEST_CASE(every_state_but_gone_is_in_one_choice_where_such_machines_are_read) {
    using enum ClusterStatus;
    MachineRow lost = a_row(active, 3);
    lost.lost = now - 60s;
    looked_at(lost);
    MachineRow leaving = a_row(incomplete, 3);
    leaving.cluster.latest_job->operation = Operation::cluster_delete;
    looked_at(leaving);

    BOOST_TEST(choices_of(a_row(incomplete, 2, 0, 1)) == "failed");
    BOOST_TEST(choices_of(a_row(pending, 2, 0, 1)) == "failed");
    BOOST_TEST(choices_of(lost) == "lost");
    BOOST_TEST(choices_of(a_row(pending, 1, 1)) == "pending");
    BOOST_TEST(choices_of(a_row(pending, 1)) == "pending");
    BOOST_TEST(choices_of(a_row(pending, 0)) == "pending");
    MachineRow changed = a_row(pending, 0);
    changed.cluster.latest_job->operation = Operation::restart_services;
    changed.machine.was_set_up = true;
    looked_at(changed);
    BOOST_TEST(choices_of(changed) == "pending");
    BOOST_TEST(choices_of(a_row(inconsistent, 1)) == "unfinished");
    BOOST_TEST(choices_of(a_row(incomplete, 0)) == "unfinished");
    MachineRow stopped = a_row(inconsistent, 3);
    stopped.look = MachineLook::partly_stopped;
    BOOST_TEST(choices_of(stopped) == "stopped");
    stopped.look = MachineLook::runs;
    BOOST_TEST(choices_of(stopped) == "ready");
    stopped.look = MachineLook::unknown;
    BOOST_TEST(choices_of(stopped) == "unfinished");
    BOOST_TEST(choices_of(a_row(active, 3)) == "ready");
    BOOST_TEST(choices_of(a_row(pending, 3)) == "ready");
    BOOST_TEST(choices_of(leaving) == "");
    // One that failed and waits to be deleted is in two of them.
    MachineRow waits = a_row(inconsistent, 1);
    waits.machine.leaves = true;
    looked_at(waits);
    BOOST_TEST(choices_of(waits) == "leaving");
    waits.machine.failed = 1;
    looked_at(waits);
    BOOST_TEST(choices_of(waits) == "failed, leaving");
    BOOST_TEST(machine_choice("nonsense").word == "");
    BOOST_TEST(machine_choice("").looks.empty());
    BOOST_TEST(std::ranges::count(machine_choice("").statuses, terminated) == 0);
}

BOOST_AUTO_TEST_CASE(a_list_that_was_read_as_a_whole_is_counted_and_can_be_put_in_order) {
    MachinesPage page{.machines = {a_row(ClusterStatus::active, 3)},
                      .choice = "ready",
                      .order = "state",
                      .portion = portion_of(2, machines_on_a_list, 1)};
    BOOST_TEST(to_json(page).at("filters")[1].at("label") == "Failed");
    BOOST_TEST(to_json(page).at("by_name").at("sort_href") == "");
    BOOST_TEST(to_json(page).at("has_orders") == false);
    page.counts.emplace();
    for (const MachineChoice& choice : machine_choices()) (*page.counts)[choice.word] = 2;

    const Json json = to_json(page);

    BOOST_TEST(json.at("filters")[1].at("label") == "Failed (2)");
    BOOST_TEST(json.at("filters")[1].at("href") == "/machines?state=failed&order=state");
    BOOST_TEST(json.at("by_name").at("sort_href") == "/machines?state=ready&order=name");
    BOOST_TEST(json.at("by_state").at("sort_href") == "/machines?state=ready&order=-state");
    BOOST_TEST(json.at("by_state").at("direction") == "ascending");
    BOOST_TEST(json.at("summary") == "2 machines, by state, problems first.");
    BOOST_TEST(machine_order("-name") == "-name");
    BOOST_TEST(machine_order("size") == "");
}

BOOST_AUTO_TEST_CASE(what_is_left_of_a_change_stands_beside_the_state_of_a_machine) {
    MachinesPage page{.machines = {a_row(ClusterStatus::inconsistent, 1)}, .now = now};
    page.machines[0].look = MachineLook::runs;
    page.machines[0].left = "change not finished";

    const Json row = to_json(page).at("machines")[0];

    BOOST_TEST(row.at("state_words") == "running");
    BOOST_TEST(row.at("left") == "change not finished");
}

BOOST_AUTO_TEST_CASE(the_links_keep_what_was_chosen) {
    MachinesPage page{.machines = {a_row(ClusterStatus::active, 3)},
                      .choice = "ready",
                      .text = "shop 7",
                      .portion = portion_of(60, machines_on_a_list, 1),
                      .rest = ClusterId{7},
                      .may_see_all = true,
                      .is_of_all = true,
                      .tenant = "root"};

    const Json json = to_json(page);

    const std::string here = "/machines?tenants=all&state=ready&q=shop%207";
    BOOST_TEST(json.at("pager").at("next") == here + "&page=2");
    BOOST_TEST(json.at("newest") == "");
    BOOST_TEST(json.at("filters")[0].at("href") == "/machines?tenants=all&q=shop%207");
    BOOST_TEST(json.at("filters")[1].at("href") == "/machines?tenants=all&state=failed&q=shop%207");
    BOOST_TEST(json.at("scopes")[0].at("href") == "/machines?state=ready&q=shop%207");
    BOOST_TEST(json.at("scopes")[1].at("current") == true);
    BOOST_TEST(json.at("without_text") == "/machines?tenants=all&state=ready");
    page.may_see_all = false;
    BOOST_TEST(to_json(page).at("scopes").empty());
}

BOOST_AUTO_TEST_CASE(older_clusters_follow_the_last_page_of_those_that_were_counted) {
    MachinesPage page{.machines = {a_row(ClusterStatus::active, 3)},
                      .text = "shop",
                      .portion = portion_of(60, machines_on_a_list, 1),
                      .rest = ClusterId{7}};
    BOOST_TEST(to_json(page).at("older") == "");

    page.portion.page = 2;
    BOOST_TEST(to_json(page).at("older") == "/machines?q=shop&before=00000007");

    page.before = ClusterId{9};
    page.rest.reset();
    const Json json = to_json(page);
    BOOST_TEST(json.at("older") == "");
    BOOST_TEST(json.at("newest") == "/machines?q=shop");
    BOOST_TEST(json.at("pager").at("previous") == "/machines?q=shop&before=00000009");
}

BOOST_AUTO_TEST_CASE(every_list_of_machines_says_which_of_how_many_it_shows) {
    MachinesPage page{.machines = {a_row(ClusterStatus::active, 3)},
                      .portion = portion_of(1234, machines_on_a_list, 3),
                      .total = 1234};
    const auto summary = [&] { return to_json(page).at("summary").get<std::string>(); };

    BOOST_TEST(summary() ==
               "101–150 of 1,234 machines of current clusters, those of the newest cluster first.");
    page.total = 1'000'000;
    page.rest = ClusterId{7};
    BOOST_TEST(
        summary() ==
        "101–150 of 1,000,000 machines of current clusters, those of the newest cluster first.");
    page.before = ClusterId{70};
    BOOST_TEST(summary() ==
               "101–150 of more than 1,234 machines, those of the newest cluster first.");
    page.choice = "failed";
    page.looked_at = 5000;
    BOOST_TEST(summary() ==
               "101–150 of 1,234 machines among 5,000, those of the newest cluster first. "
               "There are older ones.");
    page.looked_at = 1234;
    BOOST_TEST(summary() ==
               "101–150 of more than 1,234 machines, those of the newest cluster first.");
    page.rest.reset();
    page.looked_at.reset();
    BOOST_TEST(summary() == "101–150 of 1,234 machines, those of the newest cluster first.");
    page.portion = portion_of(1, machines_on_a_list, 1);
    BOOST_TEST(summary() == "1 machine.");
    page.choice = "";
    page.before = {};
    page.total = 1;
    BOOST_TEST(summary() == "1 machine of current clusters, those of the newest cluster first.");
    page.machines.clear();
    BOOST_TEST(summary() == "");
}

BOOST_AUTO_TEST_CASE(an_empty_list_says_what_it_is_empty_of_and_what_to_do) {
    const auto words = [](const MachinesPage& page) {
        const Json json = to_json(page);
        return json.at("empty_title").get<std::string>() + " " +
               json.at("create").get<std::string>() + " " + json.at("all").get<std::string>();
    };

    BOOST_TEST(words({}) == "No current machines /templates ");
    BOOST_TEST(words({.may_create = false}) == "No current machines  ");
    BOOST_TEST(words({.choice = "failed"}) == "No failed machines  /machines");
    BOOST_TEST(words({.choice = "pending"}) == "Nothing in progress  /machines");
    BOOST_TEST(words({.choice = "failed", .text = "x"}) == "No machine matches  /machines");
    BOOST_TEST(words({.before = ClusterId{7}}) == "No current machines  /machines");
}

BOOST_AUTO_TEST_CASE(a_list_without_machines_says_how_far_it_looked) {
    const Json none =
        to_json(MachinesPage{.choice = "pending", .rest = ClusterId{7}, .looked_at = 2000});

    BOOST_TEST(none.at("empty_title") == "None among 2,000 machines");
    BOOST_TEST(none.at("empty_text") == "There are older ones.");
    BOOST_TEST(none.at("older") == "/machines?state=pending&before=00000007");
}

BOOST_AUTO_TEST_CASE(the_page_follows_machines_of_clusters_with_a_job_under_way) {
    MachinesPage page{.machines = {a_row(ClusterStatus::active, 3)}};
    BOOST_TEST(to_json(page).at("follow") == "no");

    page.machines.push_back(a_row(ClusterStatus::pending, 1));

    BOOST_TEST(to_json(page).at("follow") == "yes");
}

BOOST_AUTO_TEST_SUITE_END()
