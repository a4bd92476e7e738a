#pragma once

#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/clusters/node.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/planner/task_graph.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// A request for a new configuration of a cluster; fcgi/forms makes it. The configuration is a
/// document that services read on their nodes; macros in it are expanded for each task.
struct ConfigureCluster {
    /// Replaces the whole configuration; a JSON object, which may hold macros.
    base::Json config = base::Json::object();
    /// Whether services are stopped before they are configured and started afterwards.
    bool restart = true;
    /// Provider fields that came with the request; an empty object leaves the cluster's own
    /// unchanged.
    base::Json provider_fields = base::Json::object();
};

/// What the job does that gives the cluster another configuration, as the planner orders it:
/// TaskKey::node is an index into `nodes`, which are all of the cluster. Problems as of
/// planner::plan. Pure.
base::Checked<planner::TaskGraph> plan_configuration(const model::Cluster& cluster,
                                                     const std::vector<model::Node>& nodes,
                                                     bool restart);

/// The operation of that job.
model::Operation configure_operation(bool restart);

/// Stores the configuration and queues the tasks that bring it to the nodes. The cluster must be
/// active or inconsistent. One transaction, with the cluster's row locked.
///
/// Refused with not_found ("cluster <id> does not exist"), with conflict in any other status, and
/// as start_job says. The configuration stays when the job fails: the wire contract says so.
Result<void> configure_cluster(store::Database& database, const model::Caller& caller,
                               model::ClusterId cluster, const ConfigureCluster& wanted,
                               base::Timestamp now);

}  // namespace provisioner::operations
