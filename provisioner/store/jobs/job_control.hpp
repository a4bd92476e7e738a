#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/planner/task_graph.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Control of a job by a person: pause, resume, abort, retry. The functions that change a job need a
// HeldCluster's locks, because the engine ends jobs at the same time. The lock on the job makes the
// two wait for each other, and the job's counters hold until the transaction ends.

/// A cluster and its latest job, both rows locked until the transaction ends.
struct HeldCluster {
    /// Services, configuration and snapshot are empty, so a cluster whose documents cannot be read
    /// can still be controlled.
    model::Cluster cluster;
    /// The latest job, whatever its status.
    model::Job job;
};

/// The cluster if `caller` may see it; nothing otherwise. Locks the job before the cluster, the
/// same order in which the engine locks them when a job ends. Throws std::logic_error for a cluster
/// without a job.
std::optional<HeldCluster> hold_cluster(Connection& connection, const model::Caller& caller,
                                        model::ClusterId cluster);

/// Sets the job to `paused` and takes its tasks out of the queue. Tasks that workers have claimed
/// continue. Like resume and abort it locks all tasks of the job, so the cost grows with their
/// number.
void pause_job(Connection& connection, model::JobId job);

/// Sets the job to `running` and puts its ready tasks back into the queue. Workers read the cluster
/// again, so its provider fields may have changed before.
void resume_job(Connection& connection, model::JobId job);

/// Sets the job to aborted and cancels every task that has no attempt under way. Ends job and
/// cluster when no task is claimed and none has a step under way on a node. Otherwise the engine
/// ends them when the last of these tasks ends.
void abort_job(Connection& connection, model::JobId job);

/// Ends the job as failed, even if workers have claimed tasks of it. Later results of these tasks
/// change neither the job nor its cluster. Follow it with a new latest job in the same transaction.
void end_job_at_once(Connection& connection, model::JobId job);

/// Runs the failed and cancelled tasks of an ended job again. Each gets all its attempts again, and
/// is blocked by predecessors that are not done, or ready. The job runs, its cluster is pending,
/// and `asker` is stored as the requester. A retried deletion restarts the count of failed
/// deletions.
void retry_job(Connection& connection, const HeldCluster& held, const model::Asker& asker);

/// New tasks of a job, before which none of its failed and cancelled ones runs.
struct NewTasks {
    const planner::TaskGraph& graph;
    /// `nodes[i]` is the id of the node that TaskKey::node calls `i`.
    std::vector<model::NodeId> nodes;
    /// Tasks of the job that wait for new ones, those by index.
    const std::vector<std::pair<std::size_t, model::TaskId>>& orders;
    /// Tasks of the job that the new ones replace: they are over, whatever their state was.
    const std::vector<model::TaskId>& replaced;
    /// New orders among tasks of the job.
    const std::vector<std::pair<model::TaskId, model::TaskId>>& relayed;
};

/// The same after new tasks. The job counts them, and those that they replace no more.
void retry_job_after(Connection& connection, const HeldCluster& held, const model::Asker& asker,
                     const NewTasks& first);

/// The same as retry_job for some of them. Each predecessor of these tasks must be done or one of
/// them. The other failed and cancelled tasks stay as they are and are counted in job.tasks_left,
/// so the job fails again when these are done.
void retry_tasks(Connection& connection, const HeldCluster& held, const model::Asker& asker,
                 const std::vector<model::TaskId>& tasks);

}  // namespace provisioner::store
