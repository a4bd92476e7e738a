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

/// What a form that changes the cluster says at its start when the operation would refuse it:
/// {"words", "href", "way"}. Null if the status is one of `allowed`.
provisioner::base::Json blocked_json(const provisioner::model::Cluster& cluster,
                                     const std::optional<provisioner::model::Job>& job,
                                     const std::vector<provisioner::model::ClusterStatus>& allowed);

}  // namespace fcgi::pages
