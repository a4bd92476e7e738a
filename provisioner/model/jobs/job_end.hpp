#pragma once

#include <optional>
#include <string>

#include "provisioner/model/jobs/job.hpp"

namespace provisioner::model {

/// Counts that decide whether and how a job ends. Read under the lock of the job's row, by the
/// engine when tasks end and by the web side when a person aborts a job (statements/job_end.hpp).
struct JobTally {
    Operation operation = Operation::cluster_create;
    /// Tasks of the job, from job.tasks_total.
    int total = 0;
    /// Tasks that succeeded, from job.tasks_done.
    int done = 0;
    /// Tasks that failed for good, from job.tasks_failed; cancelled tasks are not counted.
    int failed = 0;
    /// Failed and cancelled tasks that the last retry has left as they were, from job.tasks_left;
    /// they are not counted in `failed`.
    int left = 0;
    /// Tasks that must still come to an end: claimed ones, and ready ones whose step still has to
    /// be stopped. Needed only when the job ends badly, otherwise 0.
    int claimed = 0;
    /// Whether no machine was made for certain: each task that began and did not succeed is a
    /// create that the provider refused. Needed only when the job ends badly.
    bool only_refused_creates = false;
    /// Whether a person ended the job.
    bool aborted = false;

    /// Whether it cannot end well any more: what waits is cancelled.
    bool ends_badly() const;
};

/// Final states of a job and its cluster. With job == running the job goes on, and the other
/// members have no meaning.
struct JobEnd {
    JobStatus job = JobStatus::running;
    /// Takes effect only if the job is the cluster's latest (end_cluster in
    /// statements/job_end.hpp).
    ClusterStatus cluster = ClusterStatus::pending;
    /// Whether a cluster_create made no machine at all. The cluster is then terminated without a
    /// deletion.
    bool nothing_created = false;
};

/// Decides how a job with this tally ends. Pure. Source: the wire contract's table of operations.
///
/// * All tasks done, or none at all: complete, even if the job was aborted. The cluster is active,
///   or terminated after a deletion.
/// * Otherwise the job ends only when a task failed or a person aborted it, and nothing is claimed.
///   Otherwise it goes on.
/// * A retry of some machines has ended when all other tasks are done; the job has still failed.
///
/// The cluster's status after a failed job:
///
///     terminated     cluster_create that made no machine; solve_layout
///     incomplete     cluster_create, cluster_delete, cluster_grow, cluster_shrink, replace_node
///     inconsistent   cluster_configure..., ..._services
JobEnd end_of(const JobTally& tally);

/// Whether jobs of this operation may change how many services are stopped: they start, stop or
/// remove services, or take machines away.
bool may_change_stopped(Operation operation);

/// Whether the operation gives a cluster another configuration.
bool configures(Operation operation);

/// Whether the job did and failed: the cluster's present configuration has not worked.
bool is_failed_configuration(const std::optional<Job>& job);

/// Whether the job started, stopped or restarted services and failed. Such a job begins only where
/// nothing else is left to do, so that all services can be started, stopped or restarted after it.
bool is_failed_service_action(const std::optional<Job>& job);

/// Whether the job was aborted, or some of its machines were not retried: nothing fails any more,
/// and tasks are left.
bool is_left_unfinished(const std::optional<Job>& job);

/// EX_CONFIG of sysexits.h: a step that ends so says that its configuration is wrong.
inline constexpr int exit_of_wrong_configuration = 78;

/// Failure message for a job whose counters show a failure; does not read its tasks. Empty when the
/// job did not fail, or when its first failed task has the message.
std::string message_of_end(const JobTally& tally, const JobEnd& end);

/// Text of the wire contract: "Aborted by user."
extern const char* const aborted_message;

/// For a job that has failed without a failed task, because a retry left out machines whose tasks
/// were cancelled.
extern const char* const left_out_message;

/// The message of a task whose step was stopped because a person aborted the job. Such a task is
/// stored as failed.
extern const char* const stopped_by_abort_message;

/// Text of the wire contract: "Unable to create nodes, please check your provider settings".
extern const char* const nothing_created_message;

}  // namespace provisioner::model
