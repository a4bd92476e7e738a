#include "fcgi/pages/search/cluster_actions.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "fcgi/pages/clusters/tabs/services.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/search/actions.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/overview/search_store.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

/// Something to do with a cluster, or to see of it.
struct ClusterAction {
    /// The end of the address where it is done, as the head and the services of a cluster have it.
    const char* path;
    /// With the name of the cluster for {0}.
    const char* label;
    /// Other words that people type for it, in small letters.
    const char* words;
};

// In the order in which they are shown. What is only seen stands at the end.
constexpr std::array cluster_actions{
    ClusterAction{"/resume", for_translation("Resume the job of {0}"),
                  for_translation("continue go on unpause")},
    ClusterAction{"/pause", for_translation("Pause the job of {0}"),
                  for_translation("hold wait halt stop")},
    ClusterAction{"/abort", for_translation("Abort the job of {0}"),
                  for_translation("cancel stop kill end")},
    ClusterAction{"/retry", for_translation("Retry the failed job of {0}"),
                  for_translation("again repeat rerun repair fix run remaining tasks")},
    ClusterAction{"/grow", for_translation("Grow {0} (add machines)"),
                  for_translation("bigger larger more scale up out extend expand increase size "
                                  "resize hosts nodes servers")},
    ClusterAction{"/shrink", for_translation("Shrink {0} (remove machines)"),
                  for_translation("smaller fewer less scale down in reduce decrease delete take "
                                  "away size resize hosts nodes servers")},
    ClusterAction{"/services/start", for_translation("Start services of {0}"),
                  for_translation("run on application")},
    ClusterAction{"/services/restart", for_translation("Restart services of {0}"),
                  for_translation("reboot bounce reload application")},
    ClusterAction{"/services/stop", for_translation("Stop services of {0}"),
                  for_translation("halt shut down off application")},
    ClusterAction{"/services/add", for_translation("Add services to {0}"),
                  for_translation("install software application")},
    ClusterAction{"/services/remove", for_translation("Remove services from {0}"),
                  for_translation("uninstall delete software application")},
    ClusterAction{"/configure", for_translation("Change the configuration of {0}"),
                  for_translation("configure reconfigure edit settings set port values")},
    ClusterAction{
        "/lease", for_translation("Change the lease of {0}"),
        for_translation("extend prolong longer keep expire expires expiry end time days")},
    ClusterAction{"/description", for_translation("Change the description of {0}"),
                  for_translation("describe note text edit")},
    ClusterAction{"/clusters/new", for_translation("Create {0} again"),
                  for_translation("recreate copy like same")},
    ClusterAction{"/delete", for_translation("Delete {0}"),
                  for_translation("remove destroy terminate drop end kill")},
    ClusterAction{"/give-up", for_translation("Delete {0} without provider"),
                  for_translation("give up force terminate")},
    ClusterAction{"/machines", for_translation("Machines of {0}"),
                  for_translation("list hosts nodes servers ip ssh")},
    ClusterAction{"/jobs", for_translation("Jobs and logs of {0}"),
                  for_translation("output tasks history errors messages progress")},
    ClusterAction{"/settings", for_translation("Settings of {0}"),
                  for_translation("configuration lease template facts")},
};

// What stands between a verb and the name of a cluster.
constexpr std::array small_words{"a",    "an", "the", "to",  "of",
                                 "from", "my", "on",  "for", "cluster"};

bool is_small(const std::string& word) {
    return std::ranges::find(small_words, word) != small_words.end();
}

/// Without the name of a cluster, and without brackets.
std::string words_of_label(const ClusterAction& action) {
    std::string words = translated(action.label, "");
    std::ranges::replace_if(
        words, [](char c) { return c == '(' || c == ')'; }, ' ');
    return words;
}

/// Few letters begin too much: "out" is not asked for output.
bool is_word_of(const ClusterAction& action, const std::string& word) {
    constexpr std::size_t too_few_to_begin = 4;
    if (begins_word_of(words_of_label(action), word)) return true;
    const auto others = search_words(translated(action.words));
    return std::ranges::any_of(others, [&](const std::string& other) {
        return word.size() < too_few_to_begin ? other == word : other.starts_with(word);
    });
}

struct Reading {
    /// Words that name the action.
    std::size_t named = 0;
    /// Whether the first word does: people begin with the verb.
    bool begins = false;
    std::string cluster{};
};

Reading reading_of(const ClusterAction& action, const std::vector<std::string>& typed) {
    Reading reading;
    bool is_first = true;
    for (const std::string& word : typed) {
        if (is_small(word)) continue;
        const bool is_verb = is_first;
        is_first = false;
        if (is_word_of(action, word)) {
            ++reading.named;
            reading.begins = reading.begins || is_verb;
        } else {
            reading.cluster += (reading.cluster.empty() ? "" : " ") + word;
        }
    }
    return reading;
}

/// The addresses of what may be done and seen now, with the cluster's own before them.
std::vector<std::string> possible_now(const ClusterPage& page) {
    std::vector<std::string> paths{page.href() + "/machines", page.href() + "/jobs",
                                   page.href() + "/settings"};
    for (const ClusterButton& button : buttons_of(page)) {
        paths.push_back(button.post.empty() ? button.href : button.post);
    }
    if (!page.may_operate || page.cluster.status == model::ClusterStatus::terminated) return paths;
    paths.push_back(page.href() + "/description");
    if (page.cluster.status != model::ClusterStatus::active) return paths;
    const bool has_services = !page.cluster.services.empty();
    if (page.cluster.services_stopped > 0) paths.push_back(page.href() + "/services/start");
    if (has_services) {
        paths.push_back(page.href() + "/services/stop");
        paths.push_back(page.href() + "/services/restart");
        paths.push_back(page.href() + "/services/remove");
    }
    if (may_get_more(page.cluster)) paths.push_back(page.href() + "/services/add");
    return paths;
}

