#include "fcgi/pages/search/cluster_actions.hpp"

#include <algorithm>
#include <iterator>

#include "fcgi/pages/clusters/tabs/reads.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/overview/search_store.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

/// How many clusters are looked at for a text without one: of those with problems, with stopped
/// services or with a job under way; and of the others, with all of which the same can be done.
constexpr int special_looked_at = 100;
constexpr int newest_looked_at = 20;
/// Of so many that were found, by names and descriptions, those count that are called so.
constexpr std::size_t most_found = 20;

void take_cluster(store::Connection& connection, const model::Caller& caller, model::ClusterId id,
                  std::vector<ClusterPage>& pages) {
    const bool is_there =
        std::ranges::any_of(pages, [&](const ClusterPage& page) { return page.cluster.id == id; });
    if (is_there) return;
    auto cluster = store::find_cluster(connection, caller, id);
    if (!cluster) return;
    auto& page = pages.emplace_back();
    page.cluster = *std::move(cluster);
    read_latest_job_of(connection, page);
    page.for_admin = caller.is_admin();
    page.may_operate = caller.may(model::Right::use_clusters);
}

/// The clusters with the text in their names, or with that number: not those that are only
/// described so, since what is done would be done with another cluster than the one that was meant.
/// At most most_found; the newest.
std::vector<model::ClusterId> clusters_called(store::Connection& connection,
                                              const model::Caller& caller,
                                              const std::string& text) {
    std::vector<model::ClusterId> ids;
    for (const auto& found : store::search_clusters(connection, caller, store::Tenants::own, text,
                                                    static_cast<int>(most_found))) {
        const bool is_called =
            has_text(found.name, text) || base::parse_number(text) == found.id.value;
        if (is_called) ids.push_back(found.id);
    }
    return ids;
}

/// What the text asks for of these clusters, one after the other up to the limit; behind it those
/// of which it names one and asks for what is not possible.
SearchGroup actions_of_these(store::Connection& connection, const model::Caller& caller,
                             const std::vector<model::ClusterId>& clusters, const std::string& text,
                             std::size_t limit) {
    SearchGroup group = found_cluster_actions({}, text, limit);
    std::vector<SearchHit> refused;
    for (const model::ClusterId id : clusters) {
        if (group.hits.size() == limit) break;
        std::vector<ClusterPage> pages;
        take_cluster(connection, caller, id, pages);
        auto found = found_cluster_actions(pages, text, limit - group.hits.size());
        std::ranges::move(found.hits, std::back_inserter(group.hits));
        if (!found.hits.empty() || pages.empty()) continue;
        if (auto hit = impossible_action(pages.front(), text)) refused.push_back(*std::move(hit));
    }
    for (SearchHit& hit : refused) {
        if (group.hits.size() < limit) group.hits.push_back(std::move(hit));
    }
    return group;
}

}  // namespace

SearchGroup actions_asked_for(store::Connection& connection, const model::Caller& caller,
                              const std::string& text, model::ClusterId open, std::size_t limit) {
    const AskedOfClusters asked = asked_of_clusters(text);
    if (!asked.is_any) return {};
    if (!asked.cluster.empty()) {
        const auto called = clusters_called(connection, caller, asked.cluster);
        SearchGroup group = actions_of_these(connection, caller, called, text, limit);
        if (called.size() == most_found) {
            group.label = translated("Actions of clusters; add more of the name for others");
        }
        return group;
    }
    using enum model::ClusterStatus;
    std::vector<model::ClusterId> looked_at;
    if (open.value > 0) looked_at.push_back(open);
    bool has_more = false;
    const auto look_at = [&](store::ClusterQuery query, int most) {
        query.limit = most + 1;
        auto clusters = store::list_clusters(connection, caller, query);
        if (std::ssize(clusters) > most) {
            has_more = true;
            clusters.resize(static_cast<std::size_t>(most));
        }
        for (const auto& cluster : clusters) {
            const bool is_known = std::ranges::count(looked_at, cluster.id) > 0;
            if (!is_known) looked_at.push_back(cluster.id);
        }
    };
    // What needs a hand comes first, however old it is.
    look_at({.statuses = {incomplete, inconsistent}}, special_looked_at);
    look_at({.statuses = {active}, .only_stopped = true}, special_looked_at);
    look_at({.statuses = {pending}}, special_looked_at);
    look_at({.statuses = {active}}, newest_looked_at);
    SearchGroup group = actions_of_these(connection, caller, looked_at, text, limit);
    if (has_more) {
        group.label = translated(
            "Actions of clusters, problems first, then the newest; add a name for others");
    }
    return group;
}

SearchGroup actions_of_found(store::Connection& connection, const model::Caller& caller,
                             model::ClusterId cluster, std::size_t limit) {
    std::vector<ClusterPage> pages;
    if (cluster.value > 0) take_cluster(connection, caller, cluster, pages);
    return pages.empty() ? SearchGroup() : actions_of_cluster(pages.front(), limit);
}

}  // namespace fcgi::pages
