#include "provisioner/operations/changes/unfinished.hpp"

#include <string>

#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::operations {

using model::Action;
using model::ClusterStatus;
using model::Task;
using model::TaskState;

namespace {

/// What the tasks of a job say about one node.
struct Work {
    planner::RestOfCreation rest{};
    bool has_failed = false;
    /// The services with tasks in the job.
    std::set<std::string> worked_on{};
};

void take(Work& work, const Task& task) {
    const bool is_done = task.state == TaskState::done;
    if (task.state == TaskState::failed) work.has_failed = true;
    if (!is_done && model::is_set_up(task.action)) {
        work.rest.steps.emplace(task.action, task.service);
    }
    if (!task.service.empty()) work.worked_on.insert(task.service);
    const bool is_begun = (task.action == Action::start && task.attempt > 0) ||
                          (task.action == Action::stop && !is_done);
    if (is_begun) work.rest.begun.insert(task.service);
}

}  // namespace

UnfinishedWork unfinished_in(const std::vector<model::Node>& nodes,
                             const std::vector<Task>& tasks) {
    std::map<model::NodeId, Work> all;
    for (const Task& task : tasks) take(all[task.node], task);
    UnfinishedWork unfinished;
    for (const model::Node& node : nodes) {
        const auto found = all.find(node.id);
        if (node.leaves || found == all.end()) continue;
        Work& work = found->second;
        if (work.has_failed) unfinished.failed.insert(node.nodenum);
        if (work.rest.steps.empty()) continue;
        // What the job has not touched was running before.
        for (const std::string& service : node.services) {
            if (!work.worked_on.contains(service)) work.rest.begun.insert(service);
        }
        unfinished.half_made[node.nodenum] = std::move(work.rest);
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
