#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/action.hpp"
#include "provisioner/planner/dependency_relation.hpp"
#include "provisioner/planner/plan.hpp"

namespace provisioner::planner {

/// The nodes and services an operation works on, computed once for all passes. Borrows from its
/// PlanRequest, which must outlive it. "On the cluster" means on at least one of its nodes.
struct Scope {
    /// The actions of the operation, in the order in which a service goes through them.
    std::span<const model::Action> actions;
    /// All nodes of the cluster, worked on or not.
    std::span<const PlannedNode> nodes;
    /// Indices of the nodes the operation works on, ascending.
    std::vector<std::size_t> planned_nodes;
    /// Definitions of the services on the cluster, by name.
    std::map<std::string, const model::Service*> services;
    /// Indices of the nodes that have a service, ascending, by its name.
    std::map<std::string, std::vector<std::size_t>> nodes_of;
    /// The services the operation works on, after expansion. A start adds what they need; a stop or
    /// restart adds what needs them.
    std::set<std::string> planned_services;
    /// Whether the request named no services. Then hardware actions of nodes without services
    /// belong to the operation.
    bool whole_nodes = true;
    /// Whether nodes outside the plan have everything installed, so that no install waits for them.
    /// Set for nodes that join a running cluster.
    bool others_are_installed = false;

    /// Install dependencies among the services on the cluster.
    DependencyRelation install;
    /// Runtime dependencies, and the same relation read backwards.
    DependencyRelation runtime;
    DependencyRelation runtime_reversed;

    /// Whether the operation includes `action`.
    bool does(model::Action action) const;

    /// Whether `service` defines `action`. Throws std::out_of_range for a service that is not on
    /// the cluster.
    bool defines(const std::string& service, model::Action action) const;

    /// Indices of the planned nodes that have `service`, ascending. Throws std::out_of_range for a
    /// service that is on no node.
    std::vector<std::size_t> planned_nodes_of(const std::string& service) const;
};

/// The services that an operation works on when it names some: a start adds what they need, which
/// is started first; a stop or restart adds what needs them, which is stopped first. `reversed` is
/// `runtime` read backwards. Throws std::logic_error for a name that is not in the relation.
std::set<std::string> expanded(model::Operation operation, const std::vector<std::string>& services,
                               const DependencyRelation& runtime,
                               const DependencyRelation& reversed);

/// Computes the scope of a request. Refused with Problems for a node's service without a
/// definition, and for a named service that is on no node. An operation with hardware actions only
/// needs no definitions. Throws std::logic_error for an index in `only_nodes` that is no node.
base::Checked<Scope> scope_of(const PlanRequest& request);

}  // namespace provisioner::planner
