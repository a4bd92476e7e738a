#pragma once

#include <string>
#include <string_view>

/// SQL that makes tasks claimable: the queue's head, table ready_task. A row there lists the
/// plugins that a daemon needs for the task (`needs`), so that a daemon claims only what it can
/// perform. Both sides of the queue insert rows: the web side enqueues and resumes jobs, the engine
/// releases followers and puts tasks back.
///
/// A claim locks due rows with SKIP LOCKED, marks their tasks as claimed and deletes the rows, in
/// one transaction (queue/tenant_shares.cpp). So a row can be claimed once only, and daemons do not
/// wait for each other. The table stays small, whatever the number of finished tasks.
namespace provisioner::statements {

/// An INSERT of ready tasks, as text for either client library; its own `?` are those of `run_at`,
/// then of `from`. `run_at` is an SQL expression for the time they become due, by the database's
/// clock. `from` is the rest of the SELECT, from FROM on; it must join `task`, `job`, `cluster` and
/// `node` under these names.
///
/// * The caller selects tasks that are ready when the transaction commits. It leaves out tasks of a
///   paused job: they return when the job is resumed.
/// * A task that is there already makes the INSERT fail with a duplicate key.
///
/// The column `needs` is a JSON array; a daemon claims the task if it offers all elements:
///
///     ["provider aws"]       create, confirm, delete: the plugin of the cluster's provider
///     ["chef-solo","shell"]  other actions: the automators of the node
///     []                     any action of an aborted job: only running steps are stopped
inline std::string queue_tasks_from(std::string_view run_at, std::string_view from) {
    return "INSERT INTO ready_task (task_id, tenant_id, run_at, needs) "
           "SELECT task.id, cluster.tenant_id, " +
           std::string(run_at) +
           ", CASE WHEN job.aborted THEN '[]' "
           "WHEN task.action IN ('create', 'confirm', 'delete') "
           "THEN JSON_ARRAY(CONCAT('provider ', COALESCE(cluster.provider_type, ''))) "
           "ELSE node.automators END " +
           std::string(from);
}

/// The ready tasks of the job `?`, as `from` of queue_tasks_from().
constexpr auto ready_tasks_of_job = R"sql(
    FROM job
    JOIN cluster ON cluster.id = job.cluster_id
    JOIN task ON task.job_id = job.id
    JOIN node ON node.id = task.node_id
    WHERE job.id = ? AND task.state = 'ready'
)sql";

/// Makes the ready tasks of the job `?` claimable at once: run_at is the current time of the
/// database. Used to resume, abort and retry jobs. Built during static initialisation, so nothing
/// may use it before main().
inline const std::string queue_tasks = queue_tasks_from("UTC_TIMESTAMP(6)", ready_tasks_of_job);

}  // namespace provisioner::statements
