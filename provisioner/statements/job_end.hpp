#pragma once

/// SQL that both sides of the queue run, in a transaction that has locked the job's row: the desk
/// when a person ends a job, the engine when its tasks do. Values go in by `?`, the job's id last.
namespace provisioner::statements {

/// What a job's end depends on, one row: operation, tasks_total, tasks_done, tasks_failed, aborted.
constexpr auto select_counts = R"sql(
    SELECT operation, tasks_total, tasks_done, tasks_failed, aborted
    FROM job
    WHERE id = ?
    FOR UPDATE
)sql";

/// What only matters to a job that ends badly, one row: how many tasks a worker has or is still to
/// have a last turn at (claimed), and of how many that ended badly it is not certain that no
/// machine was made (uncertain).
constexpr auto select_loose_ends = R"sql(
    SELECT COALESCE(SUM(task.state IN ('claimed', 'ready')), 0) AS claimed,
           COALESCE(SUM(task.state IN ('failed', 'cancelled') AND task.attempt > 0 AND
                        NOT (task.action = 'create' AND
                             COALESCE(attempt.status_code, 0) BETWEEN 200 AND 299)), 0) AS uncertain
    FROM task
    LEFT JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt
    WHERE task.job_id = ?
    FOR UPDATE
)sql";

/// Takes the job's tasks out of the queue's head: nobody claims them.
constexpr auto unqueue_tasks = R"sql(
    DELETE ready_task
    FROM ready_task
    JOIN task ON task.id = ready_task.task_id
    WHERE task.job_id = ?
)sql";

/// The same without tasks whose attempt is under way.
constexpr auto unqueue_ended_tasks = R"sql(
    DELETE ready_task
    FROM ready_task
    JOIN task ON task.id = ready_task.task_id
    LEFT JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt AND
                         attempt.status = 'in_progress'
    WHERE attempt.task_id IS NULL AND task.job_id = ?
)sql";

/// Ends the attempts of tasks that wait for their next turn. In an aborted job those go on that may
/// have a step under way on their node: whoever has the next turn stops it.
constexpr auto end_waiting_attempts = R"sql(
    UPDATE attempt
    JOIN task ON task.id = attempt.task_id
    JOIN job ON job.id = task.job_id
    SET attempt.status = 'failed', attempt.finished_at = UTC_TIMESTAMP(6)
    WHERE attempt.status = 'in_progress' AND task.state = 'ready' AND
          NOT (job.aborted AND task.action NOT IN ('create', 'confirm', 'delete')) AND
          task.job_id = ?
)sql";

/// Cancels what nobody has claimed and has no attempt under way.
constexpr auto cancel_waiting_tasks = R"sql(
    UPDATE task
    LEFT JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt AND
                         attempt.status = 'in_progress'
    SET task.state = 'cancelled', task.finished_at = UTC_TIMESTAMP(6)
    WHERE task.state IN ('blocked', 'ready') AND attempt.task_id IS NULL AND task.job_id = ?
)sql";

/// Ends the job: its status, its message. Nothing happens to one that has ended.
constexpr auto end_job = R"sql(
    UPDATE job
    SET status = ?, message = ?, finished_at = UTC_TIMESTAMP(6)
    WHERE status IN ('running', 'paused') AND id = ?
)sql";

/// The cluster's new status and message; it follows only its latest job. Nodes that left with one
/// that is complete are counted no longer.
constexpr auto end_cluster = R"sql(
    UPDATE cluster
    JOIN job ON job.id = cluster.latest_job_id
    SET cluster.status = ?, cluster.message = ?,
        cluster.node_count = cluster.node_count - IF(job.status = 'complete',
            (SELECT COUNT(*) FROM node WHERE node.leaves_job_id = job.id), 0)
    WHERE job.id = ?
)sql";

/// A cluster whose machines are gone: since when, and it needs its secrets no longer.
constexpr auto close_cluster = R"sql(
    UPDATE cluster
    SET secrets = '{}', ended_at = UTC_TIMESTAMP(6)
    WHERE status = 'terminated' AND ended_at IS NULL AND latest_job_id = ?
)sql";

/// Ends the usage of the machines of a terminated cluster that nobody has deleted.
constexpr auto end_spans_of_cluster = R"sql(
    UPDATE machine_span
    JOIN cluster ON cluster.id = machine_span.cluster_id
    SET machine_span.ended_at = UTC_TIMESTAMP(6)
    WHERE machine_span.ended_at IS NULL AND cluster.status = 'terminated' AND cluster.latest_job_id = ?
)sql";

}  // namespace provisioner::statements
