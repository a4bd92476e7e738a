#pragma once

#include "provisioner/solver/layout/feasibility.hpp"
#include "provisioner/solver/layout/rules.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// The outcome of one search, without an explanation of a failure.
struct SearchResult {
    Answer answer = Answer::no;
    /// Filled in only when `answer` is yes.
    ClusterLayout layout;
};

/// Searches the layout of a request whose services and types were selected. `selection` must come
/// from select() for this problem. Checks a layout it found against the literal rules and throws
/// std::logic_error on a violation. With present nodes, quantities are left out of that check.
SearchResult lay_out(const LayoutProblem& problem, const Selection& selection, Budget& budget);

/// Whether the request is sound and has a layout. An unsound request is `no`, without search. Used
/// to verify remedies.
Answer has_layout(const LayoutProblem& problem, Budget& budget);

/// The rules of a sound request, for explanations. The book refers to both arguments, which must
/// outlive it.
RuleBook rule_book(const LayoutProblem& problem, const Selection& selection);

}  // namespace provisioner::solver
