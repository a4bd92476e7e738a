#pragma once

#include <optional>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Deletion of old rows, in small portions: operations::prune calls these functions one transaction
// each. Every function has a limit, so no transaction locks many rows for long. All of them are
// safe to call from several daemons at once; a row that another daemon has deleted does not count.
//
// A job loses its rows in steps: first the output of its tasks, then the tasks, then its own row.
// The column job.kept says how far that went.

/// What is left of a job.
enum class JobKept {
    everything,
    /// Its tasks, without their output.
    tasks,
    /// Only its row.
    itself,
};

/// The first job that ended before `moment` and of which `kept` is left; nothing if there is none.
/// For JobKept::tasks it leaves out the latest job of a cluster that is not terminated. That job
/// may be retried, so its tasks stay.
std::optional<model::JobId> oldest_job(Connection& connection, JobKept kept,
                                       base::Timestamp moment);

/// What one call of delete_output did.
struct DeletedOutput {
    /// How many pieces it deleted.
    int pieces = 0;
    /// The task to continue with; nothing when all are gone.
    std::optional<model::TaskId> go_on_from{};
};

/// Deletes up to `limit` pieces of output of the job's tasks, from the task `from` on. Start with
/// TaskId{}. Of a job that runs (a person may retry one meanwhile) nothing is deleted.
DeletedOutput delete_output(Connection& connection, model::JobId job, model::TaskId from,
                            int limit);

/// Deletes up to `limit` tasks of the job with their attempts, edges and output. Returns their
/// number.
int delete_tasks(Connection& connection, model::JobId job, int limit);

/// Records what is left of the job. Call it after the rows are gone: a crash in between only
/// repeats the deletion. Does nothing to a job that runs again.
void set_kept(Connection& connection, model::JobId job, JobKept kept);

/// Deletes up to `limit` nodes that left their cluster with a complete job. The job ended before
/// `moment`, and only its row is left. Returns their number. Keeps the node with the cluster's
/// highest nodenum, so that no number is used twice.
int delete_nodes_that_left(Connection& connection, base::Timestamp moment, int limit);

/// Deletes up to `limit` jobs that ended before `moment`, of which only their row is left and to
/// which nothing refers any more. Returns their number. Keeps jobs that count as failed deletions.
int delete_jobs(Connection& connection, base::Timestamp moment, int limit);

/// The cluster that was terminated first before `moment`; nothing if none. `unsatisfiable` selects
/// clusters that were never made because no layout kept all rules; false selects all others.
std::optional<model::ClusterId> oldest_terminated_cluster(Connection& connection,
                                                          bool unsatisfiable,
                                                          base::Timestamp moment);

/// Deletes up to `limit` rows of a terminated cluster: tasks first, then callbacks, then nodes. The
/// last call deletes its jobs, without a limit, and the cluster's row. Returns a number of rows; 0
/// when nothing is left. Usage of its machines stays.
int delete_some_of_cluster(Connection& connection, model::ClusterId cluster, int limit);

/// The functions below delete up to `limit` rows each and return their number.
///
/// Usage spans of machines that ended before `moment` and that the totals include (add_up_spans).
int delete_spans(Connection& connection, base::Timestamp moment, int limit);
/// Callbacks whose delivery ended before `moment`.
int delete_callbacks(Connection& connection, base::Timestamp moment, int limit);
/// Answers stored under idempotency keys before `moment`.
int delete_answers(Connection& connection, base::Timestamp moment, int limit);
/// Forms that were kept or sent before `moment` (forms/form_store.hpp), up to `limit` of each.
int delete_forms(Connection& connection, base::Timestamp moment, int limit);
/// Days before that of `moment` on which output was stored (table output_of_day).
int delete_days_of_output(Connection& connection, base::Timestamp moment, int limit);
/// Logins that expired before `moment`.
int delete_sessions(Connection& connection, base::Timestamp moment, int limit);
/// Daemons without a heartbeat since `moment`.
int delete_daemons(Connection& connection, base::Timestamp moment, int limit);
/// Versions of catalogue entries that were replaced before `moment`. The newest version of a name
/// always stays.
int delete_old_versions(Connection& connection, base::Timestamp moment, int limit);

}  // namespace provisioner::store

namespace provisioner::base {

/// The words of the column job.kept.
template <>
inline constexpr std::array words<store::JobKept>{
    std::pair{store::JobKept::everything, std::string_view("everything")},
    std::pair{store::JobKept::tasks, std::string_view("tasks")},
    std::pair{store::JobKept::itself, std::string_view("itself")},
};

}  // namespace provisioner::base
