#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "provisioner/queue/task_queue.hpp"

namespace provisioner::daemon {

/// The claims this daemon has in hand, from being claimed to being finished in the database. Safe
/// from any thread.
class Hand {
 public:
    void add(const std::vector<queue::Claim>& claims);
    void remove(const std::vector<queue::Claim>& claims);
    std::vector<queue::Claim> all() const;
    int size() const;
    /// Whose tasks they are.
    std::set<model::TenantId> tenants() const;
    /// Which jobs they are part of.
    std::set<model::JobId> jobs() const;

    /// Waits until fewer than `capacity` are in hand or `patience` has passed; returns how many
    /// more fit.
    int wait_for_room(int capacity, std::chrono::milliseconds patience) const;

 private:
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::map<model::TaskId, queue::Claim> claims_;
};

}  // namespace provisioner::daemon
