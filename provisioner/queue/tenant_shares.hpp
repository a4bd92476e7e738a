#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "provisioner/model/tenants/tenant.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Tasks that were deleted from the queue's head (table ready_task) and are still to be marked as
/// claimed by the same transaction.
struct ClaimedIds {
    /// Without repetition; empty when nothing was due or everything was locked.
    std::vector<long long> all;
    /// The part of `all` that counts for a tenant's limit: the caller sets task.held_for for these.
    std::map<model::TenantId, std::vector<long long>> of_limited;
};

/// Divides a claim among tenants, inside the transaction that is open on the connection.
///
/// A claim visits tenants in rounds, each tenant for an equal part of what is left. It ends when
/// enough tasks are taken or no tenant has more. It begins after the tenant the claim before ended
/// with. A tenant with a limit (tenant.workers > 0) is visited only under the lock of its row of
/// tenant_turn; otherwise two claimers would count the same free places. Tenants without a limit
/// take no lock but that of the tasks taken. The cost is one index look-up per tenant, however many
/// tasks are ready.
class TenantShares {
 public:
    /// `last_served` is read and set by take(); the caller keeps it between transactions. `offered`
    /// is a JSON array of plugins: tasks that need others are ignored; an empty text sets no
    /// condition. All three must outlive the object.
    TenantShares(sql::Connection& connection, model::TenantId& last_served,
                 const std::string& offered)
        : connection_(connection), last_served_(last_served), offered_(offered) {}

    /// Deletes up to `limit` due tasks from the queue's head and returns them; none of `except`.
    ///
    /// Before: the transaction holds no task's lock; one that does could deadlock with a claimer.
    /// After: the transaction holds the turns of the limited tenants visited (at most 64 tenants)
    /// and the taken rows. It must mark the tasks as claimed and set held_for before it commits.
    /// Two at once: rows that another claimer has locked are skipped, so no task is taken twice.
    ClaimedIds take(int limit, const std::set<model::TenantId>& except);

    /// Time until the earliest ready task is due, of tenants that are not at their limit; 0 when
    /// one is due, nothing when there is none. Reads without locks, so the answer is only a hint.
    std::optional<std::chrono::microseconds> next_due();

 private:
    /// A tenant with tasks in the queue's head that this daemon can do.
    struct Share {
        model::TenantId tenant;
        /// Whether the tenant has a limit.
        bool limited = false;
        /// How many more of its tasks may be claimed: the limit as read by shares(), the free part
        /// of it after count_held(), and INT_MAX without a limit.
        int room = 0;
        /// Time until its earliest task is due; negative when it is overdue.
        std::chrono::microseconds due{0};
    };

    /// All tenants with ready tasks, by id.
    std::vector<Share> shares();
    /// Tenants to visit, in order, with their turns locked and their room counted.
    std::vector<Share> claimable(const std::set<model::TenantId>& except);
    /// Rotates shares sorted by id, so that the tenant after last_served_ comes first.
    void turn_to_next(std::vector<Share>& shares) const;
    void wait_for_turns(const std::vector<Share>& shares);
    void count_held(std::vector<Share>& shares);
    std::vector<long long> take_of(const Share& share, int limit);

    sql::Connection& connection_;
    model::TenantId& last_served_;
    const std::string& offered_;
};

}  // namespace provisioner::queue
