#pragma once

#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// The layout of a new cluster: which services, hardware type and image type each node gets; or why
/// there is none. Pure: equal input gives equal output. Gives up with a clear reason after
/// `max_steps` steps of search. Source: the layout semantics of Coopr (preference order and
/// enumeration order included), so that templates written for it give the same layouts.
base::expected<ClusterLayout, Unsatisfiable> solve(const LayoutProblem& problem,
                                                   long max_steps = 2'000'000);

/// The layout where it is found within `max_steps`; nothing when there is none or it takes longer.
std::optional<ClusterLayout> find_layout(const LayoutProblem& problem, long max_steps);

/// The layout for people, one line per group: "2 x medium/centos6: hosts, web".
std::string draw(const ClusterLayout& layout);

}  // namespace provisioner::solver
