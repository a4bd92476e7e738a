#pragma once

#include <optional>
#include <vector>

#include "provisioner/solver/layout/count_vectors.hpp"

namespace provisioner::solver {

/// The ways to choose from `most` down to `least` nodes out of groups of like nodes, one after
/// another: the most nodes first, and for each number of nodes the vectors of counts in falling
/// lexicographic order. This is the order in which an added service is tried on nodes.
class Placements {
 public:
    /// `sizes` are the numbers of nodes in the groups, >= 0; no more than their sum is chosen.
    /// There is no way when `least` is more, or less than 1.
    Placements(std::vector<long> sizes, long most, long least);

    /// The nodes chosen of each group; meaningless after the end.
    [[nodiscard]] const std::vector<long>& counts() const { return vectors_->counts(); }

    /// Whether all ways have been seen.
    [[nodiscard]] bool ended() const { return !vectors_; }

    /// Goes to the next way.
    void advance();

 private:
    void begin();

    std::vector<long> sizes_;
    long nodes_;
    long least_;
    std::optional<CountVectors> vectors_;
};

}  // namespace provisioner::solver
