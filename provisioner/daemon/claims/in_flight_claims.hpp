#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/queue/task_queue.hpp"

namespace provisioner::daemon {

/// The claims this daemon has in flight, from being claimed to being finished in the database. Safe
/// from any thread.
class InFlightClaims {
 public:
    using Moment = base::BootClock::time_point;

    /// They are ours until that moment.
    void add(const std::vector<queue::Claim>& claims, Moment until);
    /// Those of them that are in flight are ours until that later moment.
    void renewed(const std::vector<queue::Claim>& claims, Moment until);
    /// Whether the claim is surely ours: in flight, and not run out. Not so for one that lies here
    /// since before the process was stopped or its machine stood still.
    bool holds(const queue::Claim& claim, Moment now) const;
    void remove(const std::vector<queue::Claim>& claims);
    std::vector<queue::Claim> all() const;
    int size() const;
    /// Whose tasks they are.
    std::set<model::TenantId> tenants() const;
    /// Which jobs they are part of.
    std::set<model::JobId> jobs() const;

    /// Waits until fewer than `capacity` are in flight or `patience` has passed; returns how many
    /// more fit.
    int wait_for_room(int capacity, std::chrono::milliseconds patience) const;

 private:
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    struct Held {
        queue::Claim claim;
        Moment until;
    };
    std::map<model::TaskId, Held> claims_;
};

}  // namespace provisioner::daemon
