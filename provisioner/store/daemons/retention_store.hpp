#pragma once

#include <optional>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// How much of a job is there.
enum class JobKept {
    everything,
    /// Its tasks without what they printed.
    tasks,
    /// Its row alone.
    itself,
};

/// The job that ended first before `moment` and of which so much is there; nothing if none. What
/// may be run again, the latest job of a cluster that is not terminated, keeps its tasks: it is
/// left out unless everything is there of it.
std::optional<model::JobId> oldest_job(Connection& connection, JobKept kept,
                                       base::Timestamp moment);

/// Deletes up to `limit` pieces of output of the job's tasks from the task `from` on. Returns the
/// task to go on from; nothing when all are gone.
std::optional<model::TaskId> delete_output(Connection& connection, model::JobId job,
                                           model::TaskId from, int limit);

/// Deletes up to `limit` tasks of the job with their attempts, edges and output; returns how many.
int delete_tasks(Connection& connection, model::JobId job, int limit);

/// Notes how much of the job is left.
void set_kept(Connection& connection, model::JobId job, JobKept kept);

/// Deletes up to `limit` nodes that left their cluster with a job of which only its row is there
/// and that ended before `moment`; returns how many. The node with the highest number stays, so
/// that no number is given again.
int delete_nodes_that_left(Connection& connection, base::Timestamp moment, int limit);

/// Deletes up to `limit` jobs of which only their row is there, that ended before `moment` and that
/// nothing refers to any more; returns how many.
int delete_jobs(Connection& connection, base::Timestamp moment, int limit);

/// The cluster that was terminated first before `moment`; nothing if none. `unsatisfiable`: of
/// those of which nothing was ever made, otherwise of the others.
std::optional<model::ClusterId> oldest_terminated_cluster(Connection& connection,
                                                          bool unsatisfiable,
                                                          base::Timestamp moment);

/// Deletes up to `limit` rows of a terminated cluster: its tasks first, itself last. Returns how
/// many; 0 when nothing is left. Usage of its machines stays.
int delete_some_of_cluster(Connection& connection, model::ClusterId cluster, int limit);

/// Each deletes up to `limit` rows older than `moment` and returns how many: spans of machines that
/// are in the totals; callbacks that are over; kept answers of idempotency keys; sessions that
/// ended; daemons that said nothing since; versions of catalogue entries of which there is a newer
/// one that is older than `moment`, too.
int delete_spans(Connection& connection, base::Timestamp moment, int limit);
int delete_callbacks(Connection& connection, base::Timestamp moment, int limit);
int delete_answers(Connection& connection, base::Timestamp moment, int limit);
int delete_sessions(Connection& connection, base::Timestamp moment, int limit);
int delete_daemons(Connection& connection, base::Timestamp moment, int limit);
int delete_old_versions(Connection& connection, base::Timestamp moment, int limit);

}  // namespace provisioner::store

namespace provisioner::base {

template <>
inline constexpr std::array words<store::JobKept>{
    std::pair{store::JobKept::everything, std::string_view("everything")},
    std::pair{store::JobKept::tasks, std::string_view("tasks")},
    std::pair{store::JobKept::itself, std::string_view("itself")},
};

}  // namespace provisioner::base
