#pragma once

#include <string>

#include "provisioner/model/job.hpp"

namespace provisioner::model {

/// What the end of a job depends on.
struct JobTally {
    Operation operation = Operation::cluster_create;
    int total = 0;
    int done = 0;
    int failed = 0;
    /// Tasks a worker still has.
    int claimed = 0;
    /// Whether all failed tasks are creates of which it is certain that no machine was made.
    bool only_refused_creates = false;
};

/// How a job ends, and what becomes of its cluster.
struct JobEnd {
    JobStatus job = JobStatus::running;
    ClusterStatus cluster = ClusterStatus::pending;
    /// Whether a create made nothing at all, which has a message of its own.
    bool nothing_created = false;
};

/// The end of a job with that tally; `job` is running while it has not ended. A job with failures
/// ends when nothing of it is claimed any more. Source: the wire contract's table of operations.
JobEnd end_of(const JobTally& tally);

/// "Unable to create nodes, please check your provider settings".
extern const char* const nothing_created_message;

}  // namespace provisioner::model
