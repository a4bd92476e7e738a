#pragma once

#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/cluster.hpp"

namespace fcgi::pages {

/// What a form that changes the cluster says at its start when the operation would refuse it:
/// {"words", "href", "way"}. Null if the status is one of `allowed`.
provisioner::base::Json blocked_json(const provisioner::model::Cluster& cluster,
                                     const std::vector<provisioner::model::ClusterStatus>& allowed);

}  // namespace fcgi::pages
