#include "provisioner/operations/changes/unfinished.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::operations {

using model::Action;
using model::ClusterStatus;
using model::Task;
using model::TaskState;

namespace {

/// What the tasks of a job say about a service on one node.
struct ServiceWork {
    bool is_configured = false;
    bool is_started = false;
    bool is_stopped = false;
    /// Whether its start has begun, or its stop is not done.
    bool is_begun = false;

    /// Whether the job should have started it for the first time. One that it does not configure
    /// runs: its start is repeated for others that need it.
    bool waits_for_start() const { return is_configured && is_started && !is_stopped && !is_begun; }
};

/// What they say about the node.
struct Work {
    std::set<planner::SetUpStep> steps{};
    std::map<std::string, ServiceWork> places{};
    bool has_failed = false;

    void take(const Task& task) {
        const bool is_done = task.state == TaskState::done;
        if (task.state == TaskState::failed) has_failed = true;
        if (!is_done && model::is_set_up(task.action)) steps.emplace(task.action, task.service);
        if (task.service.empty()) return;
        ServiceWork& place = places[task.service];
        const bool is_made = task.action == Action::configure || model::is_set_up(task.action);
        place.is_configured = place.is_configured || is_made;
        if (task.action == Action::start) {
            place.is_started = true;
            place.is_begun = place.is_begun || task.attempt > 0;
        } else if (task.action == Action::stop) {
            place.is_stopped = true;
            place.is_begun = place.is_begun || !is_done;
        }
    }

    bool is_half_made() const {
        return !steps.empty() || std::ranges::any_of(places, [](const auto& entry) {
            return entry.second.waits_for_start();
        });
    }
};

planner::RestOfCreation rest_of(Work&& work, const std::vector<std::string>& services) {
    planner::RestOfCreation rest{.steps = std::move(work.steps)};
    for (const std::string& service : services) {
        const auto place = work.places.find(service);
        // What the job has not touched was running before.
        if (place == work.places.end() || place->second.is_begun) rest.begun.insert(service);
    }
    return rest;
}

}  // namespace

UnfinishedWork unfinished_in(const std::vector<model::Node>& nodes,
                             const std::vector<Task>& tasks) {
    std::map<model::NodeId, Work> all;
    for (const Task& task : tasks) all[task.node].take(task);
    UnfinishedWork unfinished;
    for (const model::Node& node : nodes) {
        const auto found = all.find(node.id);
        if (node.leaves || found == all.end()) continue;
        if (found->second.has_failed) unfinished.failed.insert(node.nodenum);
        if (!found->second.is_half_made()) continue;
        unfinished.half_made[node.nodenum] = rest_of(std::move(found->second), node.services);
    }
    return unfinished;
}

UnfinishedWork unfinished_work(store::Connection& connection, const model::Cluster& cluster,
                               const std::vector<model::Node>& nodes) {
    const bool has_failed = cluster.status == ClusterStatus::incomplete ||
                            cluster.status == ClusterStatus::inconsistent;
    if (!has_failed) return {};
    return unfinished_in(nodes, store::shown_tasks_of(connection, cluster.latest_job));
}

}  // namespace provisioner::operations
