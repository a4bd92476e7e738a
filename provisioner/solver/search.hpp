#pragma once

#include <utility>
#include <vector>

#include "provisioner/solver/budget.hpp"
#include "provisioner/solver/candidates.hpp"

namespace provisioner::solver {

/// On how many nodes a unit must and may be.
struct Bounds {
    long min = 0;
    long max = model::no_maximum;
};

/// How many nodes of each kind? Kinds of node are sets of units, best first; no kind occurs twice.
struct CountProblem {
    std::vector<UnitSet> kinds;
    /// By unit, at least for every unit a kind has; at most 64.
    std::vector<Bounds> bounds;
    /// How many nodes there are, >= 1.
    long nodes = 1;
};

/// The problem of making `nodes` nodes of the candidates.
CountProblem count_problem(const Candidates& candidates, long nodes);

/// What became of a search: `gave_up` when the budget ran out before it was sure.
enum class SearchEnd { found, impossible, gave_up };

/// Kinds that occur, by index and in order, with their number of nodes.
struct Counts {
    SearchEnd end = SearchEnd::impossible;
    std::vector<std::pair<std::size_t, long>> chosen;
};

/// The numbers of nodes that add up to all nodes and keep every bound, the lexicographically
/// largest such vector: as many as possible of the first kind, then of the second, and so on. That
/// is the first valid vector in the order of CountVectors, wherever that begins; found by skipping
/// what cannot lead to one. Complete: `impossible` is a proof.
Counts find_counts(const CountProblem& problem, Budget& budget);

}  // namespace provisioner::solver
