#pragma once

#include <string>
#include <vector>

#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// Services to add to the nodes of a cluster.
struct AdditionProblem {
    /// The cluster's own copy of its template.
    model::ClusterTemplate cluster_template;
    std::vector<PresentNode> nodes;
    /// What to add; a service that is on the cluster already stays as it is.
    std::vector<std::string> services;
    /// Definitions of the asked and the present services.
    std::vector<model::Service> all_services;
};

/// For each node, in the order of the problem's nodes, the services it gets; sorted.
using Additions = std::vector<std::vector<std::string>>;

/// Which nodes get the new services, or why they cannot be added. Services with quantities come
/// first (small maximum, then large minimum), then the others by name; each goes on as many nodes
/// as possible, preferred kinds of node first, of like nodes those with the lowest numbers; a
/// service that then finds no place makes an earlier one it shares a rule with move. Every layout
/// on the way keeps all rules. Gives up with a clear reason after `max_steps` ways tried. Source:
/// the semantics of Coopr, which forgot services after a failed try; here every service asked for
/// is placed, or none.
base::expected<Additions, Unsatisfiable> add_services(const AdditionProblem& problem,
                                                      long max_steps = 200'000);

}  // namespace provisioner::solver
