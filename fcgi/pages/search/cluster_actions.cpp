#include "fcgi/pages/search/cluster_actions.hpp"

#include <algorithm>
#include <array>

#include "fcgi/pages/clusters/tabs/services.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/search/actions.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/changes/change.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
namespace base = provisioner::base;
namespace model = provisioner::model;

namespace {

/// Something to do with a cluster, or to see of it.
struct ClusterAction {
    /// The end of the address where it is done, as the head and the services of a cluster have it.
    const char* path;
    /// Before the reason why it is not possible.
    const char* verb;
    /// With the name of the cluster for {0}.
    const char* label;
    /// Other words that people type for it, in small letters.
    const char* words;
    /// Words that mean it only beside others that do: "delete machines", and not "delete".
    const char* beside = "";
};

// These two have no address of their own.
constexpr auto go_on_path = "/go-on";
constexpr auto replace_path = "/replace";

// In the order in which they are shown. What is only seen stands at the end.
constexpr std::array cluster_actions{
    ClusterAction{"/resume", for_translation("Resume"), for_translation("Resume the job of {0}"),
                  for_translation("continue go on unpause")},
    ClusterAction{"/pause", for_translation("Pause"), for_translation("Pause the job of {0}"),
                  for_translation("hold wait halt stop")},
    ClusterAction{"/abort", for_translation("Abort"), for_translation("Abort the job of {0}"),
                  for_translation("cancel stop kill end")},
    ClusterAction{"/retry", for_translation("Retry"),
                  for_translation("Retry the failed job of {0}"),
                  for_translation("again repeat rerun repair fix run remaining tasks")},
    ClusterAction{go_on_path, for_translation("Go on"),
                  for_translation("Go on without what failed in {0}"),
                  for_translation("continue leave skip back revert undo restore return")},
    ClusterAction{"/grow", for_translation("Grow"), for_translation("Grow {0} (add machines)"),
                  for_translation("bigger larger more scale up out extend expand increase size "
                                  "resize hosts nodes servers")},
    ClusterAction{"/shrink", for_translation("Shrink"),
                  for_translation("Shrink {0} (remove machines)"),
                  for_translation("smaller fewer less scale down in reduce decrease take away size "
                                  "resize hosts nodes servers"),
                  for_translation("delete")},
    ClusterAction{replace_path, for_translation("Replace a machine"),
                  for_translation("Replace a machine of {0}"),
                  for_translation("exchange swap dead lost broken")},
    ClusterAction{"/services/start", for_translation("Start services"),
                  for_translation("Start services of {0}"), for_translation("run on application")},
    ClusterAction{"/services/restart", for_translation("Restart services"),
                  for_translation("Restart services of {0}"),
                  for_translation("reboot bounce reload application")},
    ClusterAction{"/services/stop", for_translation("Stop services"),
                  for_translation("Stop services of {0}"),
                  for_translation("halt shut down off application")},
    ClusterAction{"/services/add", for_translation("Add services"),
                  for_translation("Add services to {0}"),
                  for_translation("install software application")},
    ClusterAction{"/services/remove", for_translation("Remove services"),
                  for_translation("Remove services from {0}"),
                  for_translation("uninstall software application"), for_translation("delete")},
    ClusterAction{"/configure", for_translation("Configure"),
                  for_translation("Change the configuration of {0}"),
                  for_translation("configure reconfigure edit settings set port values")},
    ClusterAction{
        "/lease", for_translation("Change lease"), for_translation("Change the lease of {0}"),
        for_translation("extend prolong longer keep expire expires expiry end time days")},
    ClusterAction{"/description", for_translation("Change description"),
                  for_translation("Change the description of {0}"),
                  for_translation("describe note text edit")},
    ClusterAction{"/clusters/new", for_translation("Create again"),
                  for_translation("Create {0} again"), for_translation("recreate copy like same")},
    ClusterAction{"/delete", for_translation("Delete"), for_translation("Delete {0}"),
                  for_translation("remove destroy terminate drop end kill")},
    ClusterAction{"/give-up", for_translation("Delete without provider"),
                  for_translation("Delete {0} without provider"),
                  for_translation("give up force terminate")},
    ClusterAction{"/machines", for_translation("Machines"), for_translation("Machines of {0}"),
                  for_translation("list hosts nodes servers ip ssh")},
    ClusterAction{"/jobs", for_translation("Jobs"), for_translation("Jobs and logs of {0}"),
                  for_translation("output tasks history errors messages progress")},
    ClusterAction{"/settings", for_translation("Settings"), for_translation("Settings of {0}"),
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
bool is_other_word(const std::string& words, const std::string& word) {
    constexpr std::size_t too_few_to_begin = 4;
    const auto others = search_words(words);
    return std::ranges::any_of(others, [&](const std::string& other) {
        return word.size() < too_few_to_begin ? other == word : other.starts_with(word);
    });
}

bool is_word_of(const ClusterAction& action, const std::string& word) {
    return begins_word_of(words_of_label(action), word) ||
           is_other_word(translated(action.words), word);
}

bool is_word_beside(const ClusterAction& action, const std::string& word) {
    return *action.beside != '\0' && is_other_word(translated(action.beside), word);
}

/// Whether all words that were typed are of its label, or of the name of the cluster.
bool has_only_its_words(const ClusterAction& action, const std::vector<std::string>& typed,
                        const std::string& cluster) {
    const auto label_words = words_of_label(action);
    return std::ranges::all_of(typed, [&](const std::string& word) {
        return is_small(word) || begins_word_of(label_words, word) ||
               cluster.find(word) != std::string::npos;
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
    const bool is_meant = std::ranges::any_of(typed, [&](const std::string& word) {
        return !is_small(word) && is_word_of(action, word);
    });
    for (const std::string& word : typed) {
        if (is_small(word)) continue;
        const bool is_verb = is_first;
        is_first = false;
        if (is_word_of(action, word) || (is_meant && is_word_beside(action, word))) {
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
    const bool has_services = !page.cluster.services.empty();
    if (has_services && operations::can_lose_parts(page.cluster, page.job)) {
        paths.push_back(page.href() + "/services/remove");
    }
    if (page.cluster.status != model::ClusterStatus::active) return paths;
    if (page.cluster.services_stopped > 0) paths.push_back(page.href() + "/services/start");
    if (has_services) {
        paths.push_back(page.href() + "/services/stop");
        paths.push_back(page.href() + "/services/restart");
    }
    if (may_get_more(page.cluster)) paths.push_back(page.href() + "/services/add");
    return paths;
}

/// The ways out that go on without something, the best one first.
std::vector<WayOut> ways_to_go_on(const ClusterPage& page) {
    if (!page.may_operate) return {};
    auto ways = ways_out(page.cluster, page.job, page.end).ways;
    std::erase_if(ways, [](const WayOut& way) { return !way.goes_on; });
    return ways;
}

/// Which machine is asked there: each has a page of its own.
bool can_replace(const ClusterPage& page) {
    return page.may_operate && !page.end.has_wrong_configuration &&
           operations::can_lose_parts(page.cluster, page.job);
}

/// Where the action is done; empty if it is not possible now. What is done at once has its button
/// on the page of the cluster. Going on is done in several places, see ways_to_go_on().
std::string way_to(const ClusterAction& action, const ClusterPage& page) {
    const std::string path = action.path;
    const std::string own = page.href() + path;
    if (path == replace_path) return can_replace(page) ? page.href() + "/machines" : "";
    const auto ways = possible_now(page);
    if (path == "/clusters/new") {
        const bool is_possible = std::ranges::count(ways, page.create_again_href()) > 0;
        return is_possible ? page.create_again_href() : "";
    }
    if (std::ranges::count(ways, own) == 0) return "";
    const bool is_at_once = path == "/resume" || path == "/pause" || path == "/retry";
    return is_at_once ? page.href() : own;
}

/// Why an action, which is not possible now, is not; with its verb before it.
std::string why_not(const ClusterAction& action, const ClusterPage& page) {
    using enum model::ClusterStatus;
    const std::string path = action.path;
    const std::string verb = translated(action.verb);
    const model::Cluster& cluster = page.cluster;
    const std::string status =
        shown_status(cluster.status, page.job, cluster.services_stopped).words;
    if (!page.may_operate) return translated("{0}: not possible for you", verb);
    const bool is_of_job = path == "/pause" || path == "/resume" || path == "/abort" ||
                           path == "/retry" || path == go_on_path;
    if (cluster.status == pending && !is_of_job) {
        const bool is_paused = page.job && page.job->status == model::JobStatus::paused;
        return is_paused ? translated("{0}: not possible while its job is paused", verb)
                         : translated("{0}: not possible while its job is running", verb);
    }
    if (cluster.status != active) return translated("{0}: not possible now ({1})", verb, status);
    if (path == "/grow" || path == "/shrink") {
        return translated("{0}: not possible, the template allows {1}", verb,
                          size_words(cluster.snapshot.cluster_template.constraints));
    }
    if (path == "/services/start") return translated("{0}: not possible, none is stopped", verb);
    if (path == "/services/add") return translated("{0}: not possible, it has all", verb);
    if (is_of_job) {
        return translated("{0}: not possible, no job is running and none has failed", verb);
    }
    return translated("{0}: not possible now ({1})", verb, status);
}

/// One for each place where it is done; none if it is not possible now.
std::vector<SearchHit> hits_of_action(const ClusterAction& action, const ClusterPage& page) {
    std::vector<SearchHit> hits;
    const std::string& name = page.cluster.name;
    const std::string status =
        shown_status(page.cluster.status, page.job, page.cluster.services_stopped).words;
    if (std::string_view(action.path) == go_on_path) {
        for (WayOut& way : ways_to_go_on(page)) {
            hits.push_back({.label = translated("{0} ({1})", way.label, name),
                            .detail = status,
                            .href = std::move(way.href)});
        }
        return hits;
    }
    std::string href = way_to(action, page);
    if (href.empty()) return hits;
    const bool is_rest =
        std::string_view(action.path) == "/retry" && model::is_left_unfinished(page.job);
    hits.push_back({.label = is_rest ? translated("Run the remaining tasks of {0}", name)
                                     : translated(action.label, name),
                    .detail = status,
                    .href = std::move(href)});
    return hits;
}

/// As many as there is room for.
void add_hits(SearchGroup& group, std::vector<SearchHit> hits, std::size_t limit) {
    for (SearchHit& hit : hits) {
        if (group.hits.size() < limit) group.hits.push_back(std::move(hit));
    }
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
                if (has_only_its_words(action, typed, asked.cluster) != by_name) continue;
                if (group.hits.size() == limit) return group;
                add_hits(group, hits_of_action(action, page), limit);
            }
        }
    }
    return group;
}

std::optional<SearchHit> impossible_action(const ClusterPage& page, const std::string& text) {
    const auto typed = search_words(text);
    const AskedOfClusters asked = asked_of_clusters(text);
    if (asked.cluster.empty()) return std::nullopt;
    for (const bool by_name : {true, false}) {
        for (const ClusterAction& action : cluster_actions) {
            const Reading reading = reading_of(action, typed);
            if (!reading.begins || reading.cluster != asked.cluster) continue;
            if (has_only_its_words(action, typed, asked.cluster) != by_name) continue;
            if (!hits_of_action(action, page).empty()) return std::nullopt;
            return SearchHit{
                .label = page.cluster.name, .detail = why_not(action, page), .href = page.href()};
        }
    }
    return std::nullopt;
}

SearchGroup actions_of_cluster(const ClusterPage& cluster, std::size_t limit) {
    SearchGroup group{.label = translated("What to do with {0}", cluster.cluster.name),
                      .kind = "cluster-actions"};
    for (const ClusterAction& action : cluster_actions) {
        if (group.hits.size() < limit) add_hits(group, hits_of_action(action, cluster), limit);
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

}  // namespace fcgi::pages
