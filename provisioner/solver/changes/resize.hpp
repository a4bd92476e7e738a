#pragma once

#include <string>
#include <vector>

#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// Nodes to take away from a cluster that runs.
struct ShrinkProblem {
    /// The cluster's own copy of its template.
    model::ClusterTemplate cluster_template;
    std::vector<PresentNode> nodes;
    /// How many nodes go, >= 1; without meaning when some are named.
    int count = 1;
    /// The numbers of the nodes that go, if they were asked for by name.
    std::vector<int> named{};
};

/// The numbers of the nodes that go, newest (highest number) first, or why so many, or just these,
/// cannot. Named nodes go and no others. Else the newest go first, and a node is passed over when
/// without it a service would be on fewer nodes than its minimum, or on none, or too few other
/// nodes could go. The nodes that stay are not touched; the cluster keeps its template's minimum
/// size and at least one node. Gives up with a clear reason after `max_steps` steps of search.
base::expected<std::vector<int>, Unsatisfiable> shrink(const ShrinkProblem& problem,
                                                       long max_steps = 200'000);

/// Services to take away from a cluster that runs.
struct RemovalProblem {
    std::vector<PresentNode> nodes;
    std::vector<std::string> services;
    /// Definitions of the services on the cluster.
    std::vector<model::Service> all_services;
};

/// The numbers of the nodes that lose services, lowest first, or why the services cannot go: one is
/// not on the cluster, one that stays requires it, or a node would be left without any. Rules about
/// a service that is gone say nothing, so what stays keeps its rules.
base::expected<std::vector<int>, Unsatisfiable> remove_services(const RemovalProblem& problem);

/// The node to make in the place of `dead`: of the same hardware and image type and with the same
/// services, all of which the catalogue of `problem` must still have. `problem.machines`, services
/// and types asked for are without meaning.
base::expected<NodeGroup, Unsatisfiable> replacement(LayoutProblem problem,
                                                     const PresentNode& dead);

}  // namespace provisioner::solver
