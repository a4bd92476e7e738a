#pragma once

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

/// The tab Jobs, views/clusters/tabs/jobs: the newest jobs of the cluster.
provisioner::base::Json jobs_json(const ClusterPage& page,
                                  const std::vector<provisioner::model::Job>& jobs);

/// "Asked for by ada"; empty if the origin of the job is not known.
std::string asker_words(const provisioner::model::Asker& asker);

/// One job: what it does, its state, how long it took and how far it is.
provisioner::base::Json job_summary_json(const ClusterPage& page,
                                         const provisioner::model::Job& job);

}  // namespace fcgi::pages
