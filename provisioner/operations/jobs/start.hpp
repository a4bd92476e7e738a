#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/planner/task_graph.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// What a new job does, and who asked for it.
struct JobOrder {
    model::Operation operation = model::Operation::start_services;
    model::Asker asked_by{};
};

/// What to do on the nodes a cluster has.
struct NodeOperation {
    model::Operation operation = model::Operation::start_services;
    model::Asker asked_by{};
    /// Names of the services it is for; empty means all.
    std::vector<std::string> services;
    /// Fields of the provider given with it; empty: the cluster goes on with those it has.
    base::Json provider_fields = base::Json::object();
};

/// Writes the job of `graph` with its tasks and edges and makes the cluster pending, in the
/// transaction that is open; `nodes` are the ids of the nodes the graph counts. A graph without
/// tasks completes at once. Sets the cluster's status, message and latest job.
void enqueue_job(store::Connection& connection, model::Cluster& cluster, const JobOrder& order,
                 const planner::TaskGraph& graph, const std::vector<model::NodeId>& nodes,
                 base::Timestamp now);

/// Takes provider fields that came with an operation over into the cluster's own copy of its
/// provider; empty: the cluster goes on with those it has. Refused as with_user_fields says.
Result<void> take_provider_fields(store::Connection& connection, model::Cluster& cluster,
                                  const base::Json& given);

/// Plans `wanted` on the present nodes of a cluster whose row is locked, takes over the provider
/// fields it came with, and enqueues it. A deletion needs neither the services nor, without
/// provider fields, the snapshot. Refused with conflict when the services leave no order to work
/// in, and for provider fields as with_user_fields says; nothing is written then.
Result<void> start_job(store::Connection& connection, model::Cluster& cluster,
                       const NodeOperation& wanted, base::Timestamp now);

}  // namespace provisioner::operations
