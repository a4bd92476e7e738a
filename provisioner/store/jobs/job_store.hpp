#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/planner/task_graph.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Jobs, their tasks and what tasks printed: enqueueing and reading. Claiming and finishing are in
// ../queue. A task row carries the number of unfinished tasks it waits for, so that the engine
// finds ready tasks without walking the edges. Functions without a Caller do not check who may see
// the cluster.

/// Stores a job and returns its id; `job.id` is ignored. A longer message is cut to its column. The
/// new job continues the count of node changes of the cluster's earlier jobs (ClusterWatch). Lock
/// the cluster first.
model::JobId insert_job(Connection& connection, const model::Job& job);

/// Writes the tasks and edges of `graph`, behind those that the job has, and gives their ids in the
/// order of the graph. Nothing is queued. `nodes` as of enqueue().
std::vector<model::TaskId> insert_tasks(Connection& connection, model::JobId job,
                                        const planner::TaskGraph& graph,
                                        const std::vector<model::NodeId>& nodes);

/// Writes orders (before, after) among stored tasks. Throws for one that is stored.
void insert_edges(Connection& connection,
                  const std::vector<std::pair<model::TaskId, model::TaskId>>& edges);

/// Writes the tasks and edges of `graph` and puts the tasks that wait for nothing into the queue,
/// due at `now`. Workers see them when the transaction commits. `nodes[i]` is the id of the node
/// that TaskKey::node calls `i`. Throws std::logic_error when every task waits for another. O(V +
/// E) rows, 500 in a statement.
void enqueue(Connection& connection, model::JobId job, const planner::TaskGraph& graph,
             const std::vector<model::NodeId>& nodes, base::Timestamp now);

/// The job, whatever its tenant; nothing when there is none.
std::optional<model::Job> find_job(Connection& connection, model::JobId job);

/// The same without `is_finishing`, with its row locked until the transaction ends. Lock a job
/// before its cluster.
std::optional<model::Job> lock_job(Connection& connection, model::JobId job);

/// All jobs of a cluster, newest first; at most 100,000.
std::vector<model::Job> jobs_of(Connection& connection, model::ClusterId cluster);
/// Jobs that have tasks on a node, newest first; at most `most`.
std::vector<model::Job> jobs_on(Connection& connection, model::NodeId node, int most);

/// The tasks of a job, by id; empty when retention has deleted them.
std::vector<model::Task> tasks_of(Connection& connection, model::JobId job);
/// The same with the states that pages show: cancelled tasks whose last attempt failed have failed.
/// Without those that a retry has replaced, here and below.
std::vector<model::Task> shown_tasks_of(Connection& connection, model::JobId job);

/// Those that are tried again, by id: an attempt has failed, and the next one is under way or due.
/// `message` is the reason of the failure, `attempt` the last attempt that began.
std::vector<model::Task> retried_tasks_of(Connection& connection, model::JobId job);

/// Those that pages show as failed, by id.
std::vector<model::Task> failed_tasks_of(Connection& connection, model::JobId job);

/// Those on one node, by id, with the states that pages show.
std::vector<model::Task> tasks_on(Connection& connection, model::JobId job, model::NodeId node);

/// The edges (before, after) among the tasks of a job, by both ids.
std::vector<std::pair<model::TaskId, model::TaskId>> edges_of(Connection& connection,
                                                              model::JobId job);

/// One attempt of a task, as a node's `actions` in the API show it.
struct Attempt {
    model::TaskId task;
    model::JobId job;
    model::NodeId node;
    model::Action action = model::Action::create;
    /// Empty for hardware actions.
    std::string service;
    /// Counts the attempts of the task, from 1.
    int number = 1;
    /// "in_progress", "complete" or "failed".
    std::string status;
    /// The exit code or the provider's status; nothing while it is not known.
    std::optional<int> status_code;
    /// At most the last 2048 characters; empty unless the attempt failed.
    std::string stdout_tail;
    std::string stderr_tail;
    base::Timestamp started_at{};
    /// Nothing while it is in progress.
    std::optional<base::Timestamp> finished_at;
};

/// The attempts on all nodes of a cluster, past nodes included, oldest first; at most the newest
/// 200 of each node.
std::vector<Attempt> attempts_of(Connection& connection, model::ClusterId cluster);

/// The task if it belongs to that cluster; nothing otherwise. The caller checks who may see the
/// cluster.
std::optional<model::Task> find_task(Connection& connection, model::ClusterId cluster,
                                     model::TaskId task);
/// The same with the state that pages show.
std::optional<model::Task> find_shown_task(Connection& connection, model::ClusterId cluster,
                                           model::TaskId task);

/// A piece of a task's output. `stream` is "out", "err" or "note" (text of the engine itself).
struct TranscriptPiece {
    /// Ascends in the order of storing.
    std::int64_t id = 0;
    /// The attempt that printed it.
    int attempt = 1;
    std::string stream;
    /// When it was printed.
    base::Timestamp at{};
    /// The output itself, unpacked.
    std::string body;
    /// Bytes of output between the previous stored piece of the attempt and this one that were not
    /// stored. 0 for notes.
    std::int64_t missing = 0;
};

/// The pieces of a task with an id above `after`, in order, at most `limit`. To follow a task, pass
/// the id of the last piece as `after` again. Empty when nothing more was printed, or when
/// retention has deleted the output.
std::vector<TranscriptPiece> transcript_after(Connection& connection, model::TaskId task,
                                              std::int64_t after, int limit = 500);

/// Size of a piece of a task's output.
struct TranscriptSize {
    std::int64_t id = 0;
    int attempt = 1;
    /// Bytes of its body.
    std::size_t bytes = 0;
};

/// What a task has printed, without the bodies: for who reads the end alone.
struct TranscriptSizes {
    /// Bytes of all pieces.
    std::size_t bytes = 0;
    /// The newest pieces, in order.
    std::vector<TranscriptSize> newest{};
};

/// At most `most` of the newest pieces.
TranscriptSizes transcript_sizes(Connection& connection, model::TaskId task, int most);

}  // namespace provisioner::store
