#include "fcgi/auth/throttle.hpp"

namespace fcgi::auth {

namespace {

// Above this size each new failure first removes entries whose window has ended. It is not a hard
// limit.
constexpr std::size_t most_kept_failures = 10'000;

}  // namespace

std::optional<std::chrono::seconds> Throttle::wait_of(const std::string& who) {
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    const auto found = failures_.find(who);
    if (found == failures_.end() || found->second.count < most_failures) return std::nullopt;
    const auto left = found->second.began + window - now;
    if (left <= decltype(left)::zero()) return std::nullopt;
    return std::chrono::ceil<std::chrono::seconds>(left);
}

void Throttle::count_failure(const std::string& who) {
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    if (failures_.size() > most_kept_failures) forget_old(now);
    auto& failures = failures_[who];
    if (failures.count == 0 || failures.began + window <= now) failures = {.began = now};
    ++failures.count;
}

void Throttle::forget_old(provisioner::base::Timestamp now) {
    std::erase_if(failures_, [&](const auto& entry) { return entry.second.began + window <= now; });
}

}  // namespace fcgi::auth
