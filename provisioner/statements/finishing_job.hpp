#pragma once

namespace provisioner::statements {

/// Whether the row of `job` takes machines away from a cluster whose job before had failed, so that
/// it does what that one has left, too (operations/changes/unfinished.hpp). Costs a look into an
/// index, for jobs that take machines away only.
inline constexpr auto is_finishing_job = R"sql(
    (job.operation = 'cluster_shrink' AND
     COALESCE((SELECT earlier.status = 'failed'
               FROM job AS earlier FORCE INDEX (job_cluster)
               WHERE earlier.cluster_id = job.cluster_id AND earlier.id < job.id
               ORDER BY earlier.id DESC LIMIT 1), FALSE))
)sql";

}  // namespace provisioner::statements
