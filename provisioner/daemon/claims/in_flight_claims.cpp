#include "provisioner/daemon/claims/in_flight_claims.hpp"

#include <algorithm>

namespace provisioner::daemon {

void InFlightClaims::add(const std::vector<queue::Claim>& claims, Moment until) {
    const std::lock_guard lock(mutex_);
    for (const queue::Claim& claim : claims) claims_[claim.task] = {claim, until};
}

void InFlightClaims::renewed(const std::vector<queue::Claim>& claims, Moment until) {
    const std::lock_guard lock(mutex_);
    for (const queue::Claim& claim : claims) {
        const auto found = claims_.find(claim.task);
        const bool same = found != claims_.end() && found->second.claim.fence == claim.fence;
        if (same) found->second.until = until;
    }
}

bool InFlightClaims::holds(const queue::Claim& claim, Moment now) const {
    const std::lock_guard lock(mutex_);
    const auto found = claims_.find(claim.task);
    return found != claims_.end() && found->second.claim.fence == claim.fence &&
           now < found->second.until;
}

void InFlightClaims::remove(const std::vector<queue::Claim>& claims) {
    {
        const std::lock_guard lock(mutex_);
        for (const queue::Claim& claim : claims) {
            const auto found = claims_.find(claim.task);
            // A task that was put back may have been claimed again already: that claim stays.
            if (found != claims_.end() && found->second.claim.fence == claim.fence) {
                claims_.erase(found);
            }
        }
    }
    changed_.notify_all();
}

std::vector<queue::Claim> InFlightClaims::all() const {
    const std::lock_guard lock(mutex_);
    std::vector<queue::Claim> claims;
    for (const auto& [task, held] : claims_) claims.push_back(held.claim);
    return claims;
}

int InFlightClaims::size() const {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(claims_.size());
}

std::set<model::TenantId> InFlightClaims::tenants() const {
    const std::lock_guard lock(mutex_);
    std::set<model::TenantId> tenants;
    for (const auto& [task, held] : claims_) tenants.insert(held.claim.tenant);
    return tenants;
}

std::set<model::JobId> InFlightClaims::jobs() const {
    const std::lock_guard lock(mutex_);
    std::set<model::JobId> jobs;
    for (const auto& [task, held] : claims_) jobs.insert(held.claim.job);
    return jobs;
}

int InFlightClaims::wait_for_room(int capacity, std::chrono::milliseconds patience) const {
    std::unique_lock lock(mutex_);
    const auto room = [&] { return static_cast<int>(claims_.size()) < capacity; };
    changed_.wait_for(lock, patience, room);
    return std::max(0, capacity - static_cast<int>(claims_.size()));
}

}  // namespace provisioner::daemon
