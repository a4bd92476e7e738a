#pragma once

#include "fcgi/pages/clusters/jobs/job_page.hpp"
#include "tests/unit/fcgi/pages/clusters/cluster_builder.hpp"

namespace samples {

// Pages of jobs: list, job, timeline and graph.

Json jobs_of_cluster();
Json job_of_cluster(const ClusterPage& page, JobQuery query = {});
Json timeline_of_cluster(const ClusterPage& page, JobQuery query = {});
/// It failed, and three hours later its rest was run.
Json retried_job();
Json graph_of_job(const ClusterPage& page);
/// More kinds of tasks than are drawn.
Json graph_of_many_kinds(const ClusterPage& page);
/// More kinds of tasks than are drawn, of fewer services.
Json graph_of_many_services(const ClusterPage& page);

}  // namespace samples
