#pragma once

namespace provisioner::statements {

/// Notes that a job has begun or ended, for those who want to be called back, in the transaction
/// that makes it so: the job's and the cluster's state are kept as they are at this moment. A
/// deletion at the end of a lease that was tried before begins in silence, and fails in silence for
/// a reason that was told before, whichever node it is about. `?` is the job's id.
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
      AND NOT (job.asked_by_id IS NULL AND job.asked_by = 'lease'
               AND job.id > COALESCE(cluster.deletions_since, job.id)
               AND (job.status = 'running'
                    OR job.status = 'failed'
                       AND EXISTS (SELECT 1
                                   FROM callback AS told
                                   WHERE told.cluster_id = job.cluster_id
                                     AND told.job_id >= cluster.deletions_since
                                     AND told.event = 'failure'
                                     AND told.state IN ('waiting', 'delivered')
                                     AND REGEXP_REPLACE(told.message, '^delete on [^:]*: | [(]and [0-9]+ more[)]$', '')
                                       = REGEXP_REPLACE(job.message, '^delete on [^:]*: | [(]and [0-9]+ more[)]$', ''))))
)sql";

}  // namespace provisioner::statements
