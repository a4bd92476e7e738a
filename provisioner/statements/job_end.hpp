#pragma once

#include <array>
#include <string>

/// SQL that ends jobs. The web side runs it when a person aborts a job
/// (store/jobs/job_control.cpp), the engine when the job's last task ends (queue/job_ends.cpp). The
/// two use different client libraries, so they share the text and not the code.
///
/// * The transaction has locked the job's row (FOR UPDATE) before it runs any of them. So of two
///   transactions that end tasks of one job, the second sees all that the first wrote.
/// * A person may abort a job while its last task ends. The second of the two waits for the job's
///   row and finds the job ended; end_job then changes nothing.
/// * Both sides lock the job before its tasks and its cluster. That prevents deadlocks between
///   them, although they lock tasks and cluster in different order. Only the rescue of lost claims
///   locks tasks first (FinishBatch::put_back_lost); the server may then roll one side back.
/// * Values are bound by `?`, the job's id last. The engine appends " AND task.id IN (...)" to some
///   statements, so their WHERE clause ends with the job's id.
/// * Order in the engine: end_waiting_attempts, unqueue_ended_tasks, cancel_waiting_tasks; then
///   select_loose_ends; then end_job, end_cluster, end_nodes, keep_stopped,
///   close_cluster, end_spans_of_cluster.
/// * close_cluster and end_spans_of_cluster also run when a cluster is terminated without the end
///   of a job (store::close_if_terminated).
namespace provisioner::statements {

/// Counters of the job, one row: the base of model::JobTally. Locks the row until the transaction
/// ends. Costs the same for any number of tasks, because each transaction that ends tasks updates
/// the counters.
constexpr auto select_counts = R"sql(
    SELECT operation, tasks_total, tasks_done, tasks_failed, tasks_left, aborted
    FROM job
    WHERE id = ?
    FOR UPDATE
)sql";

/// What else the end of a failed or aborted job depends on; one row. Reads and locks all tasks of
/// the job. A claim does not lock the job's row, so this lock is what orders the two: either the
/// claim is counted here, or the claim finds the task no longer ready. Only for jobs that end
/// badly, because it is linear in their tasks.
///
/// * claimed: tasks a worker holds, and ready ones whose attempt must still be stopped on its node.
/// * uncertain: tasks that began and did not succeed, unless they are creates that certainly made
///   no machine (status codes 200 to 299 of the wire contract). 0 means that nothing was created.
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

/// Removes all tasks of the job from ready_task, so that nobody can claim them. Task states stay.
/// Used to pause a job, and first of all to abort one.
constexpr auto unqueue_tasks = R"sql(
    DELETE ready_task
    FROM ready_task
    JOIN task ON task.id = ready_task.task_id
    WHERE task.job_id = ?
)sql";

/// The same, but tasks with an attempt in progress stay claimable: a worker must still stop their
/// steps. The anti-join counts on end_waiting_attempts having run before. The engine uses it when a
/// task of the job has failed for good or the job was aborted.
constexpr auto unqueue_ended_tasks = R"sql(
    DELETE ready_task
    FROM ready_task
    JOIN task ON task.id = ready_task.task_id
    LEFT JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt AND
                         attempt.status = 'in_progress'
    WHERE attempt.task_id IS NULL AND task.job_id = ?
)sql";

/// Marks attempts of ready tasks as failed: they were to go on at a later claim, which will not
/// come. In an aborted job, attempts of actions on nodes (other than create, confirm and delete)
/// stay in progress. A step of theirs may still run on its node; the next claim stops it.
constexpr auto end_waiting_attempts = R"sql(
    UPDATE attempt
    JOIN task ON task.id = attempt.task_id
    JOIN job ON job.id = task.job_id
    SET attempt.status = 'failed', attempt.finished_at = UTC_TIMESTAMP(6)
    WHERE attempt.status = 'in_progress' AND task.state = 'ready' AND
          NOT (job.aborted AND task.action NOT IN ('create', 'confirm', 'delete')) AND
          task.job_id = ?
)sql";

