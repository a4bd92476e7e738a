#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/job.hpp"
#include "provisioner/model/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/solver/layout_problem.hpp"
#include "provisioner/store/database.hpp"

namespace provisioner::operations {

/// What a person asks for; forms/ makes it from JSON or from an HTML form.
struct CreateCluster {
    std::string name;
    std::string cluster_template;
    int machines = 0;
    std::string description;
    std::optional<std::string> provider;
    base::Json provider_fields = base::Json::object();
    /// Empty: the template's defaults.
    std::vector<std::string> services;
    std::optional<std::string> hardware_type;
    std::optional<std::string> image_type;
    /// Nothing (the wire's -1): the template's initial lease. Zero: for ever.
    std::optional<std::chrono::milliseconds> lease;
    std::optional<std::string> dns_suffix;
    /// Null: the template's default configuration; otherwise replaces it.
    base::Json config;
};

/// A node of a cluster to be: what the preview shows.
struct NodePreview {
    int nodenum = 0;
    std::string hardware_type;
    std::string image_type;
    std::vector<std::string> services;
};

/// What a create would do.
struct ClusterPreview {
    solver::ClusterLayout layout;
    std::vector<NodePreview> nodes;
    /// Number of tasks by action, in the order actions run.
    std::vector<std::pair<model::Action, int>> tasks;
    int task_count = 0;
    /// The API's stages of the plan: how long the longest chain is.
    int stage_count = 0;
    std::optional<base::Timestamp> expires_at;
    std::string provider;
};

/// Checks, solves and plans without writing anything.
Result<ClusterPreview> preview_cluster(store::Database& database, const model::Caller& caller,
                                       const CreateCluster& wanted, base::Timestamp now);

/// The same, and writes cluster, nodes, jobs, tasks and edges in one transaction: when it returns,
/// the work is queued. Checks come in the order and with the texts of the wire contract.
Result<model::ClusterId> create_cluster(store::Database& database, const model::Caller& caller,
                                        const CreateCluster& wanted, base::Timestamp now);

/// Stores a request that create_cluster refused as unsatisfiable the way the wire contract shows
/// it: a terminated cluster with that message and a failed SOLVE_LAYOUT job.
model::ClusterId record_unsatisfiable(store::Database& database, const model::Caller& caller,
                                      const CreateCluster& wanted, const std::string& wire_message,
                                      base::Timestamp now);

}  // namespace provisioner::operations
