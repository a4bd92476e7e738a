#pragma once

#include "provisioner/solver/layout/budget.hpp"
#include "provisioner/solver/layout/remainder.hpp"

namespace provisioner::solver {

/// The answer to a question with a budget. `gave_up`: the budget ended before the answer was known.
enum class Answer { no, yes, gave_up };

/// Decides whether the remaining nodes can get services so that every minimum and maximum holds.
/// Does not choose kinds of node. Any part of a kind of node is a kind too. So it suffices that the
/// minima fit, and that every node can run something.
///
/// The minima are a colouring problem: units that exclude each other need different nodes. It is
/// hard in general and easy for rules that people write. A unit that can always accompany another
/// is left out. A set of mutually exclusive units that needs too many nodes ends the question. The
/// remaining units are laid on groups of like nodes, the unit with the least choice first. Source:
/// D. Brélaz, "New Methods to Color the Vertices of a Graph", 1979.
///
/// `yes` and `no` are proofs, never estimates.
class Feasibility {
 public:
    /// Both must outlive this object. It spends a step for each way to lay one unit on one group of
    /// like nodes, and work for everything it looks at.
    Feasibility(const KindRules& rules, Budget& budget) : rules_(rules), budget_(budget) {}

    /// Whether the remainder can be laid out with services on at least `used` of its nodes.
    /// Services that are on every node count as such.
    Answer is_possible(const Remainder& remainder, long used);

    /// Whether `nodes` nodes can hold each unit as often as `needed`, by unit, and nothing else.
    /// Numbers below 1 mean that the unit is not needed.
    Answer can_carry(const std::vector<long>& needed, long nodes);

 private:
    const KindRules& rules_;
    Budget& budget_;
};

}  // namespace provisioner::solver
