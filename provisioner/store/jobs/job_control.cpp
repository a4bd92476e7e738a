#include "provisioner/store/jobs/job_control.hpp"

#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/statements/job_end.hpp"
#include "provisioner/statements/ready_task.hpp"
#include "provisioner/statements/shown_state.hpp"
#include "provisioner/store/clusters/cluster_rows.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/deletion_store.hpp"
#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/jobs/callback_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::store {

namespace {

// Waits for workers that claim tasks of the job, or put them back, at this moment.
constexpr auto lock_tasks = R"sql(
    SELECT id FROM task WHERE job_id = ? ORDER BY id LIMIT 10000000 FOR UPDATE
)sql";

constexpr auto set_paused = R"sql(
    UPDATE job SET status = 'paused', message = 'Paused by user.' WHERE id = ?
)sql";

// The cluster's provider fields may have changed with it: workers read the cluster again.
constexpr auto set_resumed = R"sql(
    UPDATE job
    SET status = 'running', message = 'Resumed by user.', node_changes = node_changes + 1
    WHERE id = ?
)sql";

constexpr auto select_latest_job = R"sql(
    SELECT COALESCE(latest_job_id, 0) AS latest_job
    FROM cluster
    WHERE id = ? AND tenant_id = ? AND ? IN (0, owner_id)
)sql";

constexpr auto set_aborted = R"sql(
    UPDATE job SET aborted = TRUE, status = 'running', message = ? WHERE id = ?
)sql";

constexpr auto run_again = R"sql(
    UPDATE job
    SET status = 'running', message = '', finished_at = NULL, tasks_failed = 0, tasks_left = 0,
        aborted = FALSE, kept = 'everything', end_recorded = FALSE, node_changes = node_changes + 1,
        asked_by_id = NULLIF(?, 0), asked_by = ?, request = ?
    WHERE id = ?
)sql";

// The time between the end and the retry is no work: a task begins anew.
constexpr auto forgive_tasks = R"sql(
    UPDATE task
    SET state = 'blocked', attempts_offset = attempt, message = '', started_at = NULL,
        finished_at = NULL
    WHERE state IN ('failed', 'cancelled') AND job_id = ?
)sql";

// Of an ended job, after some of its tasks have been forgiven.
constexpr auto count_left = R"sql(
    UPDATE job
    SET tasks_left = (SELECT COUNT(*) FROM task
                      WHERE task.job_id = job.id AND task.state IN ('failed', 'cancelled'))
    WHERE id = ?
)sql";

const std::string count_tasks_of_job = std::string(R"sql(
    UPDATE job
    SET tasks_total = (SELECT COUNT(*) FROM task WHERE task.job_id = job.id AND NOT)sql") +
                                       statements::is_replaced + R"sql(),
        tasks_done = (SELECT COUNT(*) FROM task
                      WHERE task.job_id = job.id AND task.state = 'done' AND NOT)sql" +
                                       statements::is_replaced + R"sql()
    WHERE id = ?
)sql";

// Done, so that nothing waits for them; times and attempts stay as they were.
constexpr auto replace_tasks = R"sql(
    UPDATE task
    SET state = 'done', attempts_offset = attempt + 1,
        finished_at = COALESCE(finished_at, UTC_TIMESTAMP(6))
    WHERE job_id = ?
)sql";

constexpr auto count_predecessors = R"sql(
    UPDATE task
    LEFT JOIN (SELECT task_edge.after_id, COUNT(*) AS unfinished
               FROM task AS before_task
               JOIN task_edge ON task_edge.before_id = before_task.id
               WHERE before_task.job_id = ? AND before_task.state <> 'done'
               GROUP BY task_edge.after_id) AS counted ON counted.after_id = task.id
    SET task.waits_for = COALESCE(counted.unfinished, 0)
    WHERE task.state = 'blocked' AND task.job_id = ?
)sql";

constexpr auto release_tasks = R"sql(
    UPDATE task SET state = 'ready' WHERE state = 'blocked' AND waits_for = 0 AND job_id = ?
)sql";

void execute_for_job(Connection& connection, const char* statement, model::JobId job) {
    connection.sql(statement) << job.value << exec;
}

void lock_tasks_of(Connection& connection, model::JobId job) {
    Rows locked = connection.sql(lock_tasks) << job.value;
    while (locked.next()) continue;
}

/// Waits for claims that are under way, then takes the remaining tasks out of the queue. Tasks
/// claimed by then stay claimed. The others stay ready, but no worker sees them until they are
/// queued again.
void take_out_of_queue(Connection& connection, model::JobId job) {
    lock_tasks_of(connection, job);
    execute_for_job(connection, statements::unqueue_tasks, job);
}

model::JobTally tally_of(Connection& connection, model::JobId job) {
    Rows counts = connection.sql(statements::select_counts) << job.value << one_row;
    model::JobTally tally{
        .operation = base::stored_word<model::Operation>(counts.get<std::string>("operation")),
        .total = counts.get<int>("tasks_total"),
        .done = counts.get<int>("tasks_done"),
        .failed = counts.get<int>("tasks_failed"),
        .left = counts.get<int>("tasks_left"),
        .aborted = counts.get<int>("aborted") != 0,
    };
    Rows ends = connection.sql(statements::select_loose_ends) << job.value << one_row;
    tally.claimed = ends.get<int>("claimed");
    tally.only_refused_creates = ends.get<int>("uncertain") == 0;
    return tally;
}

