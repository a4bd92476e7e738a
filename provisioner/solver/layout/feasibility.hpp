#pragma once

#include "provisioner/solver/layout/budget.hpp"
#include "provisioner/solver/layout/remainder.hpp"

namespace provisioner::solver {

/// An answer that a budget may prevent.
enum class Answer { no, yes, gave_up };

/// Whether nodes can be given kinds so that every minimum and maximum is kept. Which kinds is not
/// asked: since any part of a kind of node is a kind of node too, it is enough that the minima fit,
/// and that there is something for each node.
///
/// The minima are a colouring problem (units that shun each other on different nodes), which is
/// hard in general and easy for rules that people write: what can always go along with another unit
/// is left out, a set of units that all shun each other and need more nodes than there are ends the
/// question, and the rest is laid on groups of like nodes, the unit with the least choice first
/// (D. Brélaz, "New Methods to Color the Vertices of a Graph", 1979). Every answer is a proof.
class Feasibility {
 public:
    /// Both must outlive it. A step is a way to lay one unit on one group of like nodes.
    Feasibility(const KindRules& rules, Budget& budget) : rules_(rules), budget_(budget) {}

    /// Whether the remainder can be laid out, with something on at least `used` of its nodes.
    Answer is_possible(const Remainder& remainder, long used);

    /// Whether `nodes` nodes can have each unit as often as `needed`, when they need nothing else.
    Answer can_carry(const std::vector<long>& needed, long nodes);

 private:
    const KindRules& rules_;
    Budget& budget_;
};

}  // namespace provisioner::solver
