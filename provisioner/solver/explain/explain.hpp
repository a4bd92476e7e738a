#pragma once

#include <vector>

#include "provisioner/solver/layout/feasibility.hpp"
#include "provisioner/solver/layout/rules.hpp"

namespace provisioner::solver {

/// Rules that cannot all be kept.
struct Clash {
    std::vector<Rule> rules;
    /// Whether it is sure that any of them could be kept without one of the others; false when the
    /// budget ran out.
    bool minimal = false;
};

/// Whether the clash has a rule of a kind.
bool has(const Clash& clash, Rule::Kind kind);

/// Whether a layout keeps these rules of the book, whatever the others say.
Answer can_all_be_kept(const RuleBook& book, const std::vector<Rule>& kept, Budget& budget);

/// The smallest clash found in a set of rules that clash, in the order of rules_of. Leaves out one
/// rule after another and keeps those without which a layout would exist (a deletion filter), once
/// with the number of machines first and once backwards, and takes the shorter. Source: J.
/// Chinneck, E. Dravnieks, "Locating Minimal Infeasible Constraint Sets in Linear Programs", 1991.
Clash find_clash(const RuleBook& book, Budget& budget);

/// The clash in words and the field of the request that could be changed to end it.
Unsatisfiable explain_clash(const RuleBook& book, const Clash& clash);

}  // namespace provisioner::solver
