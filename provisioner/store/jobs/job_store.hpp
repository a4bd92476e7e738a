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

/// Stores a job; `job.id` is ignored.
model::JobId insert_job(Connection& connection, const model::Job& job);

/// Writes the graph's tasks and edges: those that wait for nothing are ready at `now`, so commit
/// means enqueued. `nodes` are the ids of the nodes that TaskKey::node counts.
void enqueue(Connection& connection, model::JobId job, const planner::TaskGraph& graph,
             const std::vector<model::NodeId>& nodes, base::Timestamp now);

std::optional<model::Job> find_job(Connection& connection, model::JobId job);

/// The same, with its row locked until the transaction ends.
std::optional<model::Job> lock_job(Connection& connection, model::JobId job);

/// All jobs of a cluster, newest first.
std::vector<model::Job> jobs_of(Connection& connection, model::ClusterId cluster);

/// The tasks of a job by id.
std::vector<model::Task> tasks_of(Connection& connection, model::JobId job);

/// The edges (before, after) among the tasks of a job, ordered.
std::vector<std::pair<model::TaskId, model::TaskId>> edges_of(Connection& connection,
                                                              model::JobId job);

/// One run of a task, as a node's `actions` show it.
struct Attempt {
    model::TaskId task;
    model::JobId job;
    model::NodeId node;
    model::Action action = model::Action::create;
    std::string service;
    int number = 1;
    /// "in_progress", "complete" or "failed".
    std::string status;
    std::optional<int> status_code;
    std::string stdout_tail;
    std::string stderr_tail;
    base::Timestamp started_at{};
    std::optional<base::Timestamp> finished_at;
};

/// The attempts on all nodes of a cluster, oldest first; at most the newest 200 of each node.
std::vector<Attempt> attempts_of(Connection& connection, model::ClusterId cluster);

/// The task if it belongs to that cluster.
std::optional<model::Task> find_task(Connection& connection, model::ClusterId cluster,
                                     model::TaskId task);

/// A piece of what a task printed. `stream` is "out", "err" or "note" (our own words).
struct TranscriptPiece {
    std::int64_t id = 0;
    int attempt = 1;
    std::string stream;
    base::Timestamp at{};
    std::string body;
    /// How much was printed between the piece before that is kept and this one, and is not kept.
    std::int64_t missing = 0;
};

/// The pieces of a task with an id above `after`, in order, at most `limit`.
std::vector<TranscriptPiece> transcript_after(Connection& connection, model::TaskId task,
                                              std::int64_t after, int limit = 500);

}  // namespace provisioner::store