/// Where the action is done; empty if it is not possible now. What is done at once has its button
/// on the page of the cluster.
std::string way_to(const ClusterAction& action, const ClusterPage& page) {
    const std::string path = action.path;
    const std::string own = page.href() + path;
    const auto ways = possible_now(page);
    if (path == "/clusters/new") {
        const bool is_possible = std::ranges::count(ways, page.create_again_href()) > 0;
        return is_possible ? page.create_again_href() : "";
    }
    if (std::ranges::count(ways, own) == 0) return "";
    const bool is_at_once = path == "/resume" || path == "/pause" || path == "/retry";
    return is_at_once ? page.href() : own;
}

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
    page.job = store::find_job(connection, page.cluster.latest_job);
    page.for_admin = caller.is_admin();
    page.may_operate = caller.may(model::Right::use_clusters);
}

SearchHit hit_of_action(const ClusterAction& action, const ClusterPage& page, std::string href) {
    const bool is_rest =
        std::string_view(action.path) == "/retry" && model::is_left_unfinished(page.job);
    return {
        .label = is_rest ? translated("Run the remaining tasks of {0}", page.cluster.name)
                         : translated(action.label, page.cluster.name),
        .detail = shown_status(page.cluster.status, page.job, page.cluster.services_stopped).words,
        .href = std::move(href)};
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

/// What the text asks for of these clusters, one after the other up to the limit.
SearchGroup actions_of_these(store::Connection& connection, const model::Caller& caller,
                             const std::vector<model::ClusterId>& clusters, const std::string& text,
                             std::size_t limit) {
    SearchGroup group = found_cluster_actions({}, text, limit);
    for (const model::ClusterId id : clusters) {
        if (group.hits.size() == limit) break;
        std::vector<ClusterPage> pages;
        take_cluster(connection, caller, id, pages);
        auto found = found_cluster_actions(pages, text, limit - group.hits.size());
        std::ranges::move(found.hits, std::back_inserter(group.hits));
    }
    return group;
}

}  // namespace

AskedOfClusters asked_of_clusters(const std::string& text) {
    const auto typed = search_words(text);
    AskedOfClusters asked;
    std::pair<std::size_t, bool> most;
    for (const ClusterAction& action : cluster_actions) {
        const Reading reading = reading_of(action, typed);
        const std::pair rank(reading.named, reading.begins);
        if (rank <= most) continue;
        most = rank;
        asked = {.is_any = true, .cluster = reading.cluster};
    }
    return asked;
}

SearchGroup found_cluster_actions(const std::vector<ClusterPage>& clusters, const std::string& text,
                                  std::size_t limit) {
    SearchGroup group{.label = translated("Actions of clusters"), .kind = "cluster-actions"};
    const auto typed = search_words(text);
    const AskedOfClusters asked = asked_of_clusters(text);
    if (!asked.is_any) return group;
    for (const ClusterPage& page : clusters) {
        // What is called so comes before what other words are known for.
        for (const bool by_name : {true, false}) {
            for (const ClusterAction& action : cluster_actions) {
                if (reading_of(action, typed).cluster != asked.cluster) continue;
                const auto label_words = words_of_label(action);
                const bool is_called = std::ranges::all_of(typed, [&](const std::string& word) {
                    return is_small(word) || begins_word_of(label_words, word) ||
                           asked.cluster.find(word) != std::string::npos;
                });
                const std::string href = way_to(action, page);
                if (is_called != by_name || href.empty()) continue;
                if (group.hits.size() == limit) return group;
                group.hits.push_back(hit_of_action(action, page, href));
            }
        }
    }
    return group;
}

SearchGroup actions_of_cluster(const ClusterPage& cluster, std::size_t limit) {
    SearchGroup group{.label = translated("What to do with {0}", cluster.cluster.name),
                      .kind = "cluster-actions"};
    for (const ClusterAction& action : cluster_actions) {
        const std::string href = way_to(action, cluster);
        if (!href.empty() && group.hits.size() < limit) {
            group.hits.push_back(hit_of_action(action, cluster, href));
        }
    }
    return group;
}

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

model::ClusterId cluster_called(const SearchGroup& clusters, const std::string& text) {
    if (text.size() < 2) return {};
    const auto number = base::parse_number(text);
    const auto found = std::ranges::find_if(clusters.hits, [&](const SearchHit& hit) {
        return hit.cluster.value > 0 && (has_text(hit.label, text) || number == hit.cluster.value);
    });
    return found == clusters.hits.end() ? model::ClusterId() : found->cluster;
}

SearchGroup actions_of_found(store::Connection& connection, const model::Caller& caller,
                             model::ClusterId cluster, std::size_t limit) {
    std::vector<ClusterPage> pages;
    if (cluster.value > 0) take_cluster(connection, caller, cluster, pages);
    return pages.empty() ? SearchGroup() : actions_of_cluster(pages.front(), limit);
}

}  // namespace fcgi::pages
