#pragma once

#include <string>
#include <vector>

#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// A request to add services to the nodes of an existing cluster. No nodes are added.
struct AdditionProblem {
    /// The template as frozen in the cluster's snapshot, not the catalogue's newest version.
    model::ClusterTemplate cluster_template;
    /// All nodes of the cluster.
    std::vector<PresentNode> nodes;
    /// Services to add. One that is on some nodes already is added to none of the nodes that have
    /// it.
    std::vector<std::string> services;
    /// Definitions of the services to add and of the present ones.
    std::vector<model::Service> all_services;
};

/// The services each node gains: one sorted list per node, in the order of the problem's nodes. A
/// list may be empty.
using Additions = std::vector<std::vector<std::string>>;

/// Chooses the nodes that get the new services, or explains why the services cannot be added.
///
/// Services with an entry in the constraints are placed first: smallest maximum, then largest
/// minimum. The others follow by name. Each service goes on as many nodes as possible, preferred
/// kinds of node first. Among like nodes the lowest numbers come first. When a service finds no
/// place, the search moves an earlier service that shares a group rule with it. Every layout on the
/// way keeps all rules.
///
/// Refused when a service is unknown, not allowed, lacks a requirement, conflicts, or has no place.
/// Refused too when the cluster breaks its template's rules before the change. Gives up after
/// `max_steps` placements tried. An explanation searches again, within the steps that are left
/// or an eighth of `max_steps`, if that is more. Where it runs out of them, it names more services
/// than needed.
///
/// Source: Coopr's search order. Coopr drops a service after a failed branch; here all services are
/// placed, or none.
base::expected<Additions, Unsatisfiable> add_services(const AdditionProblem& problem,
                                                      long max_steps = 200'000);

}  // namespace provisioner::solver