/// Cancels tasks that are neither claimed nor have an attempt in progress. Run it after
/// end_waiting_attempts: an attempt still in progress protects its task. Tasks a worker holds are
/// not touched; their own reports end them. What is said of the next try (queue/retry.hpp) goes:
/// there will be none. Linear in the tasks of the job unless the engine limits
/// it to some ids.
constexpr auto cancel_waiting_tasks = R"sql(
    UPDATE task
    LEFT JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt AND
                         attempt.status = 'in_progress'
    SET task.state = 'cancelled', task.finished_at = UTC_TIMESTAMP(6),
        task.message = REGEXP_REPLACE(task.message, ' [(]try [0-9]+ of [0-9]+, the next .*$', '')
    WHERE task.state IN ('blocked', 'ready') AND attempt.task_id IS NULL AND task.job_id = ?
)sql";

/// Sets the job's final status (first `?`) and message (second `?`). Changes nothing when the job
/// has ended before: 0 changed rows tell the engine to skip the statements below. Failed tasks that
/// a retry has left out count again from now on.
constexpr auto end_job = R"sql(
    UPDATE job
    SET status = ?, message = ?, finished_at = UTC_TIMESTAMP(6),
        tasks_failed = IF(tasks_left = 0, tasks_failed, (SELECT COUNT(*) FROM task
                                                         WHERE task.job_id = job.id AND
                                                               task.state = 'failed'))
    WHERE status IN ('running', 'paused') AND id = ?
)sql";

/// Whether a node that `job` takes away (node.leaves_job_id) is gone with the end of the job: it is
/// complete, or has deleted the machine before it failed. Nothing is left to do for such a node.
inline const std::string leaves_now = R"sql(
    node.leaves_job_id = job.id AND NOT node.has_left AND
    (job.status = 'complete' OR
     EXISTS (SELECT 1 FROM task
             WHERE task.node_id = node.id AND task.job_id = job.id AND task.action = 'delete' AND
                   task.state = 'done'))
)sql";

/// Sets the cluster's status (first `?`) and message (second `?`), only if the job is its latest.
/// Run it after end_job, because it reads job.status, and before end_nodes: nodes that leave now no
/// longer count in node_count. When the job is complete, the configuration before the present one,
/// which may have passwords that were replaced, is needed no longer.
inline const std::string end_cluster = R"sql(
    UPDATE cluster
    JOIN job ON job.id = cluster.latest_job_id
    SET cluster.status = ?, cluster.message = ?,
        cluster.working_config = IF(job.status = 'complete', NULL, cluster.working_config),
        cluster.node_count = cluster.node_count - (SELECT COUNT(*) FROM node WHERE )sql" +
                                       leaves_now + R"sql()
    WHERE job.id = ?
)sql";

/// Marks the nodes that are gone with the job. Idempotent.
inline const std::string mark_left = R"sql(
    UPDATE job
    STRAIGHT_JOIN node ON node.leaves_job_id = job.id
    SET node.has_left = TRUE
    WHERE )sql" + leaves_now + R"sql( AND job.id = ?
)sql";

/// Marks the nodes that are set up with the job: it is complete, or has done all its tasks there. A
/// job after a failed one has all that is left to do, so its tasks alone tell. Idempotent.
inline const std::string mark_set_up = R"sql(
    UPDATE job
    STRAIGHT_JOIN node ON node.cluster_id = job.cluster_id
    SET node.was_set_up = TRUE
    WHERE NOT node.was_set_up AND NOT node.has_left AND
          (job.status = 'complete' OR
           (SELECT COALESCE(MIN(task.state = 'done'), 0) FROM task FORCE INDEX (task_node)
            WHERE task.node_id = node.id AND task.job_id = job.id)) AND job.id = ?
)sql";

