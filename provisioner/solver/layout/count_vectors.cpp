#include "provisioner/solver/layout/count_vectors.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace provisioner::solver {

CountVectors::CountVectors(std::vector<long> start, std::vector<long> maxima)
    : counts_(std::move(start)), maxima_(std::move(maxima)) {
    if (counts_.empty() || counts_.size() != maxima_.size()) {
        throw std::invalid_argument("count vectors need slots, each with a maximum");
    }
    if (std::accumulate(counts_.begin(), counts_.end(), 0L) <= 0) {
        throw std::invalid_argument("count vectors need items");
    }
    if (slots_within_maxima() < counts_.size()) advance();
}

void CountVectors::advance() {
    // A slot over its maximum can only be mended there or further left.
    const auto last_changeable = std::min(slots_within_maxima(), counts_.size() - 1);
    for (std::size_t slot = last_changeable + 1; slot-- > 0;) {
        if (take_one_from(slot)) return;
    }
    ended_ = true;
}

std::size_t CountVectors::slots_within_maxima() const {
    std::size_t slot = 0;
    while (slot < counts_.size() && counts_[slot] <= maxima_[slot]) ++slot;
    return slot;
}

bool CountVectors::take_one_from(std::size_t slot) {
    if (counts_[slot] == 0) return false;
    const long kept = std::min(counts_[slot] - 1, maxima_[slot]);
    long rest = counts_[slot] - kept;
    for (auto i = slot + 1; i < counts_.size(); ++i) rest += counts_[i];

    auto filled = counts_;
    filled[slot] = kept;
    for (auto i = slot + 1; i < counts_.size(); ++i) {
        filled[i] = std::min(rest, maxima_[i]);
        rest -= filled[i];
    }
    if (rest > 0) return false;
    counts_ = std::move(filled);
    return true;
}

std::vector<long> all_in_first_slot(std::size_t slots, long items) {
    std::vector<long> counts(slots, 0);
    if (slots > 0) counts[0] = items;
    return counts;
}

}  // namespace provisioner::solver
