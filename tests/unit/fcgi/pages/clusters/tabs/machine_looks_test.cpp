#include "fcgi/pages/clusters/tabs/machine_looks.hpp"

#include <boost/test/unit_test.hpp>

#include "cluster_fixture.hpp"
#include "fcgi/pages/clusters/tabs/cells.hpp"
#include "fcgi/pages/clusters/tabs/machines.hpp"
#include "fcgi/pages/clusters/tabs/overview.hpp"
#include "provisioner/model/jobs/job_end.hpp"

BOOST_AUTO_TEST_SUITE(machine_looks_of_a_cluster)

namespace {

using namespace tests;
using provisioner::base::to_word;

/// Four machines with a web server after a shrink that was aborted: the first one stays and runs,
/// the other three leave. The third one was never set up, and the fourth one is stopped and could
/// not be deleted.
ClusterPage after_shrink() {
    auto made = settled(ClusterStatus::inconsistent, JobStatus::failed);
    made.job->operation = Operation::cluster_shrink;
    made.cluster.snapshot.services = {web_that_runs()};
    made.tasks.clear();
    made.machines.clear();
    for (int i = 0; i < 4; ++i) {
        provisioner::store::ListedMachine machine;
        machine.node = NodeId{i + 1};
        machine.nodenum = 1000 + i;
        machine.hostname = "shop-7-" + std::to_string(machine.nodenum) + ".local";
        machine.services = {"web"};
        machine.was_set_up = i != 2;
        machine.leaves = i > 0;
        machine.tasks = machine.cancelled = i > 0 ? 2 : 0;
        if (i > 0) machine.own = {.tasks = 1, .cancelled = 1};
        made.machines.push_back(machine);
    }
    auto& failed = made.machines[3];
    failed.done = failed.failed = failed.own.failed = 1;
    failed.cancelled = failed.own.cancelled = 0;
    made.services = {{.node = NodeId{1}, .service = "web"},
                     {.node = NodeId{2}, .service = "web"},
                     {.node = NodeId{4}, .service = "web", .action = Action::stop}};
    return made;
}

/// "running; waits to be deleted (running); ..." of all machines in the order of their numbers.
std::string states(const ClusterPage& page, MachinePart part = MachinePart::all) {
    const MachineLooks looks(page);
    std::string text;
    for (const auto& machine : page.machines) {
        const std::string left = looks.left_words(machine, part);
        text += (text.empty() ? "" : "; ") + std::string(words_of(looks.of(machine, part)).words) +
                (left.empty() ? "" : " (" + left + ")");
    }
    return text;
}

std::string words_of_web(const ClusterPage& page) {
    return words_of_service(summaries_of(page).front());
}

std::string words_of_states(const Json& states) {
    std::string text;
    for (const auto& state : states) {
        text += (text.empty() ? "" : ", ") + state.at("label").get<std::string>();
    }
    return text;
}

/// A machine whose set-up failed in the job before, so that the latest one has it to do, and one
/// whose services were never installed.
ClusterPage after_second_job(Operation operation) {
    auto made = after_shrink();
    made.job->operation = operation;
    made.machines.resize(3);
    made.services.resize(1);
    for (auto& machine : made.machines) machine.leaves = false;
    made.machines[1].was_set_up = false;
    made.machines[0].tasks = made.machines[0].cancelled = 1;
    made.machines[1].tasks = made.machines[1].cancelled = 4;
    made.machines[1].own = {.tasks = 2, .cancelled = 2};
    made.machines[2].own = {};
    if (configures(operation) || operation == Operation::add_services) {
        // Machines that are there are bootstrapped again.
        for (const std::size_t at : {std::size_t{0}, std::size_t{2}}) {
            made.machines[at].own = {.tasks = 1, .cancelled = 1};
            made.machines[at].tasks = ++made.machines[at].cancelled;
        }
    }
    return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(machines_that_leave_wait_to_be_deleted_and_say_what_their_services_do) {
    BOOST_TEST(states(after_shrink()) ==
               "running; waits to be deleted (running); waits to be deleted; failed (waits to be "
               "deleted)");
    BOOST_TEST(states(after_shrink(), MachinePart::itself) ==
               "ready; waits to be deleted (running); waits to be deleted; failed (waits to be "
               "deleted)");
    BOOST_TEST(states(after_shrink(), MachinePart::services) ==
               "running; running (waits to be deleted); waits to be deleted; stopped (waits to be "
               "deleted)");
    BOOST_TEST(words_of_web(after_shrink()) ==
               "running on 2, stopped on 1 and waits to be deleted on 1 of 4 machines");

    auto stopped = after_shrink();
    stopped.services[1].action = Action::stop;
    BOOST_TEST(states(stopped).starts_with("running; waits to be deleted (stopped); "));
}

BOOST_AUTO_TEST_CASE(machines_wait_to_be_deleted_until_the_job_reaches_them) {
    auto busy = after_shrink();
    busy.cluster.status = ClusterStatus::pending;
    for (auto& machine : busy.machines) {
        machine.cancelled = machine.own.cancelled = 0;
    }
    busy.machines[2].running = busy.machines[2].own.running = 1;
    busy.machines[3].is_deleted = true;

    BOOST_TEST(states(busy) ==
               "running; waits to be deleted (running); in progress (waits to be deleted); "
               "deleted");
    const auto row = machines_json(busy, {.state = "waits to be deleted"}).at("machines")[1];
    BOOST_TEST(row.at("state_words") == "waits to be deleted");
    BOOST_TEST(row.at("bar") == "pending");
}

BOOST_AUTO_TEST_CASE(all_machines_that_leave_are_found_by_that_also_where_they_failed) {
    const auto page = after_shrink();
    const auto found = [&](const MachineQuery& query) {
        std::string numbers;
        const auto json = machines_json(page, query);
        for (const auto& row : json.at("machines")) {
            numbers += std::to_string(row.at("nodenum").get<int>()) + " ";
        }
        return numbers;
    };

    BOOST_TEST(found({.state = "waits to be deleted"}) == "1003 1001 1002 ");
    BOOST_TEST(found({.state = "failed"}) == "1003 ");
    BOOST_TEST(words_of_states(machines_json(page, {}).at("states")) ==
               "All (4), failed (1), waits to be deleted (3), running (1)");
    // The numbers of the overview are those of cells, which have one state each.
    BOOST_TEST(found({.state = "waits to be deleted", .part = "machine"}) == "1001 1002 ");
    BOOST_TEST(found({.state = "waits to be deleted", .part = "services"}) == "1002 ");
    const auto groups = cells_json(page);
    BOOST_TEST(groups[0].at("states")[1].at("words") == "waits to be deleted");
    BOOST_TEST(groups[0].at("states")[1].at("count") == "2");
    BOOST_TEST(groups[1].at("states")[0].at("count") == "1");
    const auto legend = legend_of_cells_json(groups);
    BOOST_TEST(legend[1].at("words") == "waits to be deleted");
}

BOOST_AUTO_TEST_CASE(the_table_of_a_small_cluster_has_machines_that_wait_to_be_deleted) {
    const auto json = overview_json(after_shrink());

    std::string text;
    for (const auto& row : json.at("rows")) {
        for (const auto& cell : row.at("cells")) text += cell.at("words").get<std::string>() + ", ";
    }
    BOOST_TEST(text ==
               "ready, running, waits to be deleted, running, waits to be deleted, waits to be "
               "deleted, failed, stopped, ");
    BOOST_TEST(json.at("legend")[0].at("words") == "waits to be deleted");
    BOOST_TEST(json.at("legend")[0].at("look") == "waiting");
}

BOOST_AUTO_TEST_CASE(a_machine_that_was_never_set_up_has_nothing_that_is_changed) {
    for (const Operation operation :
         {Operation::remove_services, Operation::cluster_shrink, Operation::cluster_configure,
          Operation::add_services, Operation::replace_node}) {
        auto left = after_second_job(operation);
        BOOST_TEST_INFO(to_word(operation));
        BOOST_TEST(states(left) == "running (change not finished); not finished; not finished");
        BOOST_TEST_INFO(to_word(operation));
        BOOST_TEST(states(left, MachinePart::itself).find("; change") == std::string::npos);
        BOOST_TEST_INFO(to_word(operation));
        BOOST_TEST(words_of_web(left).find("change") == std::string::npos);
        left.cluster.status = ClusterStatus::pending;
        for (auto& machine : left.machines) machine.cancelled = machine.own.cancelled = 0;
        BOOST_TEST_INFO(to_word(operation));
        BOOST_TEST(states(left) == "running (change waiting); waiting; waiting");
    }
}

BOOST_AUTO_TEST_CASE(a_machine_without_anything_to_start_may_be_changed) {
    auto left = after_second_job(Operation::cluster_configure);
    left.cluster.snapshot.services.clear();
    left.services.clear();
    left.machines[2].was_set_up = true;

    BOOST_TEST(states(left) == "change not finished; not finished; change not finished");
    BOOST_TEST(words_of_web(left).find("not finished on 1") != std::string::npos);
    // What is to be started and never was is not changed.
    left.cluster.snapshot.services = {web_that_runs()};
    left.machines[2].services = {"web", "agent"};
    left.machines[2].was_set_up = false;
    left.work = {{{NodeId{3}, "agent"}, {.tasks = 2, .cancelled = 2}}};
    const auto places = looks_of_places(left);
    BOOST_TEST(words_of(places.at({NodeId{3}, "agent"})).words == std::string("not finished"));
    left.machines[2].was_set_up = true;
    BOOST_TEST(words_of(looks_of_places(left).at({NodeId{3}, "agent"})).words ==
               std::string("change not finished"));
    BOOST_TEST(words_of(looks_of_places(left).at({NodeId{3}, "web"})).words == std::string("ready"),
               "no task of the job is about it");
}

namespace {

/// Machines with a web server and a cache after a restart that was aborted: `changes` says how the
/// last task of web and cache ended on each, as "stop done, stop cancelled". All were set up.
ClusterPage after_restart(
    const std::vector<std::vector<provisioner::store::ServiceState>>& machines) {
    auto made = after_shrink();
    made.job->operation = Operation::restart_services;
    made.job->aborted = true;
    Service cache = web_that_runs();
    cache.header.name = "cache";
    made.cluster.snapshot.services = {web_that_runs(), cache};
    made.machines.resize(1);
    made.services.clear();
    for (std::size_t at = 0; at < machines.size(); ++at) {
        if (at > 0) made.machines.push_back(made.machines.front());
        auto& machine = made.machines.back();
        machine.node = NodeId{static_cast<std::int64_t>(at) + 1};
        machine.nodenum = 1000 + static_cast<int>(at);
        machine.services = {"web", "cache"};
        machine.tasks = machine.cancelled = 4;
        for (const std::string& service : machine.services) {
            made.work[{machine.node, service}] = {.tasks = 2, .cancelled = 2};
        }
        for (auto state : machines[at]) {
            state.node = machine.node;
            made.services.push_back(state);
        }
    }
    return made;
}

const provisioner::store::ServiceState web_runs{.node = {}, .service = "web"};
const provisioner::store::ServiceState web_is_stopped{
    .node = {}, .service = "web", .action = Action::stop};
const provisioner::store::ServiceState web_is_cut_short{
    .node = {}, .service = "web", .action = Action::stop, .state = TaskState::cancelled};
const provisioner::store::ServiceState cache_runs{.node = {}, .service = "cache"};
const provisioner::store::ServiceState cache_is_cut_short{
    .node = {}, .service = "cache", .action = Action::start, .state = TaskState::cancelled};

}  // namespace

BOOST_AUTO_TEST_CASE(of_a_service_whose_start_or_stop_was_cut_short_nothing_is_known) {
    auto page = after_restart({{web_is_cut_short, cache_runs},
                               {web_is_cut_short, cache_is_cut_short},
                               {web_is_cut_short}});

    BOOST_TEST(states(page) ==
               "unknown (change not finished); unknown (change not finished); unknown (change not "
               "finished)");
    BOOST_TEST(words_of_service(summaries_of(page)[1]) == "unknown");
    BOOST_TEST(words_of_service(summaries_of(page)[0]) ==
               "running on 1, not finished on 1 and unknown on 1 of 3 machines");
    const auto json = overview_json(page);
    BOOST_TEST(json.at("rows")[1].at("cells")[1].at("words") == "unknown");
    BOOST_TEST(json.at("legend").dump().find("unknown") != std::string::npos);
    BOOST_TEST(machines_json(page, {.state = "unknown"}).at("machines").size() == 3U);
    // Where nothing ever served, the rest of the set-up is left.
    for (auto& machine : page.machines) machine.was_set_up = false;
    BOOST_TEST(states(page) == "not finished; not finished; not finished");
    BOOST_TEST(words_of_service(summaries_of(page)[1]) == "not finished");
}

BOOST_AUTO_TEST_CASE(a_machine_with_a_stopped_service_beside_others_is_partly_stopped) {
    auto page = after_restart({{web_is_stopped, cache_runs},
                               {web_is_stopped, cache_is_cut_short},
                               {web_is_stopped},
                               {web_runs}});

    BOOST_TEST(states(page) ==
               "partly stopped (change not finished); partly stopped (change not finished); partly "
               "stopped (change not finished); change not finished");
    BOOST_TEST(machines_json(page, {.state = "partly stopped"}).at("machines").size() == 3U);
    BOOST_TEST(words_of_states(machines_json(page, {}).at("states")) ==
               "All (4), change not finished (1), partly stopped (3)");
    page.machines[2].was_set_up = false;
    BOOST_TEST(machines_json(page, {.state = "partly stopped"}).at("machines").size() == 2U);
    // They wait to be deleted, and do the same meanwhile.
    for (auto& machine : page.machines) machine.leaves = true;
    BOOST_TEST(
        states(page).starts_with("waits to be deleted (partly stopped); waits to be deleted "
                                 "(partly stopped); waits to be deleted (stopped); "));
}

BOOST_AUTO_TEST_CASE(services_of_a_lost_machine_are_lost_on_all_pages) {
    auto page = after_restart({{web_runs, cache_runs}, {web_runs, cache_runs}});
    page.lost[NodeId{2}] = now - 60s;

    BOOST_TEST(states(page, MachinePart::services) == "running (change not finished); lost");
    BOOST_TEST(words_of_service(summaries_of(page)[1]) ==
               "lost on 1 and running on 1 of 2 machines");
    const auto cells = overview_json(page).at("rows")[1].at("cells");
    for (const auto& cell : cells) {
        BOOST_TEST(cell.at("words") == "lost");
        BOOST_TEST(cell.at("look") == "failed");
    }
    const auto row = services_json(page).at("services")[2];
    BOOST_TEST(row.at("look") == "failed");
    BOOST_TEST(row.at("can_start") == false, "what is there runs");
    // While a job is under way, it says what it finds.
    page.cluster.status = ClusterStatus::pending;
    BOOST_TEST(words_of_service(summaries_of(page)[1]) == "running");
}

BOOST_AUTO_TEST_SUITE_END()
