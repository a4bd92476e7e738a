#pragma once

#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace fcgi::pages {

/// The most clusters of a user that a page names.
constexpr int clusters_of_person_shown = 20;

/// The clusters of a user that are not terminated.
struct PersonClusters {
    /// At most clusters_of_person_shown.
    std::vector<provisioner::store::ClusterSummary> newest{};
    /// All of them.
    int total = 0;
};

/// Reads with the eyes of the user: administrators see the clusters of others, too.
PersonClusters read_clusters_of(provisioner::store::Connection& connection,
                                const provisioner::model::User& user,
                                const provisioner::model::Tenant& tenant);

/// Members: live_clusters, "3 clusters" or empty; clusters; more_clusters, "and 2 more" or empty.
provisioner::base::Json to_json(const PersonClusters& clusters);

}  // namespace fcgi::pages
