#pragma once

#include <utility>
#include <vector>

#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/model/clusters/node.hpp"
#include "provisioner/operations/jobs/retry_choice.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::operations {

/// What a failed creation does with another configuration before its remaining tasks run: it
/// configures again what it has configured, and restarts what it has started.
struct ConfigAgain {
    /// New tasks; TaskKey::node is an index into the nodes. Empty if nothing was configured yet.
    planner::TaskGraph graph{};
    /// Tasks of the job, by id, that wait for new ones, by index.
    std::vector<std::pair<std::size_t, model::TaskId>> orders{};
    /// Tasks of the job that new ones replace: the same action for the same service on the same
    /// node. Those that were not done are not run again.
    std::vector<model::TaskId> replaced{};
    /// Orders among tasks of the job, which spare the first kind its square of a large job.
    TaskEdges relayed{};
};

/// For the tasks of a failed cluster_create. A service whose start has begun is stopped, configured
/// and started as by Operation::cluster_configure_with_restart; one that is only configured is
/// configured. All failed and cancelled tasks that they do not replace wait for these, so that a
/// machine has one task at a time. Problems as of planner::plan. Pure.
base::Checked<ConfigAgain> configure_again(const std::vector<model::Node>& nodes,
                                           const std::vector<model::Service>& services,
                                           const std::vector<model::Task>& tasks,
                                           const TaskEdges& edges);

}  // namespace provisioner::operations
