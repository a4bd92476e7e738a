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

/// The end of the year 9999, in milliseconds since 1970: what a DATETIME holds.
inline constexpr std::int64_t latest_expiry = 253402300799999;

/// The lease of a new cluster; zero is for ever. `asked` nothing: the template's `initial`. Refused
/// when `asked` is negative, or longer than `initial` (zero counts as longest) unless `initial` is
/// zero.
Result<std::chrono::milliseconds> initial_lease(std::optional<std::chrono::milliseconds> asked,
                                                std::chrono::milliseconds initial);

/// When a cluster that is made `now` ends; nothing: never. Refused when that is after the year
/// 9999.
Result<std::optional<base::Timestamp>> first_expiry(std::chrono::milliseconds lease,
                                                    base::Timestamp now);

/// Whether a cluster may end at `wanted`, in milliseconds since 1970: not before it was made, and
/// as far as its template's step and maximum let it. Shortening is always allowed; a cluster that
/// is being worked on or terminated keeps its time.
Result<void> check_expiry(const model::Cluster& cluster, std::int64_t wanted);

/// Sets it. Refused with not_found ("Cluster <id> not found.") or with what check_expiry says.
Result<void> change_expiry(store::Database& database, const model::Caller& caller,
                           model::ClusterId cluster, std::int64_t wanted);

/// What became of clusters whose lease had ended.
struct Expired {
    /// Those that are being deleted now.
    std::vector<model::ClusterId> deleted;
    /// Why others could not be: each stands for itself.
    std::vector<std::string> errors;
};

/// Queues the deletion of clusters whose lease ended before `now` and that are not being worked on,
/// whatever state they are in; at most 100. After deletions that failed the next one comes as
/// model::next_deletion says; a deletion somebody asks for and a change of the lease start the
/// count anew. Several daemons may do this at once.
Expired expire_clusters(store::Database& database, base::Timestamp now);

}  // namespace provisioner::operations
