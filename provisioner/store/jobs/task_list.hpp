#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// What the page of a job shows of its tasks: pages, counts and histories, so that a job of 10,000
// tasks is not read whole. None of these functions checks who may see the cluster.

/// A machine that a job works on, with its tasks of that job.
struct JobMachine {
    model::NodeId node;
    int nodenum = 0;
    std::string hostname{};
    int tasks = 0;
    int done = 0;
    int running = 0;
    int failed = 0;
    /// Done, failed and cancelled ones.
    int over = 0;
    /// Those that a retry has replaced: they are in no other count.
    int replaced = 0;
    /// Of the tasks that have begun; nothing before the first one.
    std::optional<base::Timestamp> began{};
    /// The last end of a task that had begun.
    std::optional<base::Timestamp> ended{};
};

/// All of them by number, those that have left the cluster included. Tasks that a retry has
/// replaced are in no count, but in the times.
std::vector<JobMachine> machines_of_job(Connection& connection, model::JobId job);

/// Tasks of one action and service.
struct TaskKind {
    model::Action action = model::Action::create;
    /// Empty for hardware actions.
    std::string service{};

    auto operator<=>(const TaskKind&) const = default;
};

/// How many tasks of a kind are in a state.
struct KindCount {
    TaskKind kind{};
    model::TaskState state = model::TaskState::blocked;
    int tasks = 0;
};

/// The tasks of a job by kind and state, without those that a retry has replaced; kinds in the
/// order of their first task.
std::vector<KindCount> kinds_of_job(Connection& connection, model::JobId job);

/// How many tasks of one kind wait for tasks of another.
struct KindEdge {
    TaskKind before{};
    TaskKind after{};
    int edges = 0;
};

/// The edges among the tasks of a job, counted by kind.
std::vector<KindEdge> kind_edges_of_job(Connection& connection, model::JobId job);

/// What comes first in a list of tasks: what needs a look; what took longest, or has run longest;
/// what began first. What has not begun comes last in the latter two.
enum class TaskOrder { by_need, longest, started };

/// Which tasks of a job are listed. What is empty does not restrict.
struct TaskFilter {
    std::optional<model::TaskState> state{};
    std::optional<model::Action> action{};
    /// An empty name: hardware actions.
    std::optional<std::string> service{};
    /// A part of the name of the machine.
    std::string machine{};
    /// Only tasks with more than one attempt.
    bool is_repeated = false;
    /// Only tasks that a retry has replaced; otherwise none of them.
    bool is_replaced = false;
    TaskOrder order = TaskOrder::by_need;
};

/// A task as lists have it.
struct ListedTask {
    model::Task task{};
    std::string hostname{};
    /// Exit code or the provider's status of the last attempt; nothing while it is not known.
    std::optional<int> status_code{};
};

/// Some of the tasks that the filter lets through, in its order; by need: those that failed, run,
/// wait for another attempt, wait, were done after several attempts, were cancelled, and were done
/// at once; each by id. Sorts all tasks of the job.
std::vector<ListedTask> list_tasks(Connection& connection, model::JobId job,
                                   const TaskFilter& filter, int limit, int offset);

/// Exit code or the provider's status of the last attempt of a task; nothing if it is not known.
std::optional<int> status_code_of(Connection& connection, const model::Task& task);

/// How many tasks it lets through.
int count_listed_tasks(Connection& connection, model::JobId job, const TaskFilter& filter);

/// The tasks of a job on some machines, by id.
std::vector<model::Task> tasks_on_machines(Connection& connection, model::JobId job,
                                           const std::vector<model::NodeId>& nodes);

/// When one attempt of a task ran.
struct AttemptTime {
    model::TaskId task;
    int number = 1;
    /// "in_progress", "complete" or "failed".
    std::string status{};
    base::Timestamp began{};
    std::optional<base::Timestamp> ended{};
};

/// The attempts of some tasks, by task and number.
std::vector<AttemptTime> attempt_times(Connection& connection,
                                       const std::vector<model::TaskId>& tasks);

/// The task of a job that ended last, of those that had begun. Nothing if there is none.
std::optional<model::Task> last_ended_task(Connection& connection, model::JobId job);

/// The task of a job that has run longest of those that run now.
std::optional<model::Task> longest_running_task(Connection& connection, model::JobId job);

/// The way back from a task, in one statement: of the tasks that it waited for the one that ended
/// last, then the same of that one, and so on; at most `most`.
std::vector<model::Task> way_back_from(Connection& connection, model::TaskId task, int most);

/// The tasks of a job that are not over, by id, with nothing but id, node, action, service, state
/// and the begin of the attempt that is under way: those that wait to be tried again have none.
std::vector<model::Task> unfinished_tasks_of(Connection& connection, model::JobId job);

/// The edges (before, after) that lead to tasks that still wait.
std::vector<std::pair<model::TaskId, model::TaskId>> edges_to_waiting(Connection& connection,
                                                                      model::JobId job);

/// A job that has succeeded, on the same cluster or on another one of the tenant with the same
/// template and provider.
struct EarlierRun {
    model::JobId job;
    int tasks = 0;
    /// From its order to its end. Nothing if it is another operation than the job that it is
    /// compared with, or if a person paused, aborted or retried it.
    std::optional<std::chrono::milliseconds> took{};
};

/// Such jobs before `job`, a job of the cluster, at most `limit`: those of its operation first, the
/// newest of them first. Looks at the newest 100 clusters of the tenant and at the cluster itself.
std::vector<EarlierRun> earlier_runs(Connection& connection, const model::Cluster& cluster,
                                     const model::Job& job, int limit);

/// The middle one of how long tasks of a kind took.
struct TypicalTime {
    TaskKind kind{};
    std::chrono::microseconds time{};
    int samples = 0;
};

/// Of the tasks that were done in these jobs, each by its last attempt. About 2,000 tasks of each
/// job are looked at.
std::vector<TypicalTime> typical_times(Connection& connection, const std::vector<EarlierRun>& jobs);

}  // namespace provisioner::store
