#pragma once

#include <chrono>
#include <optional>

namespace provisioner::queue {

/// Attempts a task gets in all.
constexpr int max_attempts = 3;

/// Time until the attempt after attempt number `attempt` (from 1): 2, 4, 8, ... s, at most 300 s,
/// within 20 % above as `jitter` in [0, 1) says; nothing when that was the last one. Source: AWS
/// Architecture Blog, "Exponential Backoff and Jitter".
std::optional<std::chrono::milliseconds> retry_in(int attempt, double jitter);

}  // namespace provisioner::queue
