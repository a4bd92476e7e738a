#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/node.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/operations/catalogue/provider_fields.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/planner/task_graph.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Starting of jobs, for the operations that do. All functions work inside the caller's transaction,
// with the cluster's row locked. The work is queued when that transaction commits.

/// A new job: its operation and its requester.
struct JobOrder {
    /// Determines the tasks (model::actions_of) and the cluster's status at the end of the job.
    model::Operation operation = model::Operation::start_services;
    /// A user, or the end of the lease (model::asked_by_lease).
    model::Asker asked_by{};
    /// Job::without.
    std::vector<std::string> without{};
    /// Job::leaves_as_is.
    bool leaves_as_is = false;
    /// Job::only_keeps.
    bool only_keeps = false;
    /// Job::goes_back.
    bool goes_back = false;
};

/// An operation on the present nodes of a cluster.
struct NodeOperation {
    model::Operation operation = model::Operation::start_services;
    model::Asker asked_by{};
    /// Names of the services it is for; empty means all. The planner adds the services they need
    /// (start) or the services that need them (stop, restart).
    std::vector<std::string> services;
    /// Provider fields that came with the request; an empty object leaves the cluster's own
    /// unchanged.
    base::Json provider_fields = base::Json::object();
    /// Who gives them.
    FieldsOf whose = FieldsOf::user;
    /// Job::goes_back.
    bool goes_back = false;
};

/// Writes the job of `graph` with its tasks and edges, and makes the cluster pending. `nodes[i]` is
/// the id of the node that the graph calls `i`. A graph without tasks completes at once, with the
/// cluster status that the operation leads to.
///
/// Sets status, message and latest job of `cluster` and writes them. Notes a callback. Counts a
/// deletion, as a repeated one if the lease asked for it.
void enqueue_job(store::Connection& connection, model::Cluster& cluster, const JobOrder& order,
                 const planner::TaskGraph& graph, const std::vector<model::NodeId>& nodes,
                 base::Timestamp now);

/// Takes provider fields of a request into the cluster. Open fields go into its copy of the
/// provider, secret ones are sealed into its own fields. Does nothing when `given` is empty.
/// Refused as with_user_fields says, with not_found when the provider's type is not published, and
/// as invalid for another region while the cluster has machines.
Result<void> take_provider_fields(store::Connection& connection, model::Cluster& cluster,
                                  const base::Json& given, FieldsOf whose);

/// The tasks of `wanted` on these nodes, which are all of the cluster; TaskKey::node is an index
/// into them. Problems as of planner::plan. Pure.
base::Checked<planner::TaskGraph> plan_on(const std::vector<model::Node>& nodes,
                                          const model::Cluster& cluster,
                                          const NodeOperation& wanted);

/// Plans `wanted` on the present nodes, takes over the provider fields, and enqueues the job. A
/// deletion needs neither the services nor, without provider fields, the snapshot: lock_outline is
/// enough for it.
///
/// Refused with conflict when the services leave no order to work in, or when the cluster should
/// have nodes but none is stored. Provider fields are refused as take_provider_fields says. Nothing
/// is written then. Throws std::logic_error for a deletion with fewer tasks than machines.
Result<void> start_job(store::Connection& connection, model::Cluster& cluster,
                       const NodeOperation& wanted, base::Timestamp now);

}  // namespace provisioner::operations
