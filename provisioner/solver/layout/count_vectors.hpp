#pragma once

#include <vector>

namespace provisioner::solver {

/// Enumerates the ways to distribute items over slots of limited size. It yields every vector of
/// counts with the sum of the start, from the start downwards in lexicographic order. A start that
/// exceeds a maximum is skipped.
///
/// The plain form of the order in which layouts are preferred: the first kind gets as many nodes as
/// possible, then the second. Placements enumerates nodes with it, and the oracle test checks
/// search.cpp with it, which reaches the same answer without enumerating.
class CountVectors {
 public:
    /// `start` and `maxima` hold one number >= 0 per slot. Throws std::invalid_argument when they
    /// differ in length, are empty, or when the start holds no items.
    CountVectors(std::vector<long> start, std::vector<long> maxima);

    /// The current vector; meaningless once ended() is true. Changed by advance().
    [[nodiscard]] const std::vector<long>& counts() const { return counts_; }

    /// Whether all vectors have been seen; may be true from the beginning.
    [[nodiscard]] bool ended() const { return ended_; }

    /// Goes to the next vector. At most quadratic in the number of slots.
    void advance();

 private:
    [[nodiscard]] std::size_t slots_within_maxima() const;
    bool take_one_from(std::size_t slot);

    std::vector<long> counts_;
    std::vector<long> maxima_;
    bool ended_ = false;
};

/// A start with all items in the first slot: the lexicographically largest vector.
std::vector<long> all_in_first_slot(std::size_t slots, long items);

}  // namespace provisioner::solver
