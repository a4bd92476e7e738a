#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// How long rows are kept after they became final. Nothing: for ever.
struct Retention {
    /// Counted from the end of what the member names.
    using Age = std::optional<std::chrono::hours>;

    /// Output of tasks, after the end of their job.
    Age output;
    /// Tasks with their attempts, after the end of their job. The latest job of a cluster keeps its
    /// tasks as long as the cluster lives, because it may be retried.
    Age tasks;
    /// Jobs that are not the latest of their cluster, and the nodes that left with them. Only after
    /// their tasks are gone.
    Age jobs;
    /// Terminated clusters with all their rows except usage.
    Age clusters;
    /// Clusters that were never made because no layout kept all rules.
    Age unsatisfiable;
    /// Callbacks, after the delivery or the last attempt.
    Age callbacks;
    /// Times of single machines, and prices that have ended. Totals are kept for ever.
    Age usage;
    /// Old versions of catalogue entries, after they were replaced.
    Age catalogue;
};

/// Reads the settings "retention.output" and so on, in whole days; 0, and more than 365,000, mean
/// for ever. Defaults: 30 days of output and callbacks, 90 of tasks, 365 of jobs, clusters and
/// catalogue, 1 of unsatisfiable clusters, 1095 of usage. Throws std::runtime_error naming a
/// setting that is no number.
Retention retention_from(const base::Config& config);

/// The same with no age longer than that of what it belongs to: output at most as long as tasks,
/// tasks at most as long as jobs. prune() goes by it.
Retention consistent(Retention retention);

/// Deletes rows older than `retention` allows, in transactions of a few hundred rows. Rests after
/// each as long as it took, at most 1 s, so other work notices little. Also adds ended usage spans
/// to the totals, and deletes expired logins, and daemons, forms and idempotency keys after 24
/// hours.
///
/// Ends early when `is_stopped` returns true; the next call continues. Returns the number of
/// deleted rows by kind ("tasks", "clusters", ...), for the log. Blocks, possibly for long: the
/// daemon calls it on a thread of its own. Several daemons may run it at once.
std::map<std::string, int> prune(store::Database& database, const Retention& retention,
                                 base::Timestamp now, const std::function<bool()>& is_stopped);

}  // namespace provisioner::operations
