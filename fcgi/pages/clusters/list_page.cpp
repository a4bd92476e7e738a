#include "fcgi/pages/clusters/list_page.hpp"

#include <algorithm>
#include <map>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/list_order.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::store::ClusterSummary;

namespace {

Json progress_json(const ClusterSummary& cluster) {
    if (cluster.status != ClusterStatus::pending || !cluster.latest_job) return nullptr;
    Json progress;
    progress["total"] = std::max(cluster.latest_job->tasks_total, 1);
    progress["done"] = cluster.latest_job->tasks_done;
    return progress;
}

Json cluster_json(const ClusterSummary& cluster, provisioner::base::Timestamp now) {
    Json json;
    json["id"] = wire_id(cluster.id);
    json["href"] = "/clusters/" + wire_id(cluster.id);
    json["name"] = cluster.name;
    json["description"] = one_line(cluster.description, description_in_lists);
    const auto status = shown_status(cluster.status, cluster.latest_job, cluster.services_stopped);
    json["status"] = status.css;
    json["status_words"] = status.words;
    json["progress"] = progress_json(cluster);
    json["template"] = title_of(cluster.cluster_template);
    json["tenant"] = cluster.tenant;
    json["tenant_href"] = "/tenants/" + http::percent_encode(cluster.tenant);
    json["machines"] = grouped(cluster.node_count);
    json["owner"] = cluster.owner;
    json["created"] = moment(cluster.created_at, now);
    const bool is_over = cluster.status == provisioner::model::ClusterStatus::terminated;
    json["is_over"] = is_over;
    json["never_created"] =
        is_over && was_never_created(cluster.latest_job) ? translated("No layout was found.") : "";
    json["expires"] = cluster.expires_at && !is_over ? moment(*cluster.expires_at, now) : Json();
    const auto& job = cluster.latest_job;
    json["ended"] = is_over && job && job->finished_at ? moment(*job->finished_at, now) : Json();
    return json;
}

std::string title_of_choice(const std::string& word) {
    if (word == "active") return translated("Active");
    if (word == "pending") return translated("In progress");
    if (word == "failing") return translated("With problems");
    if (word == "stopped") return translated("With stopped services");
    return word == "terminated" ? translated("Deleted") : translated("Current");
}

std::string empty_title_of(const std::string& word) {
    if (word == "active") return translated("No active clusters");
    if (word == "pending") return translated("Nothing in progress");
    if (word == "failing") return translated("No clusters with problems");
    if (word == "stopped") return translated("No clusters with stopped services");
    return word == "terminated" ? translated("No deleted clusters")
                                : translated("No current clusters");
}

std::string empty_search_text(const ClustersPage& page) {
    return page.is_of_all ? translated(
                                "No cluster of this list has “{0}” in its name, description, "
                                "template, owner or tenant.",
                                page.text)
           : page.show_owner
               ? translated(
                     "No cluster of this list has “{0}” in its name, description, template or "
                     "owner.",
                     page.text)
               : translated(
                     "No cluster of this list has “{0}” in its name, description or template.",
                     page.text);
}

std::string href_of(const ClustersPage& page, const std::string& word, bool is_of_all,
                    const std::string& before = "") {
    ClustersPage like{.choice = word,
                      .text = page.text,
                      .order = order_in(word, page.order),
                      .cluster_template = page.cluster_template,
                      .provider = page.provider,
                      .is_of_all = is_of_all};
    auto parameters = parameters_of_list(like);
    parameters.emplace_back("before", before);
    return address_with("/clusters", parameters);
}

/// "Only clusters of the template shop."; empty without a template or provider.
std::string narrowed_words(const ClustersPage& page) {
    if (!page.cluster_template.empty() && !page.provider.empty()) {
        return translated("Only clusters of the template {0} and the provider {1}.",
                          page.cluster_template, page.provider);
    }
    if (!page.cluster_template.empty()) {
        return translated("Only clusters of the template {0}.", page.cluster_template);
    }
    return page.provider.empty() ? ""
                                 : translated("Only clusters of the provider {0}.", page.provider);
}

std::string words_of_searched(const ClustersPage& page) {
    return translated_count(page.searched->clusters, "{0} cluster", "{0} clusters");
}

/// "51–100 of 9,873 clusters, by name, A to Z."
std::string summary_of_part(const ClustersPage& page) {
    const std::string words = translated(
        "{0}–{1} of {2}, {3}.", grouped(page.portion->begin() + 1), grouped(page.portion->end()),
        translated_count(page.portion->total, "{0} cluster", "{0} clusters"),
        words_of_order(page.order));
    return page.is_cut ? words + ' ' + translated("Older ones are left out.") : words;
}

std::string summary_of(const ClustersPage& page) {
    if (page.clusters.empty()) return "";
    if (page.portion && (page.portion->pages() > 1 || page.is_cut)) return summary_of_part(page);
    if (page.searched) {
        return translated("{0} among {1}, newest first. There are older ones.",
                          translated_count(page.clusters.size(), "{0} cluster", "{0} clusters"),
                          words_of_searched(page));
    }
    if (!page.is_first || !page.is_last) {
        const auto shown = translated_count(page.clusters.size(), "{0} cluster", "{0} clusters");
        return page.total ? translated("{0}, {1} on this page, newest first.",
                                       translated_count(*page.total, "{0} cluster", "{0} clusters"),
                                       grouped(page.clusters.size()))
                          : translated("{0} on this page, newest first.", shown);
    }
    if (!page.choice.empty() || !page.text.empty() || page.is_narrowed()) {
        return translated_count(page.clusters.size(), "{0} cluster.", "{0} clusters.");
    }
    int machines = 0;
    for (const auto& cluster : page.clusters) machines += cluster.node_count;
    const auto active =
        std::count_if(page.clusters.begin(), page.clusters.end(),
                      [](const auto& cluster) { return cluster.status == ClusterStatus::active; });
    return translated("{0}, {1} active, {2} in all.",
                      translated_count(page.clusters.size(), "{0} cluster", "{0} clusters"),
                      grouped(active), translated_count(machines, "{0} machine", "{0} machines"));
}

}  // namespace

