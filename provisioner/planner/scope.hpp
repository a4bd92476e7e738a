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

/// What an operation works on, worked out once for all passes. Borrows from its PlanRequest, which
/// must outlive it. "On the cluster" means on at least one of its nodes.
struct Scope {
    /// What the operation does on each node, in order.
    std::span<const model::Action> actions;
    /// All nodes of the cluster.
    std::span<const PlannedNode> nodes;
    /// Indices of the nodes the operation works on, ascending.
    std::vector<std::size_t> planned_nodes;
    /// Definitions of the services on the cluster.
    std::map<std::string, const model::Service*> services;
    /// Indices of the nodes each service is on, ascending.
    std::map<std::string, std::vector<std::size_t>> nodes_of;
    /// The services the operation works on, after expansion.
    std::set<std::string> planned_services;
    /// Whether nobody named services: then nodes without any are worked on too.
    bool whole_nodes = true;
    /// Whether nodes that are not worked on have everything installed: nobody waits for them then.
    bool others_are_installed = false;

    DependencyRelation install;
    DependencyRelation runtime;
    DependencyRelation runtime_reversed;

    bool does(model::Action action) const;

    /// Whether `service` defines `action`. Throws std::out_of_range if it is not on the cluster.
    bool defines(const std::string& service, model::Action action) const;

    /// Indices of the planned nodes `service` is on, ascending.
    std::vector<std::size_t> planned_nodes_of(const std::string& service) const;
};

/// The scope of `request`. Problems: a node with a service nobody defined (unless the operation is
/// only about machines), a named service that is on no node. Throws std::logic_error for an index
/// in `only_nodes` that is no node.
base::Checked<Scope> scope_of(const PlanRequest& request);

}  // namespace provisioner::planner
