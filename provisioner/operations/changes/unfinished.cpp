#include "provisioner/operations/changes/unfinished.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/store/clusters/service_states.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::operations {

using model::Action;
using model::ClusterStatus;
using model::Task;
using model::TaskState;

namespace {

/// What the tasks of a job say about a service on one node.
struct ServiceWork {
    /// Whether the job installs, configures or initializes it.
    bool is_prepared = false;
    bool has_start = false;
    bool has_stop = false;
    /// Whether its start has begun, or its stop is not done.
    bool is_begun = false;
    bool is_started = false;
    /// Whether its stop, configure or start is not done.
    bool is_left = false;
    bool is_to_configure = false;
    /// Of stop and remove.
    std::set<Action> ends_left{};

    /// Whether the job should have started it for the first time. One that it does not configure
    /// runs: its start is repeated for others that need it.
    bool waits_for_start() const { return is_prepared && has_start && !has_stop && !is_started; }

    void take(const Task& task) {
        const bool is_done = task.state == TaskState::done;
        if (!is_done && !model::is_set_up(task.action)) is_left = true;
        const bool is_end = task.action == Action::stop || task.action == Action::remove;
        if (!is_done && is_end) ends_left.insert(task.action);
        switch (task.action) {
            case Action::start:
                has_start = true;
                is_begun = is_begun || task.attempt > 0;
                is_started = is_done;
                break;
            case Action::stop:
                has_stop = true;
                is_begun = is_begun || !is_done;
                break;
            case Action::configure:
                is_to_configure = !is_done;
                [[fallthrough]];
            case Action::install:
            case Action::initialize:
                is_prepared = true;
                break;
            default:
                break;
        }
    }
};

/// What they say about the node.
struct Work {
    std::set<planner::SetUpStep> steps{};
    std::map<std::string, ServiceWork> services{};
    /// Services with a task that failed; "" for the machine itself.
    std::set<std::string> failed{};

    void take(const Task& task) {
        const bool is_done = task.state == TaskState::done;
        if (task.state == TaskState::failed) failed.insert(task.service);
        if (!is_done && model::is_set_up(task.action)) steps.emplace(task.action, task.service);
        if (!task.service.empty()) services[task.service].take(task);
    }

    bool is_half_made() const {
        return !steps.empty() || std::ranges::any_of(services, [](const auto& entry) {
            return entry.second.waits_for_start();
        });
    }
};

planner::RestOfCreation rest_of(const Work& work, const std::vector<std::string>& services) {
    planner::RestOfCreation rest{.steps = work.steps};
    std::set<std::string> half_made;
    for (const auto& step : work.steps) half_made.insert(step.second);
    for (const std::string& service : services) {
        const auto done = work.services.find(service);
        const bool is_touched = done != work.services.end();
        // What the job has not touched was running before.
        if (!half_made.contains(service) && (!is_touched || !done->second.is_left)) {
            rest.settled.insert(service);
        } else if (is_touched && done->second.is_begun) {
            rest.begun.insert(service);
        }
    }
    return rest;
}

void add_services(UnfinishedWork& unfinished, const model::Node& node, const Work& work) {
    for (const auto& [service, done] : work.services) {
        if (!solver::contains(node.services, service)) continue;
        if (done.has_stop && done.is_left) {
            unfinished.to_restart.insert(service);
        } else if (done.is_to_configure) {
            unfinished.to_configure.insert(service);
        }
    }
}

void add_left_behind(UnfinishedWork& unfinished, const model::Node& node, const Work& work) {
    for (const auto& [service, done] : work.services) {
        if (done.ends_left.empty() || solver::contains(node.services, service)) continue;
        unfinished.left_behind[node.nodenum][service] = done.ends_left;
    }
}

/// A service that only could not be removed is no failure of the machine.
bool has_failed(const Work& work, const model::Node& node) {
    return std::ranges::any_of(work.failed, [&](const std::string& service) {
        return service.empty() || solver::contains(node.services, service);
    });
}

std::set<std::string> restarted_in(const Work& work) {
    std::set<std::string> services;
    for (const auto& [service, done] : work.services) {
        if (done.has_stop) services.insert(service);
    }
    return services;
}

/// A job that goes on after another configures and starts what was there, as it does with what is
/// new.
void add_served(store::Connection& connection, const model::Cluster& cluster,
                const std::vector<model::Node>& nodes, UnfinishedWork& unfinished) {
    store::ServicePlaces places;
    std::map<model::NodeId, int> numbers;
    for (const model::Node& node : nodes) {
        const auto half_made = unfinished.half_made.find(node.nodenum);
        if (half_made == unfinished.half_made.end()) continue;
        numbers[node.id] = node.nodenum;
        for (const std::string& service : node.services) {
            if (!half_made->second.settled.contains(service)) places.emplace(node.id, service);
        }
    }
    if (places.empty()) return;
    for (auto& [node, service] :
         store::started_before(connection, cluster.id, cluster.latest_job, std::move(places))) {
        unfinished.served[numbers.at(node)].insert(service);
    }
}

}  // namespace

bool are_services_unknown(const model::Cluster& cluster, const std::optional<model::Job>& job) {
    const bool is_known = job && (job->operation == model::Operation::add_services ||
                                  job->operation == model::Operation::remove_services);
    return cluster.status == ClusterStatus::inconsistent && !is_known;
}

UnfinishedWork unfinished_in(const std::vector<model::Node>& nodes,
                             const std::vector<Task>& tasks) {
    std::map<model::NodeId, Work> all;
    for (const Task& task : tasks) all[task.node].take(task);
    UnfinishedWork unfinished;
    for (const model::Node& node : nodes) {
        if (node.leaves) continue;
        if (!node.was_set_up) unfinished.new_ones.insert(node.nodenum);
        const auto found = all.find(node.id);
        if (found == all.end()) continue;
        const Work& work = found->second;
        if (has_failed(work, node)) unfinished.failed.insert(node.nodenum);
        add_left_behind(unfinished, node, work);
        if (work.is_half_made()) {
            unfinished.half_made[node.nodenum] = rest_of(work, node.services);
            unfinished.served[node.nodenum] = restarted_in(work);
        } else {
            add_services(unfinished, node, work);
        }
    }
    return unfinished;
}

UnfinishedWork unfinished_work(store::Connection& connection, const model::Cluster& cluster,
                               const std::vector<model::Node>& nodes) {
    const bool has_failed = cluster.status == ClusterStatus::incomplete ||
                            cluster.status == ClusterStatus::inconsistent;
    if (!has_failed) return {};
    auto unfinished = unfinished_in(nodes, store::shown_tasks_of(connection, cluster.latest_job));
    add_served(connection, cluster, nodes, unfinished);
    return unfinished;
}

}  // namespace provisioner::operations
