#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/operations/changes/change.hpp"
#include "provisioner/operations/changes/unfinished.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::operations {

// Shared parts of services.cpp and nodes.cpp, which prepare the five kinds of changes. Only files
// of this folder include it.

/// Names of services, nodes or fields.
using Names = std::vector<std::string>;

/// The input of a prepared change, read in one transaction. Borrows everything; all of it must
/// outlive the Situation.
struct Situation {
    store::Connection& connection;
    const model::Caller& caller;
    /// As stored, before the change.
    const model::Cluster& cluster;
    /// ChangeCluster::restart.
    bool restart = true;
    /// The latest job of the cluster.
    std::optional<model::Job> job{};
    /// The present nodes, by nodenum.
    std::vector<model::Node> nodes;
    /// Numbers of those that an earlier job was taking away, and that stay.
    std::set<int> kept{};
    /// Whether machines that are not finished go without a word to the others, which know nothing
    /// of them: all that the latest job has begun is given up.
    bool is_given_up = false;
    /// What the latest job has left of its work.
    UnfinishedWork unfinished;
    /// Whether every service has to be configured again: for another configuration, or because
    /// nobody knows how the services are (are_services_unknown).
    bool is_all_outdated = false;
    /// Whether the change comes with another configuration, so that a wrong value is no reason
    /// against it.
    bool has_new_configuration = false;
};

/// The situation of a cluster as it is stored. Reads its nodes and, after a failed job, the tasks
/// of the job.
Situation situation_of(store::Connection& connection, const model::Caller& caller,
                       const model::Cluster& cluster, bool restart);

/// One function for each kind of change; prepare_change chooses by type. They check the cluster's
/// status, solve and plan. They write nothing. prepare_change sets the automators afterwards.
Result<PreparedChange> prepare(const Situation& now, const AddServices& wanted);
Result<PreparedChange> prepare(const Situation& now, const RemoveServices& wanted);
Result<PreparedChange> prepare(const Situation& now, const GrowCluster& wanted);
Result<PreparedChange> prepare(const Situation& now, const ShrinkCluster& wanted);
Result<PreparedChange> prepare(const Situation& now, const ReplaceNodes& wanted);

/// Those of `names` that are not among `others`, in their order. O(n * m).
Names without(const Names& names, const Names& others);

/// The union, sorted, without repeats.
Names together(Names names, const Names& more);

/// A refusal with the solver's reasons as problems of `field`, or its text when it has none. Adds
/// the wire contract's text.
base::unexpected<Refusal> refuse(Refusal::Kind kind, const solver::Unsatisfiable& why,
                                 const std::string& field);

/// The nodes in the solver's form, in the same order.
std::vector<solver::PresentNode> present(const std::vector<model::Node>& nodes);

/// A change without a plan in which every node stays as it is. Nodes that an earlier job was taking
/// away are `dropped` again, those whose set-up it has not finished resume, and services that it
/// has not removed leave. So this change finishes that work.
PreparedChange unchanged(const Situation& now, model::Operation operation);

/// The change with its task graph. In an incomplete cluster, what the failed job has left to do
/// with services that stay is done again. In an inconsistent one nobody knows how they are: all are
/// configured again. Refused with conflict when services leave no order to work in.
Result<PreparedChange> planned(const Situation& now, PreparedChange change);

}  // namespace provisioner::operations
