#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "provisioner/base/config.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// How long what grows is kept after it ended. Nothing: for ever.
struct Retention {
    using Age = std::optional<std::chrono::hours>;

    /// What tasks printed, after the end of their job.
    Age output;
    /// Tasks with their attempts, after the end of their job. Those of the latest job of a cluster
    /// stay as long as the cluster, because it may be run again.
    Age tasks;
    /// Jobs that are not the latest of their cluster, and the nodes that left with them.
    Age jobs;
    /// Terminated clusters with all that belongs to them but their usage.
    Age clusters;
    /// Clusters that were never made because no layout kept all rules.
    Age unsatisfiable;
    /// What was told to others about clusters.
    Age callbacks;
    /// From when to when single machines were there. Sums of all time stay.
    Age usage;
    /// Versions of catalogue entries that were replaced.
    Age catalogue;
};

/// The settings "retention.output" and so on, in whole days; 0 means for ever. Without them 30 days
/// of output and callbacks, 90 of tasks, 365 of jobs, clusters and catalogue, 1 of what could not
/// be satisfied, and 1095 of usage. Throws std::runtime_error naming what is no number.
Retention retention_from(const base::Config& config);

/// Deletes what is older than is kept, a few hundred rows in one transaction, and rests after each
/// as long as it took: whoever works beside it notices little. Ends early when `is_stopped` says
/// so; the next call goes on. Returns how many rows of each kind went ("tasks", "clusters", ...).
std::map<std::string, int> prune(store::Database& database, const Retention& retention,
                                 base::Timestamp now, const std::function<bool()>& is_stopped);

}  // namespace provisioner::operations
