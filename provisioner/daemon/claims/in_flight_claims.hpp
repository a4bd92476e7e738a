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

/// The claims this daemon has in flight: from the moment the claimer receives them until the
/// reporter has stored their end.
///
/// Four users meet here. The claimer adds and waits for room; the renewing thread renews; a loop
/// asks holds() before it begins a turn; the reporter removes. Moments are lower bounds of the
/// database's claimed_until: they are taken before the statement is sent. So a claim that holds()
/// confirms has not run out in the database either, if both clocks run at the same rate.
///
/// Safe from any thread; every call takes one mutex and does no I/O. At most one claim per task: a
/// later claim of the same task replaces the earlier one.
class InFlightClaims {
 public:
    using Moment = base::BootClock::time_point;

    /// Adds claims that hold until `until`. Call before their turns can start.
    void add(const std::vector<queue::Claim>& claims, Moment until);
    /// Extends those of `claims` that are still in flight with the same fence; ignores the others.
    void renewed(const std::vector<queue::Claim>& claims, Moment until);
    /// Whether the claim is in flight and certainly has not run out at `now`. False for a claim
    /// that ran out while the process or its host was stopped: another daemon may have the task by
    /// now.
    bool holds(const queue::Claim& claim, Moment now) const;
    /// Removes claims, compared by task and fence, and wakes wait_for_room(). Claims that are not
    /// here are ignored.
    void remove(const std::vector<queue::Claim>& claims);
    /// Copies of all claims, by task id; linear.
    std::vector<queue::Claim> all() const;
    int size() const;
    /// Tenants with a task in flight; linear.
    std::set<model::TenantId> tenants() const;
    /// Jobs with a task in flight; linear.
    std::set<model::JobId> jobs() const;

    /// Blocks until fewer than `capacity` claims are in flight or `patience` has passed. Returns
    /// how many more fit, 0 when none does. Other threads may change that at once; only the claimer
    /// adds, so for the claimer it is a lower bound.
    int wait_for_room(int capacity, std::chrono::milliseconds patience) const;

 private:
    mutable std::mutex mutex_;
    /// Notified after claims were removed.
    mutable std::condition_variable changed_;
    struct Held {
        queue::Claim claim;
        /// The claim has certainly not run out before this moment.
        Moment until;
    };
    std::map<model::TaskId, Held> claims_;
};

}  // namespace provisioner::daemon
