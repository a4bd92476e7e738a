#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/jobs/job.hpp"

namespace provisioner::operations {

/// Edges (before, after) among the tasks of a job.
using TaskEdges = std::vector<std::pair<model::TaskId, model::TaskId>>;

/// What a retry of some machines runs again.
struct RetryChoice {
    std::set<model::NodeId> nodes{};
    /// By id; never empty.
    std::vector<model::TaskId> tasks{};
};

/// The tasks of a failed job that a retry of `nodes` runs again: the failed and cancelled ones of
/// these nodes, and what was cancelled on other nodes because it waits for them. A task that waits
/// for another one that is neither done nor among them is left out, with all that wait for it. So
/// nothing begins before what it needs, and no task waits for one that never runs. Pure.
std::set<model::TaskId> tasks_to_retry(const std::vector<model::Task>& tasks,
                                       const TaskEdges& edges,
                                       const std::set<model::NodeId>& nodes);

/// The same for nodes by number or id, of those that the cluster has or had; or a Problem of
/// "nodes" for each that cannot be retried, with the reason. Pure.
base::Checked<RetryChoice> choose_retry(const std::vector<std::string>& wanted,
                                        const std::vector<model::Node>& nodes,
                                        const std::vector<model::Task>& tasks,
                                        const TaskEdges& edges);

}  // namespace provisioner::operations