/// The caller has locked the job. Job, cluster, usage and callback change together, with the same
/// statements that the engine uses. So the side that sees the last task end ends the job, once.
void end_if_over(Connection& connection, model::JobId job) {
    const model::JobTally tally = tally_of(connection, job);
    const model::JobEnd end = model::end_of(tally);
    if (end.job == model::JobStatus::running) return;
    const std::string message = model::message_of_end(tally, end);
    const std::string job_status = base::to_word(end.job);
    const std::string cluster_status = base::to_word(end.cluster);
    connection.sql(statements::end_job) << job_status << message << job.value << exec;
    connection.sql(statements::end_cluster) << cluster_status << message << job.value << exec;
    for (const char* statement : statements::end_nodes) execute_for_job(connection, statement, job);
    if (model::may_change_stopped(tally.operation)) {
        for (const char* statement : statements::keep_stopped) {
            execute_for_job(connection, statement, job);
        }
    }
    close_if_terminated(connection, job);
    note_callback(connection, job);
}

std::optional<model::JobId> latest_job_of(Connection& connection, const model::Caller& caller,
                                          model::ClusterId cluster) {
    Rows row = connection.sql(select_latest_job)
               << cluster.value << caller.tenant.id.value << owner_filter_of_change(caller);
    if (!row.next()) return std::nullopt;
    return model::JobId{row.get<long long>("latest_job")};
}

}  // namespace

/// The latest job is read without a lock, because its lock comes before the cluster's. A new job
/// may start before the cluster is locked. Then the new job is locked after the cluster, against
/// the order. A deadlock with the engine is possible in that rare case, and Database runs the
/// transaction again.
std::optional<HeldCluster> hold_cluster(Connection& connection, const model::Caller& caller,
                                        model::ClusterId id) {
    const auto seen = latest_job_of(connection, caller, id);
    if (!seen) return std::nullopt;
    auto job = lock_job(connection, *seen);
    auto cluster = lock_outline(connection, caller, id);
    if (!cluster) return std::nullopt;
    if (cluster->latest_job != *seen) job = lock_job(connection, cluster->latest_job);
    if (!job) throw std::logic_error("a cluster without a job");
    return HeldCluster{.cluster = *std::move(cluster), .job = *std::move(job)};
}

void pause_job(Connection& connection, model::JobId job) {
    execute_for_job(connection, set_paused, job);
    take_out_of_queue(connection, job);
}

void resume_job(Connection& connection, model::JobId job) {
    execute_for_job(connection, set_resumed, job);
    lock_tasks_of(connection, job);
    execute_for_job(connection, statements::queue_tasks.c_str(), job);
}

void abort_job(Connection& connection, model::JobId job) {
    connection.sql(set_aborted) << model::aborted_message << job.value << exec;
    take_out_of_queue(connection, job);
    execute_for_job(connection, statements::end_waiting_attempts, job);
    execute_for_job(connection, statements::cancel_waiting_tasks, job);
    // Tasks whose attempt may have a step under way on its node, without a worker that follows it.
    // The next worker stops that step.
    execute_for_job(connection, statements::queue_tasks.c_str(), job);
    end_if_over(connection, job);
}

void end_job_at_once(Connection& connection, model::JobId job) {
    abort_job(connection, job);
    connection.sql(statements::end_job)
        << base::to_word(model::JobStatus::failed) << model::aborted_message << job.value << exec;
}

namespace {

constexpr std::size_t tasks_in_statement = 1000;

/// Runs a statement of a job's tasks, which ends with a condition, for some of them.
void execute_for_tasks(Connection& connection, const char* statement, model::JobId job,
                       const std::vector<model::TaskId>& tasks) {
    for (std::size_t at = 0; at < tasks.size(); at += tasks_in_statement) {
        std::string ids;
        for (std::size_t i = at; i < std::min(tasks.size(), at + tasks_in_statement); ++i) {
            ids += (ids.empty() ? "" : ", ") + std::to_string(tasks[i].value);
        }
        const std::string some = std::string(statement) + " AND id IN (" + ids + ")";
        execute_for_job(connection, some.c_str(), job);
    }
}

/// The job runs again, once those of its tasks that are to run are blocked.
void run_forgiven(Connection& connection, const HeldCluster& held, const model::Asker& asker) {
    const model::JobId job = held.job.id;
    connection.sql(run_again) << asker.user.value << asker.name << asker.request << job.value
                              << exec;
    execute_for_job(connection, count_left, job);
    connection.sql(count_predecessors) << job.value << job.value << exec;
    execute_for_job(connection, release_tasks, job);
    execute_for_job(connection, statements::queue_tasks.c_str(), job);
    model::Cluster cluster = held.cluster;
    cluster.status = model::ClusterStatus::pending;
    cluster.message.clear();
    update_cluster(connection, cluster);
    if (held.job.operation == model::Operation::cluster_delete) {
        note_deletion(connection, cluster.id, job, false);
    }
    note_callback(connection, job);
}

}  // namespace

void retry_job(Connection& connection, const HeldCluster& held, const model::Asker& asker) {
    execute_for_job(connection, forgive_tasks, held.job.id);
    run_forgiven(connection, held, asker);
}

void retry_job_after(Connection& connection, const HeldCluster& held, const model::Asker& asker,
                     const NewTasks& first) {
    const auto ids = insert_tasks(connection, held.job.id, first.graph, first.nodes);
    auto edges = first.relayed;
    for (const auto& [before, after] : first.orders) edges.emplace_back(ids.at(before), after);
    insert_edges(connection, edges);
    execute_for_tasks(connection, replace_tasks, held.job.id, first.replaced);
    execute_for_job(connection, count_tasks_of_job.c_str(), held.job.id);
    retry_job(connection, held, asker);
}

void retry_tasks(Connection& connection, const HeldCluster& held, const model::Asker& asker,
                 const std::vector<model::TaskId>& tasks) {
    execute_for_tasks(connection, forgive_tasks, held.job.id, tasks);
    run_forgiven(connection, held, asker);
}

}  // namespace provisioner::store
