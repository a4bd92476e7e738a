#pragma once

#include "provisioner/model/action.hpp"
#include "provisioner/model/clusters/node.hpp"

namespace provisioner::model {

/// State of a job. Only complete and failed are ends; a retry makes a failed job run again.
///
///     running <-> paused
///     running, paused -> complete | failed
///     failed -> running
enum class JobStatus {
    /// Never stored by us: the API shows it for a cluster without a job.
    not_submitted,
    /// Tasks are claimed as they become ready.
    running,
    /// All tasks are done.
    complete,
    /// A task failed for good, or a person aborted the job or gave up its cluster.
    failed,
    /// No task is claimed until a person resumes the job. Attempts under way go on.
    paused
};

/// State of a task:
///
///     blocked -> ready <-> claimed -> done | failed
///     blocked, ready -> cancelled
///
/// A claimed task returns to ready when its attempt waits, is retried, or its worker is lost. A
/// failed confirm returns to blocked: two new tasks first delete and create its machine. A retry of
/// the job makes failed and cancelled tasks blocked or ready again.
///
/// A worker's report counts only while the task is claimed with the fence of that claim. So a
/// worker that lost its claim cannot change the task.
enum class TaskState {
    /// Waits for other tasks (task.waits_for > 0).
    blocked,
    /// May be claimed once it is due.
    ready,
    /// A worker has it until task.claimed_until.
    claimed,
    /// Succeeded; counted down in the tasks that wait for it.
    done,
    /// Its last attempt failed. Tasks that wait for it never run.
    failed,
    /// Not run because the job failed or was aborted.
    cancelled
};

/// Who started a job; kept for audit.
struct Asker {
    /// Key of the user; 0: no user did, or the user was deleted since.
    UserId user{};
    /// The user's name. Without a user: what started it (asked_by_lease, asked_by_lost_machine);
    /// empty when that is not known.
    std::string name{};
    /// Id of the request, as the web's log has it; empty when no request asked.
    std::string request{};

    bool operator==(const Asker&) const = default;
};

/// Asker name of deletions that the daemon starts at the end of a lease. note_callback in
/// statements/callback.hpp compares with the same text.
constexpr auto asked_by_lease = "lease";

/// Asker name of replacements that the daemon starts for lost machines
/// (model/machines/lost_machine.hpp).
constexpr auto asked_by_lost_machine = "lost machine";

/// One operation under way on one cluster: a row of table job. A cluster has at most one job that
/// has not ended. Counters change in the same transaction as the tasks, so readers need not count.
struct Job {
    /// 0 before it is stored. A later job has a higher id.
    JobId id;
    ClusterId cluster;
    Operation operation = Operation::cluster_create;
    /// Other code changes it only under the lock of the job's row.
    JobStatus status = JobStatus::running;
    /// Why it failed, or "Paused by user." and similar; may be empty.
    std::string message;
    /// By the clock of the web process or daemon that started it.
    base::Timestamp created_at{};
    /// By the database's clock; by the web process's clock for jobs that are stored as ended. Set
    /// exactly when the job is complete or failed.
    std::optional<base::Timestamp> finished_at;
    /// May grow: a machine that does not come up is deleted and created again by two new tasks.
    /// Without tasks that a retry has replaced, here and below.
    int tasks_total = 0;
    /// Tasks that succeeded.
    int tasks_done = 0;
    /// A person ended it. It still runs until workers have given back their tasks.
    bool aborted = false;
    /// Of the latest retry, if there was one.
    Asker asked_by{};
    /// Whether it takes machines away after a job that failed, and finishes the work of that one.
    /// False of a job that was read by its lock.
    bool is_finishing = false;
    /// Services that it removes after a job that failed, so that the rest of that one goes on;
    /// empty for every other job.
    std::vector<std::string> without{};
    /// Whether an earlier job had removed them, as far as the cluster's services go, and this one
    /// only leaves what is installed as it is.
    bool leaves_as_is = false;
    /// Whether it removes no machine and only keeps those that an earlier job was taking away.
    bool only_keeps = false;
    /// Whether it applies the last configuration that worked again, after one that has not.
    bool goes_back = false;
};

/// One action on one node, for one service: a row of table task. The unit that a worker claims.
struct Task {
    /// Unique in the installation. Tasks of one job ascend in the order of its plan; those that a
    /// retry with another configuration has added come last.
    TaskId id;
    JobId job;
    /// May be a node that the job removes.
    NodeId node;
    Action action = Action::create;
    /// Empty for hardware actions (is_hardware_action).
    std::string service;
    TaskState state = TaskState::blocked;
    /// Attempts begun so far. Waiting does not begin a new one; a retry of the job goes on
    /// counting.
    int attempt = 0;
    /// Why it failed, or what it waits for; empty otherwise.
    std::string message;
    /// First claim, by the database's clock; of a retry of the job, if there was one.
    std::optional<base::Timestamp> started_at;
    /// When it was done, failed or cancelled.
    std::optional<base::Timestamp> finished_at;
    /// Attempts before a person asked to try again: what they said is of an earlier run.
    int attempts_before = 0;
    /// The last attempt, if it was not the only one or waits for another turn; nothing else.
    std::optional<base::Timestamp> attempt_began{};
    std::optional<base::Timestamp> attempt_ended{};

    /// Whether a retry with another configuration has put a later task of the job in its place
    /// (statements/shown_state.hpp): it counts no more, and only its attempts tell anything.
    bool is_replaced() const { return attempts_before > attempt; }
};

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of job.status and of "actionstatus" in the API.
template <>
inline constexpr std::array words<model::JobStatus>{
    std::pair{model::JobStatus::not_submitted, std::string_view("not_submitted")},
    std::pair{model::JobStatus::running, std::string_view("running")},
    std::pair{model::JobStatus::complete, std::string_view("complete")},
    std::pair{model::JobStatus::failed, std::string_view("failed")},
    std::pair{model::JobStatus::paused, std::string_view("paused")}};

/// Words of task.state. Pages and API show other words (fcgi/pages/progress.cpp).
template <>
inline constexpr std::array words<model::TaskState>{
    std::pair{model::TaskState::blocked, std::string_view("blocked")},
    std::pair{model::TaskState::ready, std::string_view("ready")},
    std::pair{model::TaskState::claimed, std::string_view("claimed")},
    std::pair{model::TaskState::done, std::string_view("done")},
    std::pair{model::TaskState::failed, std::string_view("failed")},
    std::pair{model::TaskState::cancelled, std::string_view("cancelled")}};

}  // namespace provisioner::base
