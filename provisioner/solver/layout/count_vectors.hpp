#pragma once

#include <vector>

namespace provisioner::solver {

/// The ways to put items into slots of limited size, one after another: every vector of counts with
/// the same sum as the start, from the start downwards in lexicographic order (a start over a
/// maximum is skipped). This is the order in which layouts are tried, and so the rule that settles
/// which of many valid layouts is taken: as many nodes as possible of the first kind, then of the
/// second, ...
class CountVectors {
 public:
    /// `start` and `maxima` have one number >= 0 per slot. Throws std::invalid_argument without
    /// slots or items.
    CountVectors(std::vector<long> start, std::vector<long> maxima);

    /// The vector of now; meaningless after the end.
    [[nodiscard]] const std::vector<long>& counts() const { return counts_; }

    /// Whether all vectors have been seen.
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

/// All items in the first slot: the largest start there is.
std::vector<long> all_in_first_slot(std::size_t slots, long items);

}  // namespace provisioner::solver
