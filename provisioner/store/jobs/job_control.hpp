#pragma once

#include <optional>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// A cluster and its latest job, both rows locked until the transaction ends.
struct HeldCluster {
    /// Without services, configuration and snapshot.
    model::Cluster cluster;
    model::Job job;
};

/// The cluster if `caller` may see it. Locks the job before the cluster, as the engine does when a
/// job ends.
std::optional<HeldCluster> hold_cluster(Connection& connection, const model::Caller& caller,
                                        model::ClusterId cluster);

/// Takes the job's tasks out of the queue; what a worker has goes on.
void pause_job(Connection& connection, model::JobId job);

/// Puts what is ready back into the queue.
void resume_job(Connection& connection, model::JobId job);

/// Cancels what nobody has claimed. Ends the job when no worker has anything of it; otherwise the
/// last result to come in does.
void abort_job(Connection& connection, model::JobId job);

/// Ends the job at once, whatever workers have of it: what they report later changes neither the
/// job nor its cluster.
void end_job_at_once(Connection& connection, model::JobId job);

/// Makes failed and cancelled tasks wait for what is not done, or ready, with all their attempts
/// before them again; the job runs and its cluster is pending. Deletions are counted from this one
/// on.
void retry_job(Connection& connection, const HeldCluster& held, const model::Asker& asker);

}  // namespace provisioner::store
