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

// Changes of the services or nodes of a cluster that exists. The five kinds share one path: check,
// solve and plan (prepare_change), show (preview_change) or write (change_cluster). So a preview
// shows what the change does.

/// Adds services to the present nodes. A service that the cluster has already is installed again.
struct AddServices {
    /// At least one name; repeats count once.
    std::vector<std::string> services;
};

/// Removes services from all nodes. Also those that an earlier job has not removed everywhere.
struct RemoveServices {
    std::vector<std::string> services;
    /// For services whose own stop or removal fails: neither is run, and what is installed stays
    /// on the machines.
    bool force = false;
};

/// Adds nodes; the present nodes stay as they are.
struct GrowCluster {
    /// How many more, at least 1.
    int machines = 0;
    /// Nothing: the type that all present nodes share; without one, as the template says. Likewise
    /// `image_type`.
    std::optional<std::string> hardware_type{};
    std::optional<std::string> image_type{};
};

/// Removes nodes.
struct ShrinkCluster {
    /// How many fewer; 0 when `nodes` names them, or when nodes are only kept.
    int machines = 0;
    /// Numbers or UUIDs of the nodes to remove; empty: the newest ones that the rules can spare.
    std::vector<std::string> nodes{};
    /// For nodes that do not answer: their services are not stopped before their machines are
    /// deleted. Nor are they, without force, on machines on which the latest job has failed.
    bool force = false;
    /// Of `machines`: only nodes with exactly these services, in any order; nothing: any node.
    std::optional<std::vector<std::string>> services{};
    /// Whether nodes that a failed job was taking away stay, as far as they are whole
    /// (kept_machines.hpp) and not among `nodes`.
    bool keep = false;
};

/// Replaces each of the dead nodes by a new one with the same types and services. The dead nodes'
/// services are not stopped.
struct ReplaceNodes {
    /// Numbers or UUIDs, at least one; repeats count once. Name all that are dead: no task about
    /// another one would succeed.
    std::vector<std::string> nodes;
};

/// Exactly one change at a time: a second one has to wait for the job of the first.
using ClusterChange =
    std::variant<AddServices, RemoveServices, GrowCluster, ShrinkCluster, ReplaceNodes>;

/// A person's request; fcgi/forms makes it from JSON or from an HTML form.
struct ChangeCluster {
    ClusterChange change;
    /// Whether services that depend on changed ones are restarted, not only configured. Without
    /// effect when services are added.
    bool restart = true;
    /// Provider fields that came with the request; an empty object leaves the cluster's own
    /// unchanged.
    base::Json provider_fields = base::Json::object();
};

/// One node of the cluster in a change.
struct NodeChange {
    planner::Membership membership = planner::Membership::stays;
    /// Its state after the change; the state before, for a node that is removed. A joining node has
    /// no id yet.
    model::Node node{};
    /// For a node that stays: the services it gets and those it loses. For one that resumes: those
    /// that are not finished on it, and those it loses.
    std::vector<std::string> arriving{};
    std::vector<std::string> leaving{};
    /// Whether an earlier job was taking it away, and it stays (ShrinkCluster::keep).
    bool is_kept = false;
};

/// Everything a change knows before it writes, and what people see before they confirm it.
struct PreparedChange {
    model::Operation operation = model::Operation::cluster_grow;
    /// With the services and the snapshot after the change.
    model::Cluster cluster{};
    /// All nodes before and after, by nodenum.
    std::vector<NodeChange> nodes{};
    /// TaskKey::node is an index into `nodes`.
    planner::TaskGraph graph{};
    /// Whether nothing is done of what the latest job has left: it has changed nothing but machines
    /// that go (ShrinkCluster::keep).
    bool is_given_up = false;
    /// Services that leave without their stop and removal (RemoveServices::force).
    std::vector<std::string> forgotten{};
    /// Services that leave so that the rest of a job that failed goes on (Job::without).
    std::vector<std::string> without{};
    /// Whether all of these had left the cluster before and are `forgotten` (Job::leaves_as_is).
    bool leaves_as_is = false;
    /// Job::goes_back.
    bool goes_back = false;
    /// What the machines of the cluster cost per hour before and after; nothing without any price
    /// list.
    std::optional<model::HourlyCost> cost_before{};
    std::optional<model::HourlyCost> cost_after{};
    /// About the tenant's budget, after the change.
    std::vector<std::string> warnings{};
};

/// Whether machines or services can be removed after `job`, the latest of the cluster: also after
/// one that has failed, so that the cluster goes on without them, but not after a failed deletion.
/// Pure.
bool can_lose_parts(const model::Cluster& cluster, const std::optional<model::Job>& job);

/// Checks, solves and plans without writing anything. Refused with
/// * not_found: "cluster <id> does not exist", "node <n> does not exist on cluster <id>";
/// * conflict: the cluster's state, the tenant's quota of nodes, its budget, services that leave no
///   order;
/// * invalid: a wrong request; for added services with the wire contract's texts;
/// * unsatisfiable: no layout keeps all rules of the cluster's own copy of its template;
/// * too_busy: too many long layouts are being computed at this moment.
Result<PreparedChange> preview_change(store::Database& database, const model::Caller& caller,
                                      model::ClusterId cluster, const ChangeCluster& wanted,
                                      base::Timestamp now);

/// The same, and writes nodes, job, tasks and edges in one transaction: when it returns, the work
/// is queued. Locks the tenant and the cluster. Also refuses provider fields, as
/// take_provider_fields says. Removed nodes are gone when the job is complete.
///
/// Services are added in active clusters only, and only these grow. Other clusters can lose
/// machines or services or have machines replaced after a failed job (can_lose_parts), machines not
/// while a value of the configuration is wrong. What that job has left to do on machines that stay
/// is done then; where nobody knows how the services are, every one is configured again. Unless
/// they are named, machines that failed go first.
Result<void> change_cluster(store::Database& database, const model::Caller& caller,
                            model::ClusterId cluster, const ChangeCluster& wanted,
                            base::Timestamp now);

/// Records that services could not be added, in the form of the wire contract: a failed
/// ADD_SERVICES job with that message. The cluster stays active, whereas the reference server
/// leaves such clusters pending for ever. Does nothing when the cluster is not active any more.
void record_failed_addition(store::Database& database, const model::Caller& caller,
                            model::ClusterId cluster, const std::string& wire_message,
                            base::Timestamp now);

/// Checks, solves and plans a change to a cluster whose row may be locked. Only reads; `cluster` is
/// as it is stored. Refused as preview_change says. Throws HardLayout, see working_out_layouts.
Result<PreparedChange> prepare_change(store::Connection& connection, const model::Caller& caller,
                                      const model::Cluster& cluster, const ChangeCluster& wanted,
                                      base::Timestamp now);

}  // namespace provisioner::operations
