#pragma once

#include <optional>
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

/// The cluster itself with the reason, where the text begins with an action that is not possible
/// with it now, and names a cluster: "Configure: not possible while its job is running". Pure.
std::optional<SearchHit> impossible_action(const ClusterPage& cluster, const std::string& text);

/// All that may be done with a cluster now, at most `limit`, what is done more often first. Pure.
SearchGroup actions_of_cluster(const ClusterPage& cluster, std::size_t limit);

/// found_cluster_actions() of the clusters that the text is about: the one whose page is open first
/// (0: none), then those with the words in their names; without such words the newest ones with
/// which it is possible. The group says if there may be others.
SearchGroup actions_asked_for(provisioner::store::Connection& connection,
                              const provisioner::model::Caller& caller, const std::string& text,
                              provisioner::model::ClusterId open, std::size_t limit);

/// The first of the clusters that were found that is called like the whole text, and not only
/// described so; 0 if there is none, and for a text of one character. Pure.
provisioner::model::ClusterId cluster_called(const SearchGroup& clusters, const std::string& text);

/// actions_of_cluster() of this one; nothing for 0.
SearchGroup actions_of_found(provisioner::store::Connection& connection,
                             const provisioner::model::Caller& caller,
                             provisioner::model::ClusterId cluster, std::size_t limit);

}  // namespace fcgi::pages
