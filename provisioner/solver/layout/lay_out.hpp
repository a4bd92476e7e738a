#pragma once

#include "provisioner/solver/layout/feasibility.hpp"
#include "provisioner/solver/layout/rules.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// A layout, or only that there is none.
struct Attempt {
    Answer answer = Answer::no;
    /// With `yes`.
    ClusterLayout layout;
};

/// The layout of a request that is sound as far as its services and types go.
Attempt lay_out(const LayoutProblem& problem, const Selection& selection, Budget& budget);

/// Whether the request is sound and has a layout. Asks nothing else, so it is cheap when not.
Answer has_layout(const LayoutProblem& problem, Budget& budget);

/// The rules of a sound request. Both must outlive it.
RuleBook rule_book(const LayoutProblem& problem, const Selection& selection);

}  // namespace provisioner::solver