/// In this order: what has left is not set up by a job that deletes.
inline const std::array end_nodes{mark_left.c_str(), mark_set_up.c_str()};

/// Keeps where a job has stopped services (table stopped_service). One of keep_stopped.
constexpr auto note_stopped = R"sql(
    INSERT IGNORE INTO stopped_service (node_id, service)
    SELECT node_id, service
    FROM task
    WHERE action = 'stop' AND state = 'done' AND job_id = ?
)sql";

/// What the job has started again, or removed, is not stopped. From the tasks on: left alone, the
/// server may lock the rows of all clusters.
constexpr auto forget_started = R"sql(
    DELETE stopped_service
    FROM task
    STRAIGHT_JOIN stopped_service ON stopped_service.node_id = task.node_id AND
                                     stopped_service.service = task.service
    WHERE task.action IN ('start', 'remove') AND task.state = 'done' AND task.job_id = ?
)sql";

/// Nor is what was on machines that have left, and services that machines do not have any more.
constexpr auto forget_left = R"sql(
    DELETE stopped_service
    FROM job
    STRAIGHT_JOIN node ON node.cluster_id = job.cluster_id
    STRAIGHT_JOIN stopped_service ON stopped_service.node_id = node.id
    WHERE (node.has_left OR
           NOT JSON_CONTAINS(node.services, JSON_QUOTE(stopped_service.service))) AND job.id = ?
)sql";

/// Counts the services of the cluster that are stopped on at least one machine. One whose start has
/// begun after its last stop and was not done is not stopped, but failed or unknown. `?` is the
/// cluster's latest job.
constexpr auto count_stopped = R"sql(
    UPDATE cluster
    SET services_stopped = (SELECT COUNT(DISTINCT stopped_service.service)
                            FROM node
                            JOIN stopped_service ON stopped_service.node_id = node.id
                            WHERE node.cluster_id = cluster.id AND
                                  NOT EXISTS (SELECT 1
                                              FROM task FORCE INDEX (task_node)
                                              WHERE task.node_id = node.id AND
                                                    task.service = stopped_service.service AND
                                                    task.action = 'start' AND task.attempt > 0 AND
                                                    NOT EXISTS (
                                                        SELECT 1
                                                        FROM task AS stop FORCE INDEX (task_node)
                                                        WHERE stop.node_id = node.id AND
                                                              stop.id > task.id AND
                                                              stop.service = task.service AND
                                                              stop.action = 'stop' AND
                                                              stop.state = 'done')))
    WHERE latest_job_id = ?
)sql";

/// What keeps stopped_service and cluster.services_stopped, in this order. Run them after
/// end_nodes, because one reads node.has_left, for jobs that may_change_stopped()
/// (model/jobs/job_end.hpp). They read the tasks of the job and what is stopped in its cluster,
/// however many jobs there were. `?` of each is the job.
constexpr std::array keep_stopped{note_stopped, forget_started, forget_left, count_stopped};

/// Marks a terminated cluster as ended at this moment and wipes its own secrets and the
/// configuration to go back to: nothing needs them without machines. `?` is the cluster's latest
/// job. Idempotent.
constexpr auto close_cluster = R"sql(
    UPDATE cluster
    SET secrets = '{}', working_config = NULL, ended_at = UTC_TIMESTAMP(6)
    WHERE status = 'terminated' AND ended_at IS NULL AND latest_job_id = ?
)sql";

/// Ends usage records (machine_span) of a terminated cluster that are still open: machines that
/// were given up without a delete task. Delete tasks end their own record when they succeed. `?` is
/// the cluster's latest job.
constexpr auto end_spans_of_cluster = R"sql(
    UPDATE machine_span
    JOIN cluster ON cluster.id = machine_span.cluster_id
    SET machine_span.ended_at = UTC_TIMESTAMP(6)
    WHERE machine_span.ended_at IS NULL AND cluster.status = 'terminated' AND cluster.latest_job_id = ?
)sql";

}  // namespace provisioner::statements
