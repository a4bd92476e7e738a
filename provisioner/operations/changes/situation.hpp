#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/operations/changes/change.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::operations {

using Names = std::vector<std::string>;

/// What a change begins with. Borrows; everything must outlive it.
struct Situation {
    store::Connection& connection;
    const model::Caller& caller;
    const model::Cluster& cluster;
    const ChangeCluster& wanted;
    /// By nodenum.
    std::vector<model::Node> nodes;
};

/// How each kind of change is prepared; prepare_change chooses.
Result<PreparedChange> prepare(const Situation& now, const AddServices& wanted);
Result<PreparedChange> prepare(const Situation& now, const RemoveServices& wanted);
Result<PreparedChange> prepare(const Situation& now, const GrowCluster& wanted);
Result<PreparedChange> prepare(const Situation& now, const ShrinkCluster& wanted);
Result<PreparedChange> prepare(const Situation& now, const ReplaceNode& wanted);

/// Whether `name` is among `names`.
bool has(const Names& names, const std::string& name);

/// Those of `names` that are not among `others`, in their order.
Names without(const Names& names, const Names& others);

/// Both, sorted, each once.
Names together(Names names, const Names& more);

/// The solver's reasons as problems of `field`, with the wire contract's text.
base::unexpected<Refusal> refuse(Refusal::Kind kind, const solver::Unsatisfiable& why,
                                 const std::string& field);

/// The nodes as the solver sees them, in their order.
std::vector<solver::PresentNode> present(const std::vector<model::Node>& nodes);

/// A change that has not been planned yet: all nodes stay as they are.
PreparedChange unchanged(const Situation& now, model::Operation operation);

/// The change with its graph. Refused with conflict when services leave no order to work in.
Result<PreparedChange> planned(const Situation& now, PreparedChange change);

/// Why the services of `cluster` could not do without those in `going`; nothing when they can.
std::optional<solver::Unsatisfiable> why_needed(const model::Cluster& cluster, const Names& going);

}  // namespace provisioner::operations
