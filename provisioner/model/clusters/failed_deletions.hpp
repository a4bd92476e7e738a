#pragma once

#include <chrono>
#include <string>

#include "provisioner/base/clock.hpp"

namespace provisioner::model {

/// Deletions of one cluster that failed without a success between them. When a lease has ended, the
/// daemon repeats the deletion with growing pauses. A deletion by a person starts the count anew
/// (cluster.deletions_since). Read by store::failed_deletions().
struct FailedDeletions {
    /// Number of failed deletions, at least 1.
    int count = 0;
    /// When the latest one ended.
    base::Timestamp last{};
    /// Message of the latest one's job.
    std::string message;
};

/// Pause after the `failures`th failure (from 1): 1, 2, 4, ... minutes, at most 6 hours. So an
/// outage of a provider does not fill the queue, and a cluster is still deleted within hours of its
/// end.
std::chrono::minutes pause_after_deletion(int failures);

/// Earliest time of the next deletion. In the past when it is due.
base::Timestamp next_deletion(const FailedDeletions& failed);

}  // namespace provisioner::model
