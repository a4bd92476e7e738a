#pragma once

#include <string>
#include <string_view>

/// The queue's head: who puts a task there says with it which plugins a daemon must have for it.
namespace provisioner::statements {

/// An INSERT of tasks that are ready, to be run from `run_at` on (an expression). `from` is the
/// rest of the statement: what selects from `task`, with `job`, `cluster` and `node` joined. In an
/// aborted job nothing new begins, and any daemon can end what is under way.
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

/// The ready tasks of the job `?`, as the rest of queue_tasks_from().
constexpr auto ready_tasks_of_job = R"sql(
    FROM job
    JOIN cluster ON cluster.id = job.cluster_id
    JOIN task ON task.job_id = job.id
    JOIN node ON node.id = task.node_id
    WHERE job.id = ? AND task.state = 'ready'
)sql";

/// Puts the ready tasks of the job `?` there, due now.
inline const std::string queue_tasks = queue_tasks_from("UTC_TIMESTAMP(6)", ready_tasks_of_job);

}  // namespace provisioner::statements
