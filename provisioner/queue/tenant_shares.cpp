#include "provisioner/queue/tenant_shares.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "provisioner/queue/bulk.hpp"

namespace provisioner::queue {

namespace {

using Prepared = std::unique_ptr<sql::PreparedStatement>;
using Rows = std::unique_ptr<sql::ResultSet>;

/// Most tenants that one claim visits: each costs a query. The next claim goes on after them.
constexpr std::size_t tenants_per_claim = 64;

// Reads the first entry of the index for each tenant, so the number of ready tasks does not matter.
constexpr auto select_shares = R"sql(
    SELECT id, workers, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), earliest) AS due
    FROM (SELECT tenant.id, tenant.workers,
                 (SELECT ready_task.run_at
                  FROM ready_task FORCE INDEX (ready_task_due)
                  WHERE ready_task.tenant_id = tenant.id AND
                        (? = '' OR JSON_CONTAINS(?, ready_task.needs))
                  ORDER BY ready_task.run_at
                  LIMIT 1) AS earliest
          FROM tenant) AS waiting
    WHERE earliest IS NOT NULL
    ORDER BY id
)sql";

// FORCE INDEX, because the server otherwise sorts: when one tenant has most of the ready tasks, it
// would read and lock all of them to return `LIMIT` rows.
constexpr auto select_ready = R"sql(
    SELECT task_id
    FROM ready_task FORCE INDEX (ready_task_due)
    WHERE tenant_id = ? AND run_at <= UTC_TIMESTAMP(6) AND
          (? = '' OR JSON_CONTAINS(?, needs))
    ORDER BY run_at, task_id
    LIMIT ?
    FOR UPDATE SKIP LOCKED
)sql";

}  // namespace

std::vector<TenantShares::Share> TenantShares::shares() {
    const Prepared earliest(connection_.prepareStatement(select_shares));
    earliest->setString(1, offered_);
    earliest->setString(2, offered_);
    const Rows rows(queue::select(*earliest));
    std::vector<Share> shares;
    while (rows->next()) {
        const int workers = rows->getInt("workers");
        shares.push_back({
            .tenant = model::TenantId{rows->getInt64("id")},
            .limited = workers > 0,
            .room = workers > 0 ? workers : std::numeric_limits<int>::max(),
            .due = std::chrono::microseconds{rows->getInt64("due")},
        });
    }
    return shares;
}

/// Begins after the tenant served last, so that each tenant is served however many there are.
void TenantShares::turn_to_next(std::vector<Share>& shares) const {
    const auto next = std::ranges::upper_bound(shares, last_served_, {}, &Share::tenant);
    std::ranges::rotate(shares, next);
}

/// Subtracts running tasks from each limited tenant's capacity and drops tenants with none left.
/// Under the turns' locks the count cannot grow before the commit; without them it is an estimate.
/// It may shrink at any time, because ends of tasks take no turn: then a place stays free until the
/// next claim. READ COMMITTED matters: the count sees what the last holder of a turn committed.
void TenantShares::count_held(std::vector<Share>& shares) {
    std::vector<long long> limited;
    for (const Share& share : shares) {
        if (share.limited) limited.push_back(share.tenant.value);
    }
    if (limited.empty()) return;
    const Rows rows =
        select(connection_, "SELECT held_for, COUNT(*) AS held FROM task WHERE held_for IN (" +
                                id_list(limited) + ") GROUP BY held_for");
    std::map<long long, int> held;
    while (rows->next()) held[rows->getInt64("held_for")] = rows->getInt("held");
    std::erase_if(shares, [&](const Share& share) {
        return share.limited && held[share.tenant.value] >= share.room;
    });
    for (Share& share : shares) {
        if (share.limited) share.room -= held[share.tenant.value];
    }
}

/// Locks the rows of tenant_turn of the limited tenants, in order of tenant ids, until the
/// transaction ends. Before: no task is taken and none is counted for good. After: only this
/// transaction can add to these tenants' claimed tasks. Two at once: the second claimer waits here,
/// then counts what the first one marked. One order of ids, so that claimers cannot form a circle.
void TenantShares::wait_for_turns(const std::vector<Share>& shares) {
    std::set<long long> limited;
    for (const Share& share : shares) {
        if (share.limited) limited.insert(share.tenant.value);
    }
    std::string turns;
    for (const long long tenant : limited) {
        turns += (turns.empty() ? "(" : ", (") + std::to_string(tenant) + ", 1)";
    }
    if (turns.empty()) return;
    execute(connection_, "INSERT INTO tenant_turn (tenant_id, claims) VALUES " + turns +
                             " ON DUPLICATE KEY UPDATE claims = claims + 1");
}

