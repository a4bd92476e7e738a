#pragma once

#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// Computes which services, hardware type and image type each new node gets, or why no layout
/// exists.
///
/// Pure and stateless: equal input gives equal output, and any thread may call it. It works in
/// phases: select types and services, search, and on failure explain the clash and try remedies.
/// `max_steps` limits the search, with the work each step brings (layout/budget.hpp); an exhausted
/// search is refused as too hard. Explaining has the
/// same budget again, and remedies have an eighth of it. The default can take seconds, so callers
/// hold no locks meanwhile (operations/clusters/layouts.hpp).
///
/// Throws std::logic_error if the search returns a layout that breaks a rule, which is a bug.
/// Source: the layout semantics of Coopr, its order of preference included. Its templates give the
/// same layouts here.
base::expected<ClusterLayout, Unsatisfiable> solve(const LayoutProblem& problem,
                                                   long max_steps = 2'000'000);

/// The layout alone, without an explanation of a failure. Returns nothing when no layout exists,
/// when the request is unsound, or when `max_steps` do not suffice. Used for a quick first look
/// inside a transaction.
std::optional<ClusterLayout> find_layout(const LayoutProblem& problem, long max_steps);

/// The layout as text for tests and benchmarks, one line per group: "2 x medium/centos6: hosts,
/// web".
std::string draw(const ClusterLayout& layout);

}  // namespace provisioner::solver
