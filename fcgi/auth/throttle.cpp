#include "fcgi/auth/throttle.hpp"

#include <algorithm>

namespace fcgi::auth {

std::optional<std::chrono::seconds> Throttle::wait_of(const std::string& who) {
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    const auto found = failures_.find(who);
    if (found == failures_.end() || found->second.count < most_failures) return std::nullopt;
    const auto left = found->second.began + window - now;
    if (left <= decltype(left)::zero()) return std::nullopt;
    return std::chrono::ceil<std::chrono::seconds>(left);
}

void Throttle::count_failure(const std::string& who, int elsewhere) {
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    forget_old(now);
    auto found = failures_.find(who);
    if (found == failures_.end()) {
        if (failures_.size() == most_kept) forget_oldest();
        found = failures_.emplace(who, Failures{.began = now}).first;
        by_age_.push_back(found);
    }
    found->second.count = std::max(found->second.count + 1, elsewhere);
}

std::size_t Throttle::kept() {
    const std::lock_guard lock(mutex_);
    return failures_.size();
}

void Throttle::forget_old(provisioner::base::Timestamp now) {
    while (!by_age_.empty() && by_age_.front()->second.began + window <= now) forget_oldest();
}

void Throttle::forget_oldest() {
    failures_.erase(by_age_.front());
    by_age_.pop_front();
}

}  // namespace fcgi::auth
