#pragma once

#include <string>

#include "provisioner/model/jobs/job.hpp"

namespace provisioner::model {

/// What the end of a job depends on.
struct JobTally {
    Operation operation = Operation::cluster_create;
    int total = 0;
    int done = 0;
    int failed = 0;
    /// Tasks a worker still has.
    int claimed = 0;
    /// Whether it is certain of every task that began and was not done that no machine was made.
    bool only_refused_creates = false;
    /// Whether a person ended it.
    bool aborted = false;
};

/// How a job ends, and what becomes of its cluster.
struct JobEnd {
    JobStatus job = JobStatus::running;
    ClusterStatus cluster = ClusterStatus::pending;
    /// Whether a create made nothing at all, which has a message of its own.
    bool nothing_created = false;
};

/// The end of a job with that tally; `job` is running while it has not ended. A job with failures
/// or one that was aborted ends when nothing of it is claimed any more; one whose tasks were all
/// done nevertheless is complete. Source: the wire contract's table of operations.
JobEnd end_of(const JobTally& tally);

/// Why a job failed whose tally says so without looking at its tasks: it was aborted, or a create
/// made nothing. Empty: its first failure says why.
std::string message_of_end(const JobTally& tally, const JobEnd& end);

/// "Aborted by user."
extern const char* const aborted_message;

/// "Unable to create nodes, please check your provider settings".
extern const char* const nothing_created_message;

}  // namespace provisioner::model