const std::vector<ClusterChoice>& cluster_choices() {
    using enum ClusterStatus;
    static const std::vector<ClusterChoice> choices{
        {"", {pending, active, incomplete, inconsistent}},
        {"active", {active}},
        {"pending", {pending}},
        {"failing", {incomplete, inconsistent}},
        {"stopped", {active, incomplete, inconsistent}, true},
        {"terminated", {terminated}}};
    return choices;
}

const ClusterChoice& cluster_choice(const std::string& word) {
    const auto found = std::ranges::find(cluster_choices(), word, &ClusterChoice::word);
    return found == cluster_choices().end() ? cluster_choices().front() : *found;
}

std::optional<int> count_of_choice(const provisioner::store::ClusterCounts& counts,
                                   const std::string& word) {
    if (word == "active") return counts.active;
    if (word == "pending") return counts.pending;
    if (word == "failing") return counts.failing;
    if (word == "stopped") return counts.stopped;
    if (word == "terminated") return std::nullopt;
    return counts.active + counts.pending + counts.failing;
}

bool ClustersPage::changes() const {
    return std::any_of(clusters.begin(), clusters.end(), [](const auto& cluster) {
        return cluster.status == ClusterStatus::pending;
    });
}

Json to_json(const ClustersPage& page) {
    std::map<std::string, int> names;
    for (const auto& cluster : page.clusters) ++names[cluster.name];
    Json list = Json::array();
    for (const auto& cluster : page.clusters) {
        list.push_back(cluster_json(cluster, page.now));
        if (page.is_of_all && cluster.tenant != page.tenant) {
            list.back()["href"] = in_view(cluster.tenant, list.back()["href"].get<std::string>());
        }
        // Clusters of one name are told apart by what machines have in their names, too.
        list.back()["number"] = names[cluster.name] > 1 ? wire_id(cluster.id) : "";
    }
    Json json;
    json["heading"] = translated("Clusters");
    json["summary"] = summary_of(page);
    json["filters"] = Json::array();
    for (const ClusterChoice& choice : cluster_choices()) {
        json["filters"].push_back(filter_link(title_of_choice(choice.word),
                                              href_of(page, choice.word, page.is_of_all),
                                              page.choice == choice.word));
    }
    json["text"] = page.text;
    json["orders"] = orders_json(page);
    add_sorted_columns(json, page);
    json["has_orders"] = !json["orders"].empty();
    json["order"] = json["has_orders"] == true ? "" : page.order;
    json["cluster_template"] = page.cluster_template;
    json["provider"] = page.provider;
    json["narrowed"] = narrowed_words(page);
    json["without_narrowing"] =
        href_of(ClustersPage{.choice = page.choice, .text = page.text, .order = page.order},
                page.choice, page.is_of_all);
    json["choice"] = page.choice;
    json["search_label"] = page.is_of_all
                               ? translated("Name, description, template, owner or tenant")
                           : page.show_owner ? translated("Name, description, template or owner")
                                             : translated("Name, description or template");
    json["has_search"] =
        !page.text.empty() || page.is_narrowed() || !page.is_first || !page.clusters.empty();
    const ClustersPage unsearched{.choice = page.choice,
                                  .order = page.order,
                                  .cluster_template = page.cluster_template,
                                  .provider = page.provider};
    json["without_search"] =
        page.text.empty() ? "" : href_of(unsearched, page.choice, page.is_of_all);
    json["among_terminated"] =
        page.is_among_terminated ? href_of(page, "terminated", page.is_of_all) : "";
    json["lists_ended"] = page.choice == "terminated";
    json["scopes"] = page.may_see_all
                         ? scope_links(page.tenant, href_of(page, page.choice, false),
                                       href_of(page, page.choice, true), page.is_of_all)
                         : Json::array();
    json["has_scopes"] = page.may_see_all;
    json["is_of_all"] = page.is_of_all;
    json["newest"] =
        page.is_first || page.portion ? "" : href_of(page, page.choice, page.is_of_all);
    json["pager"] = page.portion
                        ? pager_json(page.portion->page, page.portion->pages(), "",
                                     {.path = "/clusters", .parameters = parameters_of_list(page)})
                        : Json();
    const bool is_end = page.portion || (!page.searched && (page.is_last || page.clusters.empty()));
    json["older"] =
        is_end ? ""
               : href_of(page, page.choice, page.is_of_all,
                         wire_id(page.searched ? page.searched->oldest : page.clusters.back().id));
    json["follow"] = page.changes() ? "yes" : "no";
    json["show_owner"] = page.show_owner;
    json["may_create"] = page.may_create;
    json["has_clusters"] = !page.clusters.empty();
    json["clusters"] = std::move(list);
    json["empty_title"] = page.searched ? translated("None among {0}", words_of_searched(page))
                          : page.text.empty() && !page.is_narrowed()
                              ? empty_title_of(page.choice)
                              : translated("No clusters found");
    json["empty_text"] = page.searched        ? translated("There are older ones.")
                         : !page.text.empty() ? empty_search_text(page)
                         : page.is_narrowed() ? narrowed_words(page)
                         : page.choice == "terminated"
                             ? translated("Clusters that were deleted or expired are listed here.")
                         : page.choice == "failing" || page.choice == "stopped"
                             ? translated("Nothing needs attention.")
                         : page.may_create ? translated("Choose a template to create a cluster.")
                                           : translated("Clusters will be listed here.");
    return json;
}

}  // namespace fcgi::pages
