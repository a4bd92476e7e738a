#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/planner/change.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Services a cluster gets, on the nodes it has. Those it has already are installed again.
struct AddServices {
    std::vector<std::string> services;
};

/// Services a cluster loses.
struct RemoveServices {
    std::vector<std::string> services;
};

/// More nodes, laid out beside those there are.
struct GrowCluster {
    /// How many more.
    int machines = 0;
    /// Nothing: what the nodes there are have in common, else what the template says.
    std::optional<std::string> hardware_type{};
    std::optional<std::string> image_type{};
};

/// Fewer nodes.
struct ShrinkCluster {
    /// How many fewer; 0 when nodes are named.
    int machines = 0;
    /// Numbers or ids of the nodes that go; empty: the newest that can be spared.
    std::vector<std::string> nodes{};
    /// The nodes that go do not answer: their services are not stopped first.
    bool force = false;
};

/// A node that is dead: another of the same layout takes its place.
struct ReplaceNode {
    /// Its number or id.
    std::string node;
};

using ClusterChange =
    std::variant<AddServices, RemoveServices, GrowCluster, ShrinkCluster, ReplaceNode>;

/// What a person asks for; forms/ makes it from JSON or from an HTML form.
struct ChangeCluster {
    ClusterChange change;
    /// Whether services that have to learn of it are restarted; adding services tells nobody.
    bool restart = true;
    /// Fields of the provider given with it.
    base::Json provider_fields = base::Json::object();
};

/// What becomes of one node.
struct NodeChange {
    planner::Membership membership = planner::Membership::stays;
    /// As it will be; one that goes, as it is. One that comes has no id yet.
    model::Node node{};
    /// Of a node that stays: the services it gets and loses.
    std::vector<std::string> arriving{};
    std::vector<std::string> leaving{};
};

/// Everything a change knows before it writes, and what people see before they say yes.
struct PreparedChange {
    model::Operation operation = model::Operation::cluster_grow;
    /// As it will be: services, snapshot.
    model::Cluster cluster{};
    /// By nodenum.
    std::vector<NodeChange> nodes{};
    /// Its tasks count `nodes`.
    planner::TaskGraph graph{};
};

/// Checks, solves and plans without writing anything. Refused with
/// * not_found: "cluster <id> does not exist", "node <n> does not exist on cluster <id>";
/// * conflict: the cluster's state, the tenant's quota of nodes, services that leave no order;
/// * invalid: what is asked for is wrong; for added services the wire contract's texts;
/// * unsatisfiable: no layout keeps all rules of the cluster's own copy of its template;
/// * missing_fields: of the provider.
Result<PreparedChange> preview_change(store::Database& database, const model::Caller& caller,
                                      model::ClusterId cluster, const ChangeCluster& wanted);

/// The same, and writes nodes, job, tasks and edges in one transaction: when it returns, the work
/// is queued. Nodes that go are gone when the job is complete. Services are added to active
/// clusters only and removed from them; they grow when active, shrink and have nodes replaced when
/// inconsistent, too (then every service is told), and when incomplete if all nodes that were not
/// finished go or the only one is replaced.
Result<void> change_cluster(store::Database& database, const model::Caller& caller,
                            model::ClusterId cluster, const ChangeCluster& wanted,
                            base::Timestamp now);

/// Stores that services could not be added the way the wire contract shows it: a failed
/// ADD_SERVICES job with that message; the cluster stays active. (The reference server left such
/// clusters pending for ever.) Does nothing when the cluster is no longer active.
void record_failed_addition(store::Database& database, const model::Caller& caller,
                            model::ClusterId cluster, const std::string& wire_message,
                            base::Timestamp now);

/// All checks, the layout and the plan of a change to a cluster whose row may be locked. Only
/// reads; `cluster` is as it is stored. Refused as preview_change says.
Result<PreparedChange> prepare_change(store::Connection& connection, const model::Caller& caller,
                                      const model::Cluster& cluster, const ChangeCluster& wanted);

}  // namespace provisioner::operations