// Before: a limited tenant's turn is locked and `limit` fits its room. After: the returned rows are
// gone from the head when the transaction commits, and back when it rolls back. A task whose row is
// gone and whose state is not changed would never run, so the caller marks all of them. Two at
// once: SKIP LOCKED leaves rows of another claimer alone, which returns fewer than there are.
std::vector<long long> TenantShares::take_of(const Share& share, int limit) {
    const Prepared ready(connection_.prepareStatement(select_ready));
    ready->setInt64(1, share.tenant.value);
    ready->setString(2, offered_);
    ready->setString(3, offered_);
    ready->setInt(4, limit);
    const Rows rows(queue::select(*ready));
    std::vector<long long> ids;
    while (rows->next()) ids.push_back(rows->getInt64(1));
    if (!ids.empty()) {
        execute(connection_, "DELETE FROM ready_task WHERE task_id IN (" + id_list(ids) + ")");
    }
    return ids;
}

// After: at most tenants_per_claim tenants that are due, in the order of their turns, with their
// turns locked and their room counted under these locks. The second count decides; the first one
// only spares waiting for the turns of tenants at their limit.
// Two at once: claimers of tenants without a limit never wait for each other here.
std::vector<TenantShares::Share> TenantShares::claimable(const std::set<model::TenantId>& except) {
    std::vector<Share> waiting = shares();
    std::erase_if(waiting, [&](const Share& share) {
        return share.due.count() > 0 || except.contains(share.tenant);
    });
    // Without locks first: tenants at their limit or beyond this claim's part are not waited for.
    std::vector<Share> counted = waiting;
    count_held(counted);
    std::erase_if(waiting, [&](const Share& share) {
        return !std::ranges::binary_search(counted, share.tenant, {}, &Share::tenant);
    });
    turn_to_next(waiting);
    if (waiting.size() > tenants_per_claim) waiting.resize(tenants_per_claim);
    wait_for_turns(waiting);
    count_held(waiting);
    return waiting;
}

// Before: an open transaction without task locks. After: at most `limit` rows are deleted from the
// head; of each tenant at most its room. last_served_ is the last tenant visited, even when the
// transaction rolls back: it decides only where the next claim begins.
// Two at once: the rows are disjoint, and the sum of a limited tenant's claims keeps to its limit.
ClaimedIds TenantShares::take(int limit, const std::set<model::TenantId>& except) {
    std::vector<Share> waiting = claimable(except);
    ClaimedIds claimed;
    int left = limit;
    // Round by round: tenants that filled their part share what the others did not need.
    while (!waiting.empty() && left > 0) {
        std::vector<Share> want_more;
        for (std::size_t at = 0; at < waiting.size() && left > 0; ++at) {
            Share& share = waiting[at];
            const int others = static_cast<int>(waiting.size() - at);
            const int part = std::min(share.room, (left + others - 1) / others);
            const std::vector<long long> ids = take_of(share, part);
            last_served_ = share.tenant;
            left -= static_cast<int>(ids.size());
            share.room -= static_cast<int>(ids.size());
            claimed.all.insert(claimed.all.end(), ids.begin(), ids.end());
            if (share.limited && !ids.empty()) {
                auto& held = claimed.of_limited[share.tenant];
                held.insert(held.end(), ids.begin(), ids.end());
            }
            if (std::ssize(ids) == part && share.room > 0) want_more.push_back(share);
        }
        waiting = std::move(want_more);
    }
    return claimed;
}

std::optional<std::chrono::microseconds> TenantShares::next_due() {
    std::vector<Share> waiting = shares();
    count_held(waiting);
    std::optional<std::chrono::microseconds> earliest;
    for (const Share& share : waiting) {
        const auto due = std::max(share.due, std::chrono::microseconds{0});
        if (!earliest || due < *earliest) earliest = due;
    }
    return earliest;
}

}  // namespace provisioner::queue
