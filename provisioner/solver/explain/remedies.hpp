#pragma once

#include <vector>

#include "provisioner/solver/explain/explain.hpp"

namespace provisioner::solver {

/// Changes that make a request with clashing rules possible, each verified by solving again.
///
/// Tried are: another number of machines, other types, one service fewer, one rule dropped or
/// relaxed. Numbers are the nearest ones that suffice, found by bisection. When no single change
/// suffices, one remedy drops several rules together, at most 20. Rules that turn out unnecessary
/// stay. Changes in the request come first, then changes of the template; without repeats.
///
/// Each question has a fiftieth of the budget, and a question that exceeds it offers nothing. Empty
/// when nothing was found. `book` and `clash` must belong to `problem`.
std::vector<Remedy> remedies_for(const LayoutProblem& problem, const RuleBook& book,
                                 const Clash& clash, Budget& budget);

/// Changes for a request that fails before the search, because of its services or types. Tried are:
/// types to ask for, services to leave out, required services to add. Budget and order as above.
std::vector<Remedy> remedies_for(const LayoutProblem& problem, Budget& budget);

}  // namespace provisioner::solver
