#pragma once

namespace provisioner::statements {

/// Inserts the callback for the job `?` that has just begun or ended: one row of table callback,
/// state waiting, due at once. The event follows from job.status: complete is success, failed is
/// failure, anything else is start. The row keeps the status of cluster and job at this moment,
/// because the daemon sends it later:
/// * cluster_status, job_status, message: copied from the rows of cluster and job.
/// * attempts 0, next_at the current time: store::take_callbacks finds the row at its next look.
/// * body NULL: the sender writes the text on the first attempt and stores it for repetitions.
///
/// Run it in the transaction that starts or ends the job, after the rows of job and cluster have
/// their new status. The web side runs it through store::note_callback, the engine in
/// JobEnds::end_job. It inserts the row whether or not a URL is configured; callbacks/sender.cpp
/// marks rows without one as unwanted.
///
/// One exception keeps repeated deletions quiet. When a lease ends and the deletion fails, the
/// daemon deletes again and again (model/clusters/failed_deletions.hpp). For every deletion of such
/// a series but the first:
/// * there is no start callback;
/// * there is no failure callback if the series already has one that was not given up, with the
///   same reason. The reason is the message without its node ("delete on <host>: ") and its count
///   (" (and 3 more)").
///
///     job  asked by  end                            start  end
///     7    lease     failed: provider unreachable   sent   sent     cluster.deletions_since = 7
///     8    lease     failed: provider unreachable   -      -
///     9    lease     failed: key refused            -      sent
///     10   ann       complete                       sent   sent
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
                                     AND told.state IN ('waiting', 'delivered', 'unwanted')
                                     AND REGEXP_REPLACE(told.message, '^delete on [^:]*: | [(]and [0-9]+ more[)]$', '')
                                       = REGEXP_REPLACE(job.message, '^delete on [^:]*: | [(]and [0-9]+ more[)]$', ''))))
)sql";

}  // namespace provisioner::statements
