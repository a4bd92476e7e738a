#pragma once

namespace provisioner::statements {

/// Notes that a job has begun or ended, for those who want to be called back, in the transaction
/// that makes it so: the job's and the cluster's state are kept as they are at this moment. `?` is
/// the job's id.
constexpr auto note_callback = R"sql(
    INSERT INTO callback (cluster_id, job_id, event, cluster_status, job_status, message, state,
                          attempts, next_at, error, created_at)
    SELECT job.cluster_id, job.id,
           CASE job.status WHEN 'complete' THEN 'success' WHEN 'failed' THEN 'failure'
                           ELSE 'start' END,
           cluster.status, job.status, job.message, 'waiting', 0, UTC_TIMESTAMP(6), '',
           UTC_TIMESTAMP(6)
    FROM job
    JOIN cluster ON cluster.id = job.cluster_id
    WHERE job.id = ?
)sql";

}  // namespace provisioner::statements
