#include "provisioner/providers/cloud/rate_limits.hpp"

#include <algorithm>
#include <cmath>

namespace provisioner::providers::cloud {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::size_t most_lanes = 10'000;

microseconds interval_of(const Lane& lane) {
    const double per_second = std::clamp(lane.per_second, 0.001, 100'000.0);
    return microseconds(std::llround(1e6 / per_second));
}

/// How far ahead of time calls may go.
microseconds tolerance_of(const Lane& lane) {
    return interval_of(lane) * (std::max(lane.burst, 1) - 1);
}

}  // namespace

microseconds DueTime::wait(const Lane& lane, base::Timestamp now) const {
    return std::max(microseconds{0}, idle_at - tolerance_of(lane) - now);
}

void DueTime::take(const Lane& lane, base::Timestamp now, int calls) {
    idle_at = std::max(idle_at, now) + interval_of(lane) * calls;
}

void DueTime::pause(const Lane& lane, base::Timestamp now, milliseconds length) {
    idle_at = std::max(idle_at, now + length + tolerance_of(lane));
}

DueTime& LocalRateLimits::due(const Lane& lane) {
    if (due_.size() >= most_lanes) {
        const base::Timestamp now = clock_.now();
        std::erase_if(due_, [&](const auto& entry) { return entry.second.idle_at <= now; });
    }
    return due_[{lane.account, lane.kind}];
}

milliseconds LocalRateLimits::take_now(const Lane& lane, milliseconds patience) {
    const std::lock_guard lock(mutex_);
    const base::Timestamp now = clock_.now();
    DueTime& next = due(lane);
    const auto wait = std::chrono::ceil<milliseconds>(next.wait(lane, now));
    if (wait <= patience) next.take(lane, now);
    return wait;
}

void LocalRateLimits::pause_now(const Lane& lane, milliseconds length) {
    const std::lock_guard lock(mutex_);
    due(lane).pause(lane, clock_.now(), length);
}

boost::asio::awaitable<milliseconds> LocalRateLimits::take(Lane lane, milliseconds patience) {
    co_return take_now(lane, patience);
}

boost::asio::awaitable<void> LocalRateLimits::pause(Lane lane, milliseconds length) {
    pause_now(lane, length);
    co_return;
}

}  // namespace provisioner::providers::cloud
