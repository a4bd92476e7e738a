#pragma once

#include <string>
#include <vector>

#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// Why a service is, or is not, on the nodes of a group.
struct ServiceReason {
    std::string service;
    bool is_here = true;
    /// "web is not here: db and web must not share a node."
    std::string sentence;
};

/// Why nodes that are alike are as they are.
struct GroupReasons {
    /// For each service of the cluster, by name.
    std::vector<ServiceReason> services;
    /// Why they have this hardware and image type, as a sentence.
    std::string machine;
};

/// For each group of a layout that `solve` gave for the problem, in its order, why it is as it is.
/// Source: the rule of preference (as many services as possible on a node, preferred types first);
/// so what is absent has a rule against it, or is on as many nodes as it may be.
std::vector<GroupReasons> reasons_for(const LayoutProblem& problem, const ClusterLayout& layout);

}  // namespace provisioner::solver
