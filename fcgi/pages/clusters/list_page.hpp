#pragma once

#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace fcgi::pages {

/// One page of the clusters that the viewer may see: views/clusters/index. Either the terminated
/// clusters or all others.
struct ClustersPage {
    /// Newest first, at most 50.
    std::vector<provisioner::store::ClusterSummary> clusters{};
    /// True: terminated clusters; false: all others.
    bool terminated = false;
    /// False if newer clusters are on an earlier page.
    bool is_first = true;
    /// False if older clusters may follow. A full page counts as not the last one.
    bool is_last = true;
    /// True for administrators, who see the clusters of every user of the tenant.
    bool show_owner = false;
    /// False if the viewer changes nothing: no button to create one.
    bool may_create = true;
    /// The time that "in 5 days" refers to.
    provisioner::base::Timestamp now{};

    /// Whether a job is under way on one of them, so that the browser must reload the page.
    bool changes() const;
};

/// The rows and the summary above them. The summary counts active clusters and machines only if all
/// current clusters are on this page. The link to older clusters carries the id of the last cluster
/// as `before`.
provisioner::base::Json to_json(const ClustersPage& page);

}  // namespace fcgi::pages
