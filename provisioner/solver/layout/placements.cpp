#include "provisioner/solver/layout/placements.hpp"

#include <algorithm>
#include <numeric>

namespace provisioner::solver {

Placements::Placements(std::vector<long> sizes, long most, long least)
    : sizes_(std::move(sizes)),
      nodes_(std::min(most, std::accumulate(sizes_.begin(), sizes_.end(), 0L))),
      least_(std::max(least, 1L)) {
    begin();
}

void Placements::begin() {
    vectors_.reset();
    if (nodes_ < least_) return;
    vectors_.emplace(all_in_first_slot(sizes_.size(), nodes_), sizes_);
}

void Placements::advance() {
    vectors_->advance();
    if (!vectors_->ended()) return;
    --nodes_;
    begin();
}

}  // namespace provisioner::solver
