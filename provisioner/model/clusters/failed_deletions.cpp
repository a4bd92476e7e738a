#include "provisioner/model/clusters/failed_deletions.hpp"

#include <algorithm>

namespace provisioner::model {

std::chrono::minutes pause_after_deletion(int failures) {
    constexpr std::chrono::minutes longest{360};
    // 2^9 minutes exceed the longest pause, so more doublings change nothing and cannot overflow.
    const int doublings = std::clamp(failures - 1, 0, 9);
    return std::min(std::chrono::minutes{1 << doublings}, longest);
}

base::Timestamp next_deletion(const FailedDeletions& failed) {
    return failed.last + pause_after_deletion(failed.count);
}

}  // namespace provisioner::model
