#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Whether a node belongs to its cluster before and after a change. Set per node by
/// operations/changes.
enum class Membership {
    /// Before and after. ChangedNode::leaving names the services it loses, as it does for one that
    /// resumes.
    stays,
    /// After the change only: its machine is created.
    joins,
    /// Before the change only: its services are stopped, then its machine is deleted.
    leaves,
    /// Before the change only, and no step runs on it: its machine is deleted. For a machine that
    /// does not answer, or when a person asked for force.
    dropped,
    /// Before and after, but a failed job has left it unfinished: what ChangedNode::rest says of
    /// its creation is still to be done.
    resumes
};

/// One step of the creation of a machine: its action, and the service of service actions.
using SetUpStep = std::pair<model::Action, std::string>;

/// What is left to do on a machine that a failed job has left unfinished.
struct RestOfCreation {
    /// The steps of its set-up (model::is_set_up) that are not done. Services that are not settled
    /// are configured and started in any case.
    std::set<SetUpStep> steps{};
    /// The services whose start has begun: they are stopped before they are configured.
    std::set<std::string> begun{};
    /// The services with nothing left to do: they run, and count as those of a node that stays.
    std::set<std::string> settled{};
};

/// A node of the cluster, as the planner of a change sees it.
struct ChangedNode {
    /// The hostname, for drawings and messages. The planner identifies nodes by index, not by name.
    std::string name;
    Membership membership = Membership::stays;
    /// The services the node has after the change. For a node that leaves or is dropped: those it
    /// has before.
    std::vector<std::string> services{};
    /// Services taken away from a node that stays or resumes, each with those of stop and remove
    /// that are to be done; disjoint from `services`, empty for other nodes.
    std::map<std::string, std::set<model::Action>> leaving{};
    /// The same for services that a failed job was taking away: that job has planned who is told of
    /// it.
    std::map<std::string, std::set<model::Action>> left_behind{};
    /// Of a node that resumes; empty for other nodes.
    RestOfCreation rest{};
};

/// A change of membership, or of the services on nodes that stay. Made by the operations that grow,
/// shrink or repair a cluster, or remove services. Adding services uses plan() instead.
struct ChangeRequest {
    /// All nodes of the cluster, before and after. TaskKey::node is an index into this list.
    std::vector<ChangedNode> nodes;
    /// Definitions of all services that occur in `nodes`, before or after. Others are ignored,
    /// except in the words of a circle.
    std::vector<model::Service> services;
    /// Whether dependents are stopped, configured and started. False: they are only configured,
    /// except those of `also_restarted`.
    bool restart = true;
    /// Whether every service that stays is treated as a dependent. Set after an operation that
    /// failed, when the configuration of the services is unknown.
    bool reconfigure_all = false;
    /// Services that stay and are treated as dependents, and others that are only configured: what
    /// a failed job was doing with them is done again.
    std::set<std::string> also_restarted{};
    std::set<std::string> also_configured{};
};

/// The tasks of a change and their order. The tasks of one node form a row, as in plan().
///
/// * A node that joins gets the tasks of a create, which wait for the same tasks as there. A node
///   that resumes gets those of them that are left.
/// * A dependent is a service that stays and needs, directly or not, a service whose nodes change.
///   It is stopped, configured and started, in the order of a restart. That happens once the
///   services it needs are ready on the nodes that join.
/// * A service that stays and gains or loses nodes itself is only configured.
/// * Departures come last: services are stopped and removed, machines deleted. They wait until the
///   same services are ready on joining nodes, and until their dependents are reconfigured.
/// * No service task runs before every new machine has its address: a configuration may name any
///   node.
///
/// Refused with a Problem for an undefined service, and for a circle of dependencies that leaves no
/// order. Pure; the same request gives the same graph everywhere, and any thread may call it.
base::Checked<TaskGraph> plan_change(const ChangeRequest& request);

/// The same tasks with complete barriers, and without the rows of nodes: only what depends on what.
/// For tests and explanations; its number of orders can be quadratic.
base::Checked<TaskGraph> plan_change_dependencies(const ChangeRequest& request);

}  // namespace provisioner::planner
