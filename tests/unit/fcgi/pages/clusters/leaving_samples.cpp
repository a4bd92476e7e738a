// Samples of a cluster whose latest job, a shrink, was aborted after another one had failed:
// machines that wait to be deleted, one that was never set up, and links to what runs meanwhile.
#include "fcgi/pages/clusters/tabs/machines.hpp"
#include "fcgi/pages/clusters/tabs/overview.hpp"
#include "fcgi/pages/clusters/tabs/services.hpp"
#include "fcgi/pages/frame.hpp"
#include "tests/unit/fcgi/pages/clusters/cluster_builder.hpp"
#include "tests/unit/fcgi/pages/samples.hpp"

namespace samples {

namespace leaving {

Task left(int id, const Node& node, Action action, const std::string& service = "") {
    Task made;
    made.id = TaskId{id};
    made.node = node.id;
    made.action = action;
    made.service = service;
    made.state = TaskState::cancelled;
    return made;
}

/// The second and third machine leave, and the third could not be deleted. The fourth one was never
/// set up.
ClusterPage after_failed_shrink() {
    ClusterPage page = ClusterBuilder().active();
    page.cluster.status = ClusterStatus::incomplete;
    page.job->operation = Operation::cluster_shrink;
    page.job->status = JobStatus::failed;
    page.job->tasks_done = 0;
    const auto& nodes = page.nodes;
    page.tasks = {left(101, nodes[0], Action::configure, "load-balancer"),
                  left(102, nodes[1], Action::stop, "web"),
                  left(103, nodes[1], Action::delete_machine),
                  left(104, nodes[2], Action::stop, "web"),
                  left(105, nodes[2], Action::stop, "cache"),
                  left(106, nodes[2], Action::delete_machine),
                  left(107, nodes[3], Action::create),
                  left(108, nodes[3], Action::install, "web"),
                  left(109, nodes[3], Action::start, "web")};
    page.tasks[3].state = page.tasks[4].state = TaskState::done;
    page.tasks[5].state = TaskState::failed;
    page.tasks[5].message = "the provider is out of credit";
    page.job->tasks_total = static_cast<int>(page.tasks.size());
    page.machines = tests::listed(nodes, page.tasks);
    page.work = tests::of_services(page.tasks);
    page.kinds = tests::kinds_of(page.tasks);
    page.machines[1].leaves = page.machines[2].leaves = true;
    page.machines[3].was_set_up = false;
    page.services = {{.node = nodes[0].id, .service = "load-balancer"},
                     {.node = nodes[1].id, .service = "cache"},
                     {.node = nodes[1].id, .service = "web"},
                     {.node = nodes[2].id, .service = "cache", .action = Action::stop},
                     {.node = nodes[2].id, .service = "web", .action = Action::stop}};
    return page;
}

ClusterPage one_machine(std::size_t at) {
    ClusterPage page = after_failed_shrink();
    page.machines = {page.machines[at]};
    page.nodes = {page.nodes[at]};
    std::erase_if(page.tasks,
                  [&](const Task& task) { return task.node != page.machines.front().node; });
    return page;
}

/// Of 130 machines twelve leave, and six were never set up.
ClusterPage large_after_aborted_shrink() {
    ClusterPage page = ClusterBuilder().large();
    page.cluster.status = ClusterStatus::incomplete;
    page.cluster.snapshot.services = ClusterBuilder().active().cluster.snapshot.services;
    page.job->operation = Operation::cluster_shrink;
    page.job->status = JobStatus::failed;
    page.job->aborted = true;
    page.tasks.clear();
    page.kinds.clear();
    for (auto& machine : page.machines) {
        const bool is_new = machine.nodenum >= 1120 && machine.nodenum < 1126;
        machine.was_set_up = !is_new;
        machine.leaves = machine.nodenum >= 1060 && machine.nodenum < 1072;
        machine.tasks = machine.cancelled = is_new ? 11 : machine.leaves ? 3 : 0;
        machine.done = machine.running = machine.failed = 0;
        machine.own = {};
        if (is_new) machine.own = {.tasks = 3, .cancelled = 3};
        if (machine.leaves) machine.own = {.tasks = 1, .cancelled = 1};
        if (is_new) continue;
        for (const std::string& service : machine.services) {
            page.services.push_back({.node = machine.node, .service = service});
        }
    }
    return page;
}

/// The stop of a service was cut short on two machines, and another one is stopped. The first
/// machine is lost.
ClusterPage after_aborted_restart() {
    ClusterPage page = ClusterBuilder().after_aborted_growth();
    page.job->operation = Operation::restart_services;
    page.lost[page.machines[0].node] = page.now - 300s;
    for (auto& state : page.services) {
        if (state.service != "cache" && state.node != page.machines[3].node) continue;
        state.action = Action::stop;
        state.state = TaskState::cancelled;
        if (state.node == page.machines[1].node) state.state = TaskState::done;
    }
    return page;
}

Json drawn_in_clusters(Json page) {
    page["done"] = "";
    const Viewer viewer{
        .user = "ada", .tenant = "demo", .role = Role::user, .csrf = "5f3c", .once = "0a1b"};
    return framed(std::move(page), {.title = "shop", .section = "clusters"}, viewer);
}

}  // namespace leaving

std::vector<Sample> of_leaving_machines() {
    using namespace leaving;
    return {
        {"cluster_leaving", "clusters/tabs/overview",
         drawn_in_clusters(overview_json(after_failed_shrink()))},
        {"cluster_leaving_large", "clusters/tabs/overview",
         drawn_in_clusters(overview_json(large_after_aborted_shrink()))},
        {"cluster_machines_leaving", "clusters/tabs/machines",
         drawn_in_clusters(machines_json(after_failed_shrink(), {}))},
        {"cluster_machines_leaving_large", "clusters/tabs/machines",
         drawn_in_clusters(
             machines_json(large_after_aborted_shrink(), {.state = "waits to be deleted"}))},
        {"cluster_machine_leaving", "clusters/tabs/machine",
         drawn_in_clusters(machine_json(one_machine(1)))},
        {"cluster_machine_not_deleted", "clusters/tabs/machine",
         drawn_in_clusters(machine_json(one_machine(2)))},
        {"cluster_cut_short", "clusters/tabs/overview",
         drawn_in_clusters(overview_json(after_aborted_restart()))},
        {"cluster_machines_cut_short", "clusters/tabs/machines",
         drawn_in_clusters(machines_json(after_aborted_restart(), {}))},
        {"cluster_services_cut_short", "clusters/tabs/services",
         drawn_in_clusters(services_json(after_aborted_restart()))},
        {"cluster_services_leaving", "clusters/tabs/services",
         drawn_in_clusters(services_json(after_failed_shrink()))},
    };
}

}  // namespace samples
