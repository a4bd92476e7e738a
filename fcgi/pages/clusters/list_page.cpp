#include "fcgi/pages/clusters/list_page.hpp"

#include <algorithm>

#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::to_word;
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
    json["status"] = to_word(cluster.status);
    json["status_words"] = status_words(cluster.status, cluster.latest_job);
    json["progress"] = progress_json(cluster);
    json["template"] = cluster.cluster_template.name;
    json["machines"] = cluster.node_count;
    json["owner"] = cluster.owner;
    json["created"] = moment(cluster.created_at, now);
    json["expires"] = cluster.expires_at ? moment(*cluster.expires_at, now) : Json();
    return json;
}

Json filter(const std::string& label, const std::string& href, bool current) {
    Json json;
    json["label"] = label;
    json["href"] = href;
    json["current"] = current;
    return json;
}

std::string summary_of(const ClustersPage& page) {
    if (page.clusters.empty()) return "";
    if (!page.is_first || !page.is_last) {
        return counted(page.clusters.size(), "cluster") + " on this page, newest first.";
    }
    if (page.terminated) return counted(page.clusters.size(), "terminated cluster") + ".";
    int machines = 0;
    for (const auto& cluster : page.clusters) machines += cluster.node_count;
    const auto active =
        std::count_if(page.clusters.begin(), page.clusters.end(),
                      [](const auto& cluster) { return cluster.status == ClusterStatus::active; });
    return counted(page.clusters.size(), "cluster") + ", " + std::to_string(active) + " active, " +
           counted(machines, "machine") + " in all.";
}

}  // namespace

bool ClustersPage::changes() const {
    return std::any_of(clusters.begin(), clusters.end(), [](const auto& cluster) {
        return cluster.status == ClusterStatus::pending;
    });
}

Json to_json(const ClustersPage& page) {
    Json list = Json::array();
    for (const auto& cluster : page.clusters) list.push_back(cluster_json(cluster, page.now));
    Json json;
    json["heading"] = "Clusters";
    json["summary"] = summary_of(page);
    json["filters"] = {filter("Current", "/clusters", !page.terminated),
                       filter("Terminated", "/clusters?status=terminated", page.terminated)};
    const std::string here = page.terminated ? "/clusters?status=terminated" : "/clusters";
    json["newest"] = page.is_first ? "" : here;
    json["older"] =
        page.is_last || page.clusters.empty()
            ? ""
            : here + (page.terminated ? "&" : "?") + "before=" + wire_id(page.clusters.back().id);
    json["follow"] = page.changes() ? "yes" : "no";
    json["show_owner"] = page.show_owner;
    json["may_create"] = page.may_create;
    json["has_clusters"] = !page.clusters.empty();
    json["clusters"] = std::move(list);
    json["empty_title"] = page.terminated ? "No terminated clusters" : "No clusters yet";
    json["empty_text"] = page.terminated ? "Clusters that were deleted or expired are listed here."
                         : page.may_create ? "Pick a template to create the first one."
                                           : "Nobody has created one.";
    return json;
}

}  // namespace fcgi::pages
