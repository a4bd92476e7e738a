#pragma once

#include <string>
#include <vector>

#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// Why one service is, or is not, on the nodes of one group. Shown in the preview of a layout.
struct ServiceReason {
    std::string service;
    /// Whether the group has the service.
    bool is_here = true;
    /// For people: "web is not here: db and web must not share a machine."
    std::string sentence;
};

/// Why the nodes of one group have their services and their types.
struct GroupReasons {
    /// One per service of the cluster, sorted by name.
    std::vector<ServiceReason> services;
    /// Two sentences: why this hardware type, and why this image type.
    std::string machine;
};

/// The reasons for each group of `layout`, in its order. `layout` must be the answer of solve() for
/// this problem.
///
/// Relies on the solver's preference: as many services as possible on a node, preferred types
/// first. So an absent service has a rule against it, or is on as many nodes as it may be. Throws
/// std::logic_error for an unsound request, and for a layout that lacks a service without such a
/// reason. Its work is limited: beyond the limit, absent services get one general reason.
std::vector<GroupReasons> reasons_for(const LayoutProblem& problem, const ClusterLayout& layout);

}  // namespace provisioner::solver
