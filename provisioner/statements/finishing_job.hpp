#pragma once

namespace provisioner::statements {

/// Whether the row of `job` takes machines away from a cluster whose job before had failed, so that
/// it does what that one has left, too (operations/changes/unfinished.hpp). A job without tasks has
/// left nothing: an addition of services for which there is no place. Costs a look into an
/// index, for jobs that take machines away only.
inline constexpr auto is_finishing_job = R"sql(
    (job.operation = 'cluster_shrink' AND
     COALESCE((SELECT earlier.status = 'failed' AND earlier.tasks_total > 0
               FROM job AS earlier FORCE INDEX (job_cluster)
               WHERE earlier.cluster_id = job.cluster_id AND earlier.id < job.id
               ORDER BY earlier.id DESC LIMIT 1), FALSE))
)sql";

}  // namespace provisioner::statements
