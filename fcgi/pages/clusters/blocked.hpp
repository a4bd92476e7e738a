#pragma once

#include <optional>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/jobs/job.hpp"

namespace fcgi::pages {

/// Whether `job`, the latest of the cluster, should have made it and failed by itself: a retry
/// makes it with the same values.
bool is_failed_creation(const provisioner::model::Cluster& cluster,
                        const std::optional<provisioner::model::Job>& job);

/// Whether the cluster is not made because its creation failed or was aborted: it can be retried
/// with another configuration (operations::retry_creation).
bool is_repairable_creation(const provisioner::model::Cluster& cluster,
                            const std::optional<provisioner::model::Job>& job);

/// What a page says where the cluster cannot be changed, and what can be done first: {"words",
/// "ways": [{"href", "label"}]}. Null if the status is one of `allowed`.
/// `has_wrong_configuration`: store::has_wrong_configuration() of the job.
provisioner::base::Json blocked_json(const provisioner::model::Cluster& cluster,
                                     const std::optional<provisioner::model::Job>& job,
                                     const std::vector<provisioner::model::ClusterStatus>& allowed,
                                     bool has_wrong_configuration = false);

}  // namespace fcgi::pages
