#pragma once

#include <optional>
#include <vector>

#include "provisioner/solver/layout/count_vectors.hpp"

namespace provisioner::solver {

/// Enumerates the ways to choose nodes from groups of like nodes. The largest number of nodes comes
/// first. For each number, the vectors of counts come in falling lexicographic order.
/// add_services() tries a service on nodes in this order.
class Placements {
 public:
    /// `sizes` holds the number of nodes per group, >= 0. Chosen are `most` nodes, or all if they
    /// are fewer, down to `least`; a `least` below 1 counts as 1. Ended from the start when fewer
    /// than `least` can be chosen.
    Placements(std::vector<long> sizes, long most, long least);

    /// Number of nodes chosen from each group. Must not be called once ended() is true.
    [[nodiscard]] const std::vector<long>& counts() const { return vectors_->counts(); }

    /// Whether all ways have been seen.
    [[nodiscard]] bool ended() const { return !vectors_; }

    /// Goes to the next way. Must not be called once ended() is true.
    void advance();

 private:
    void begin();

    std::vector<long> sizes_;
    long nodes_;
    long least_;
    std::optional<CountVectors> vectors_;
};

}  // namespace provisioner::solver
