#pragma once

#include <vector>

#include "provisioner/solver/layout/feasibility.hpp"
#include "provisioner/solver/layout/rules.hpp"

namespace provisioner::solver {

/// Rules that no layout can keep all at once.
struct Clash {
    /// In the order of rules_of(); never empty when the rules of the book clash.
    std::vector<Rule> rules;
    /// True: without any one of these rules the others can all be kept. False: the budget ran out,
    /// so the list may hold rules that do not matter.
    bool minimal = false;
};

/// Whether the clash contains a rule of this kind.
bool has(const Clash& clash, Rule::Kind kind);

/// Whether a layout exists that keeps these rules of the book and ignores the others. Without
/// only_machines in `kept`, more machines than asked for are allowed. `gave_up` when the budget
/// ends.
Answer can_all_be_kept(const RuleBook& book, const std::vector<Rule>& kept, Budget& budget);

/// The smaller of two clashes found in the rules of `book`, which must clash.
///
/// A deletion filter removes one rule after another and keeps the removal when the rest still
/// clashes. It runs twice, machine rules first and then in reverse order, and the shorter result
/// wins. Each run has half the budget, and each question has a sixteenth of that. An exhausted
/// budget only makes the clash larger. Source: J. Chinneck, E. Dravnieks, "Locating Minimal
/// Infeasible Constraint Sets in Linear Programs", 1991.
Clash find_clash(const RuleBook& book, Budget& budget);

/// The refusal for a clash: its rules as sentences, and the request field to blame. `text` and
/// `remedies` stay empty. The field is "numMachines" when a rule about machines takes part, else
/// that of a type rule, else "services".
Unsatisfiable explain_clash(const RuleBook& book, const Clash& clash);

}  // namespace provisioner::solver
