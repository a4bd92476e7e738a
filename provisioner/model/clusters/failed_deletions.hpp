#pragma once

#include <chrono>
#include <string>

#include "provisioner/base/clock.hpp"

namespace provisioner::model {

/// Deletions of one cluster that failed one after the other.
struct FailedDeletions {
    /// At least 1.
    int count = 0;
    /// When the last one ended.
    base::Timestamp last{};
    /// Why the last one failed.
    std::string message;
};

/// The pause after deletion number `failures` (from 1) of a cluster whose lease has ended: 1, 2,
/// 4, ... minutes, at most 6 hours.
std::chrono::minutes pause_after_deletion(int failures);

/// When a cluster whose lease has ended is deleted again.
base::Timestamp next_deletion(const FailedDeletions& failed);

}  // namespace provisioner::model
