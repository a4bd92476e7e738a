#pragma once

#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

/// Whether a node belongs to its cluster before and after a change.
enum class Membership {
    /// Before and after.
    stays,
    /// After it only: its machine is created.
    joins,
    /// Before it only: its services are stopped, then its machine is deleted.
    leaves,
    /// Before it only, and no step is run on it: its machine is deleted at once. For a machine that
    /// does not answer, or when a person asked for force.
    dropped
};

/// A node of a cluster that changes.
struct ChangedNode {
    /// What drawings and messages call it.
    std::string name;
    Membership membership = Membership::stays;
    /// What it has; where it stays, without those taken away.
    std::vector<std::string> services{};
    /// Of a node that stays: the services taken away from it.
    std::vector<std::string> leaving{};
};

/// Nodes that come or go, or services that go from nodes that stay.
struct ChangeRequest {
    /// All nodes of the cluster, before and after.
    std::vector<ChangedNode> nodes;
    /// Definitions of all services of the cluster.
    std::vector<model::Service> services;
    /// Whether services that have to be told are restarted, as they are for a new configuration.
    bool restart = true;
    /// Whether every service that stays is told: after an operation that failed nobody knows what
    /// they know.
    bool tell_all = false;
};

/// The tasks of a change and their order; the tasks of a node lie in a row as in `plan`.
///
/// * A node that comes goes through what it goes through in a create, and waits for the same.
/// * A service that stays and needs one whose nodes change, directly or through others, is told: it
///   is stopped, configured and started, in the order of a restart; one whose own nodes change is
///   only configured. It is told when what it needs is ready on the nodes that come.
/// * Services that go are stopped, those that need others first, and removed, machines deleted,
///   when everybody who needs them was told.
/// * No service does anything before every new machine has its address: a configuration may name
///   it.
///
/// Problems: as those of `plan`. The same request gives the same graph everywhere.
base::Checked<TaskGraph> plan_change(const ChangeRequest& request);

/// The same tasks before those of a node are put in a row: just what depends on what, written out
/// in full. For explaining and testing.
base::Checked<TaskGraph> plan_change_dependencies(const ChangeRequest& request);

}  // namespace provisioner::planner
