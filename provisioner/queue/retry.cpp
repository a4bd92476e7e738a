#include "provisioner/queue/retry.hpp"

#include <algorithm>

namespace provisioner::queue {

std::optional<std::chrono::milliseconds> retry_in(int attempt, double jitter) {
    using std::chrono::milliseconds;
    constexpr milliseconds first{2000};
    constexpr milliseconds longest{300'000};
    if (attempt >= max_attempts) return std::nullopt;
    const int doublings = std::clamp(attempt - 1, 0, 16);
    const milliseconds base = std::min(longest, first * (1 << doublings));
    return base + milliseconds(static_cast<long>(static_cast<double>(base.count()) * 0.2 * jitter));
}

}  // namespace provisioner::queue
