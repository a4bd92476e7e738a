#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Leases: how long a cluster may live. A lease is in milliseconds, and zero means for ever. A
// template sets the initial lease, the maximum, and the step of one prolongation. The daemon
// deletes clusters whose lease has ended.

/// The end of the year 9999, in milliseconds since 1970: the last moment a DATETIME holds.
inline constexpr std::int64_t latest_expiry = 253402300799999;

/// The lease of a new cluster; zero is for ever. Without `asked` it is the template's `initial`.
/// Refused as invalid when `asked` is negative or longer than `initial`. Zero counts as the longest
/// lease, for both values.
Result<std::chrono::milliseconds> initial_lease(std::optional<std::chrono::milliseconds> asked,
                                                std::chrono::milliseconds initial);

/// The end of a lease that begins at `now`; nothing: never. Refused as invalid when that is after
/// the year 9999.
Result<std::optional<base::Timestamp>> first_expiry(std::chrono::milliseconds lease,
                                                    base::Timestamp now);

/// Whether the lease of `cluster` may end at `wanted`, in milliseconds since 1970. Pure.
///
/// Refused for a pending or terminated cluster, before its creation, and after the year 9999. If
/// the template has a maximum, the whole lease must not exceed it. The prolongation must not exceed
/// the template's step then; a cluster without an end counts as ending in 1970 there.
Result<void> check_expiry(const model::Cluster& cluster, std::int64_t wanted);

/// The latest end that check_expiry allows a settled cluster; the end of the year 9999 without a
/// maximum. May lie in the past. Pure.
base::Timestamp latest_end(const model::Cluster& cluster);

/// Whether the cluster may be kept without an end of its lease: its template sets no maximum. Pure.
bool may_have_no_end(const model::Cluster& cluster);

/// Checks and stores the end of the lease, and restarts the count of failed deletions. `wanted` is
/// in milliseconds since 1970; nothing means no end. Refused with not_found ("Cluster <id> not
/// found."), as check_expiry and may_have_no_end say, or with conflict when the tenant's budget of
/// this month does not last so long.
Result<void> change_expiry(store::Database& database, const model::Caller& caller,
                           model::ClusterId cluster, std::optional<std::int64_t> wanted,
                           base::Timestamp now);

/// The result of one run of expire_clusters.
struct Expired {
    /// Clusters whose deletion was queued.
    std::vector<model::ClusterId> deleted;
    /// For each cluster whose deletion could not be queued: its id and the reason.
    std::vector<std::string> errors;
};

/// Queues the deletion of clusters whose lease ended at `now` or before; at most 100 in one call.
/// Leaves out pending and terminated ones. Each has its own transaction, so a broken cluster does
/// not stop the others. Stops early when the database is unavailable.
///
/// After a failed deletion the next one waits as model::next_deletion says. Several daemons may
/// call it at once: the lock on the cluster's row lets one of them delete it. The daemon calls it
/// every 30 s.
Expired expire_clusters(store::Database& database, base::Timestamp now);

}  // namespace provisioner::operations
