#include "provisioner/daemon/claims/in_flight_claims.hpp"

#include <algorithm>

namespace provisioner::daemon {

// Before: the claims are committed in the database, and none of their turns has started. After: the
// renewing thread extends them and rescue() leaves them alone. A task that is here already was put
// back and claimed again before remove(): the new fence replaces the old one. Between the commit
// and this call a rescue may select such a claim only once it has run out.
void InFlightClaims::add(const std::vector<queue::Claim>& claims, Moment until) {
    const std::lock_guard lock(mutex_);
    for (const queue::Claim& claim : claims) claims_[claim.task] = {claim, until};
}

// Before: the database has renewed `claims` at or after the moment `until` was computed from.
// After: holds() is true until then. A claim that was removed or replaced meanwhile is left alone,
// hence the fence. A claim the database did not renew keeps its old moment and so runs out here as
// well.
void InFlightClaims::renewed(const std::vector<queue::Claim>& claims, Moment until) {
    const std::lock_guard lock(mutex_);
    for (const queue::Claim& claim : claims) {
        const auto found = claims_.find(claim.task);
        const bool same = found != claims_.end() && found->second.claim.fence == claim.fence;
        if (same) found->second.until = until;
    }
}

// True only if the database lets no other worker claim the task at `now`. Two at once: a renewal
// that comes after a false answer changes nothing, because the turn does not begin; one that comes
// before it is already committed in the database.
bool InFlightClaims::holds(const queue::Claim& claim, Moment now) const {
    const std::lock_guard lock(mutex_);
    const auto found = claims_.find(claim.task);
    return found != claims_.end() && found->second.claim.fence == claim.fence &&
           now < found->second.until;
}

// Before: the ends of `claims` are stored or given up. After: they are renewed no longer, and their
// places are free. Removed too early, a claim could be rescued while its end waits to be stored;
// the reporter therefore removes after the commit. Waiters are notified without the mutex, so that
// they need not wait for it at once.
void InFlightClaims::remove(const std::vector<queue::Claim>& claims) {
    {
        const std::lock_guard lock(mutex_);
        for (const queue::Claim& claim : claims) {
            const auto found = claims_.find(claim.task);
            // A task that was put back may have been claimed again already; that claim stays.
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

// The claimer may exceed the capacity by its reserve, so the room is clamped at 0. Only the claimer
// adds: between this answer and its next add() the room can only grow.
int InFlightClaims::wait_for_room(int capacity, std::chrono::milliseconds patience) const {
    std::unique_lock lock(mutex_);
    const auto room = [&] { return static_cast<int>(claims_.size()) < capacity; };
    changed_.wait_for(lock, patience, room);
    return std::max(0, capacity - static_cast<int>(claims_.size()));
}

}  // namespace provisioner::daemon
