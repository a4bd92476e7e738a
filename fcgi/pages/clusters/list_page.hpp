#pragma once

#include <optional>
#include <vector>

#include "fcgi/pages/filter_links.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/overview/home_store.hpp"

namespace fcgi::pages {

/// A choice of clusters: a word of the query of /clusters, and the states that it stands for.
struct ClusterChoice {
    /// Empty for the clusters that are not terminated.
    std::string word{};
    std::vector<provisioner::model::ClusterStatus> statuses{};
    /// Only those of them that have stopped services.
    bool only_stopped = false;
};
/// In the order of the links above the list; the first one holds without a word.
const std::vector<ClusterChoice>& cluster_choices();
/// The choice of that word; the first one for another word.
const ClusterChoice& cluster_choice(const std::string& word);
/// How many of the counted clusters a choice has; nothing for terminated ones, which are not
/// counted.
std::optional<int> count_of_choice(const provisioner::store::ClusterCounts& counts,
                                   const std::string& word);

/// One page of the clusters that the viewer may see: views/clusters/index.
struct ClustersPage {
    /// In the order of the page, at most 50.
    std::vector<provisioner::store::ClusterSummary> clusters{};
    /// The word of their choice.
    std::string choice{};
    /// The text that they were searched for; empty for none.
    std::string text{};
    /// A word of list_order(); empty: the newest first.
    std::string order{};
    /// The names of the template and the provider that they all have; empty: any.
    std::string cluster_template{};
    std::string provider{};
    /// How many clusters the choice has on all pages; nothing where that is not counted.
    std::optional<int> total{};
    /// Which part of the list this is; nothing where it is too long for its pages to have numbers,
    /// which go on at a cluster then.
    std::optional<Portion> portion{};
    /// Whether terminated clusters have the text that no cluster of this list has.
    bool is_among_terminated = false;
    /// Whether an ordered list leaves out older clusters than it can order.
    bool is_cut = false;
    /// False if newer clusters are on an earlier page.
    bool is_first = true;
    /// False if older clusters may follow. A full page counts as not the last one.
    bool is_last = true;
    /// How far a text was looked for on a page that is not full; nothing if that was in all
    /// clusters.
    struct Searched {
        int clusters = 0;
        /// "Older" goes on below it.
        provisioner::model::ClusterId oldest{};
    };
    std::optional<Searched> searched{};
    /// True for superadmins: they may see the clusters of all tenants.
    bool may_see_all = false;
    /// True if the clusters are those of all tenants.
    bool is_of_all = false;
    /// The tenant of the viewer.
    std::string tenant{};
    /// True for administrators, who see the clusters of every user of the tenant.
    bool show_owner = false;
    /// False if the viewer changes nothing: no button to create one.
    bool may_create = true;
    /// The time that "in 5 days" refers to.
    provisioner::base::Timestamp now{};

    bool is_narrowed() const { return !cluster_template.empty() || !provider.empty(); }

    /// Whether a job is under way on one of them, so that the browser must reload the page.
    bool changes() const;
};

/// The rows and the summary above them. The summary counts active clusters and machines only if all
/// current clusters are on this page. The link to older clusters carries the id of the last cluster
/// as `before`.
provisioner::base::Json to_json(const ClustersPage& page);

}  // namespace fcgi::pages
