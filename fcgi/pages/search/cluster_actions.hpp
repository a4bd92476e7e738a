#pragma once

#include <string>
#include <vector>

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"
#include "fcgi/pages/search/search.hpp"

namespace fcgi::pages {

/// How a text can be read as something to do with a cluster: "add machines to shop".
struct AskedOfClusters {
    /// Some words of the text name something to do.
    bool is_any = false;
    /// The words that do not, with blanks between: a part of the cluster's name. May be empty.
    std::string cluster{};
};
/// The reading that leaves the fewest words to the name. Pure.
AskedOfClusters asked_of_clusters(const std::string& text);

/// What may be done with these clusters now and is called like `text` in one of that reading's
/// ways, at most `limit`: the clusters in their order. Of a page only `cluster`, `job` and what the
/// viewer may do are read. Pure.
SearchGroup found_cluster_actions(const std::vector<ClusterPage>& clusters, const std::string& text,
                                  std::size_t limit);

/// The clusters that a text is about which asks for something to do: the one whose page is open
/// first (0: none), then those with the words in their names; without such words the newest ones.
/// Few, with what found_cluster_actions() reads.
std::vector<ClusterPage> clusters_to_act_on(provisioner::store::Connection& connection,
                                            const provisioner::model::Caller& caller,
                                            const std::string& text,
                                            provisioner::model::ClusterId open);

}  // namespace fcgi::pages
