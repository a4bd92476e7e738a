#pragma once

#include <functional>

#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Records the ends of jobs in the audit log of their tenants: "cluster.grow.end", done or failed,
/// with what was asked for by the same request before. Each end once, in the order of the ends;
/// a job that is retried ends again. Whoever ends a job does not wait for the log: any number of
/// daemons may record, seconds later, after any outage. Returns how many there were.
int record_ends(store::Database& database, const std::function<bool()>& stopping);

}  // namespace provisioner::operations
