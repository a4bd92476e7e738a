#pragma once

#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace fcgi::pages {

/// The clusters somebody may see: views/clusters/index.
struct ClustersPage {
    /// Newest first.
    std::vector<provisioner::store::ClusterSummary> clusters{};
    /// The terminated ones instead of those that live.
    bool terminated = false;
    /// Whether there are no newer and no older ones.
    bool is_first = true;
    bool is_last = true;
    /// Whether the owner matters: administrators see everybody's.
    bool show_owner = false;
    provisioner::base::Timestamp now{};

    /// Whether one of them is being worked on.
    bool changes() const;
};

provisioner::base::Json to_json(const ClustersPage& page);

}  // namespace fcgi::pages
