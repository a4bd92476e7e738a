#include "fcgi/pages/home/home.hpp"

#include <algorithm>
#include <span>

#include "fcgi/pages/failure_words.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Timestamp;
using provisioner::base::to_word;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

constexpr std::chrono::seconds home_refresh{5};

Json home_tile(const std::string& label, std::size_t number, const std::string& href) {
    Json json;
    json["label"] = label;
    json["number"] = grouped(number);
    json["href"] = href;
    return json;
}

Json home_quota(const std::string& id, const std::string& label, int used, int most) {
    const bool is_limited = most != model::no_maximum;
    Json json;
    json["id"] = id;
    json["label"] = label;
    json["used"] = used;
    json["words"] = is_limited ? translated("{0} of {1} used", grouped(used), grouped(most))
                               : translated("{0} used, no limit", grouped(used));
    json["most"] = is_limited ? Json(std::max(most, 1)) : Json();
    json["value"] = std::min(used, std::max(most, 1));
    json["full"] = is_limited && used >= most;
    return json;
}

Json home_cluster(const store::ClusterSummary& cluster, const Labels& labels, Timestamp now) {
    Json json;
    json["name"] = cluster.name;
    json["href"] = "/clusters/" + model::wire_id(cluster.id);
    json["description"] = one_line(cluster.description, description_in_lists);
    json["owner"] = cluster.owner;
    json["tenant"] = cluster.tenant;
    const auto status = shown_status(cluster.status, cluster.latest_job, cluster.services_stopped);
    json["status"] = status.css;
    json["status_words"] = status.words;
    json["message"] = reason_said_once(cluster.message, labels);
    json["about"] = translated("{0} of {1}",
                               translated_count(cluster.node_count, "{0} machine", "{0} machines"),
                               title_of(cluster.cluster_template));
    json["expires"] = cluster.expires_at ? moment(*cluster.expires_at, now) : Json();
    json["total"] = cluster.latest_job ? std::max(cluster.latest_job->tasks_total, 1) : 1;
    json["done"] = cluster.latest_job ? cluster.latest_job->tasks_done : 0;
    return json;
}

Json home_clusters(const std::vector<store::ClusterSummary>& clusters, const Labels& labels,
                   Timestamp now) {
    Json list = Json::array();
    for (std::size_t at = 0; at < std::min(clusters.size(), home_rows); ++at) {
        list.push_back(home_cluster(clusters[at], labels, now));
    }
    return list;
}

Json home_expiring(const HomePage& page) {
    Json list = Json::array();
    for (std::size_t at = 0; at < std::min(page.expiring.size(), home_rows); ++at) {
        const store::ExpiringCluster& cluster = page.expiring[at];
        Json json;
        json["name"] = cluster.name;
        json["href"] = "/clusters/" + model::wire_id(cluster.id);
        json["lease_href"] =
            page.may_create ? "/clusters/" + model::wire_id(cluster.id) + "/lease" : std::string();
        json["owner"] = cluster.owner;
        json["expires"] = moment(cluster.expires_at, page.now);
        list.push_back(std::move(json));
    }
    return list;
}

std::string home_queue_words(const store::WatchedNumbers& numbers) {
    const auto count = [](std::int64_t number) {
        return grouped(std::max<std::int64_t>(number, 0));
    };
    std::string words = translated("{0} running, {1} waiting for a provisioner, {2} due later.",
                                   count(numbers.tasks_claimed), count(numbers.tasks_due),
                                   count(numbers.tasks_later));
    if (numbers.tasks_due > 0) {
        words += translated(" Oldest wait: {0}.",
                            spoken(std::chrono::seconds{numbers.oldest_due_seconds}));
    }
    return words;
}

/// Null for everybody but superadmins.
Json home_installation(const std::optional<store::WatchedNumbers>& numbers) {
    if (!numbers) return nullptr;
    const auto alive = std::ranges::count_if(
        numbers->daemons, [](const store::WatchedDaemon& daemon) { return daemon.is_alive(); });
    int capacity = 0;
    int running = 0;
    for (const store::WatchedDaemon& daemon : numbers->daemons) {
        if (!daemon.is_alive()) continue;
        capacity += daemon.capacity;
        running += daemon.running;
    }
    Json json;
    json["queue"] = home_queue_words(*numbers);
    json["provisioners"] = translated(
        "{0}, {1} running.",
        translated_count(numbers->daemons.size(), "{0} provisioner", "{0} provisioners"), alive);
    json["none_alive"] = alive == 0;
    json["capacity"] = std::max(capacity, 1);
    json["running"] = std::min(running, std::max(capacity, 1));
    json["load"] = translated("{0} of {1} workers in use", grouped(running), grouped(capacity));
    std::int64_t live = 0;
    for (const auto& [status, count] : numbers->clusters) {
        if (status != to_word(model::ClusterStatus::terminated)) live += count;
    }
    json["everywhere"] = translated_count(live, "{0} current cluster of all tenants",
                                          "{0} current clusters of all tenants");
    json["machines"] = translated_count(numbers->nodes, "{0} machine of all tenants",
                                        "{0} machines of all tenants");
    std::int64_t failing = 0;
    for (const auto status :
         {model::ClusterStatus::incomplete, model::ClusterStatus::inconsistent}) {
        const auto found = numbers->clusters.find(to_word(status));
        if (found != numbers->clusters.end()) failing += found->second;
    }
    json["failing_everywhere"] =
        failing == 0 ? std::string()
                     : translated_count(failing, "{0} cluster across all tenants has problems",
                                        "{0} clusters across all tenants have problems");
    json["unknown"] = numbers->unknown_machines == 0
                          ? std::string()
                          : translated_count(numbers->unknown_machines, "{0} unknown machine",
                                             "{0} unknown machines");
    return json;
}

/// Failing clusters of all tenants that the page does not show as those of the viewer's tenant.
std::vector<store::ClusterSummary> failing_elsewhere(const HomePage& page) {
    const auto shown = std::span(page.failing).first(std::min(page.failing.size(), home_rows));
    auto clusters = page.failing_everywhere;
    std::erase_if(clusters, [&](const store::ClusterSummary& cluster) {
        return std::ranges::count(shown, cluster.id, &store::ClusterSummary::id) > 0;
    });
    return clusters;
}

store::ClusterQuery home_query(std::vector<model::ClusterStatus> statuses) {
    return {.statuses = std::move(statuses), .limit = static_cast<int>(home_rows) + 1};
}

/// Of all tenants, with as many more as may be shown as those of the viewer's tenant.
store::ClusterQuery home_query_of_all(std::vector<model::ClusterStatus> statuses) {
    return {.statuses = std::move(statuses),
            .all_tenants = true,
            .limit = 2 * static_cast<int>(home_rows) + 1};
}

}  // namespace

Json to_json(const HomePage& page) {
    const auto number = [](int count) { return static_cast<std::size_t>(std::max(count, 0)); };
    Json json;
    json["of_tenant"] = page.of_tenant;
    json["follow"] = page.counts.pending > 0 ? "yes" : "no";
    json["tiles"] = {home_tile(translated("Active clusters"), number(page.counts.active),
                               "/clusters?status=active"),
                     home_tile(translated("Clusters in progress"), number(page.counts.pending),
                               "/clusters?status=pending"),
                     home_tile(translated("Clusters with problems"), number(page.counts.failing),
                               "/clusters?status=failing"),
                     home_tile(translated("Machines"), number(page.counts.nodes), "/machines")};
    if (page.counts.stopped > 0) {
        json["tiles"].push_back(home_tile(translated("With stopped services"),
                                          number(page.counts.stopped), "/clusters?status=stopped"));
    }
    json["quotas"] = {
        home_quota("quota-clusters", translated("Clusters"), page.use.clusters, page.max_clusters),
        home_quota("quota-machines", translated("Machines"), page.use.nodes, page.max_nodes)};
    json["has_quota"] =
        page.max_clusters != model::no_maximum || page.max_nodes != model::no_maximum;
    json["may_create"] = page.may_create;
    json["show_owner"] = page.show_owner;
    json["has_clusters"] = page.counts.active + page.counts.pending + page.counts.failing > 0;
    json["has_failing"] = !page.failing.empty();
    json["failing"] = home_clusters(page.failing, page.labels, page.now);
    for (std::size_t at = 0; at < json["failing"].size(); ++at) {
        const auto reason = page.reasons.find(page.failing[at].id);
        if (reason != page.reasons.end()) json["failing"][at]["message"] = reason->second;
    }
    json["more_failing"] = page.failing.size() > home_rows;
    json["has_pending"] = !page.pending.empty();
    json["pending"] = home_clusters(page.pending, page.labels, page.now);
    json["more_pending"] = page.pending.size() > home_rows;
    json["has_expiring"] = !page.expiring.empty();
    json["expiring"] = home_expiring(page);
    json["more_expiring"] = page.expiring.size() > home_rows;
    json["has_active"] = !page.active.empty();
    json["active"] = home_clusters(page.active, page.labels, page.now);
    json["more_active"] = page.active.size() > home_rows;
    const auto elsewhere = failing_elsewhere(page);
    json["has_failing_elsewhere"] = !elsewhere.empty();
    json["failing_elsewhere"] = home_clusters(elsewhere, Labels(), page.now);
    json["more_failing_elsewhere"] = elsewhere.size() > home_rows;
    json["some_are_below"] = elsewhere.size() < page.failing_everywhere.size();
    json["installation"] = home_installation(page.installation);
    return json;
}

http::Response home(const http::Request& request, const auth::Visitor& visitor, App& app) {
    using model::ClusterStatus;
    const model::Caller& caller = visitor.who();
    HomePage page{.of_tenant = caller.tenant.name};
    page.now = app.clock.now();
    page.show_owner = caller.may(model::Right::see_clusters);
    page.may_create = caller.may(model::Right::use_clusters);
    app.database.read([&](store::Connection& connection) {
        page.counts = store::count_clusters(connection, caller);
        page.use = store::use_of(connection, caller.tenant.id);
        // Of the caller it may be a second old.
        const auto tenant = store::find_tenant(connection, caller.tenant.name);
        page.max_clusters = tenant ? tenant->max_clusters : caller.tenant.max_clusters;
        page.max_nodes = tenant ? tenant->max_nodes : caller.tenant.max_nodes;
        page.failing = store::list_clusters(
            connection, caller,
            home_query({ClusterStatus::incomplete, ClusterStatus::inconsistent}));
        if (!page.failing.empty()) {
            page.labels = read_labels(connection, caller.tenant.id,
                                      {provisioner::model::CatalogueKind::service});
        }
        for (const auto& cluster : page.failing) {
            const bool has_reason = cluster.latest_job && !cluster.message.empty();
            if (!has_reason || page.reasons.size() == home_rows) continue;
            auto words =
                failure_words(store::kinds_of_job(connection, cluster.latest_job->id), page.labels);
            if (!words.empty()) page.reasons.emplace(cluster.id, std::move(words));
        }
        page.pending =
            store::list_clusters(connection, caller, home_query({ClusterStatus::pending}));
        page.active = store::list_clusters(connection, caller, home_query({ClusterStatus::active}));
        page.expiring = store::list_expiring(connection, caller, page.now + expiring_within,
                                             static_cast<int>(home_rows) + 1);
        if (!caller.is_superadmin()) return;
        page.installation = store::watched_numbers(connection);
        page.failing_everywhere = store::list_clusters(
            connection, caller,
            home_query_of_all({ClusterStatus::incomplete, ClusterStatus::inconsistent}));
    });
    const bool is_busy = page.counts.pending > 0;
    return drawn(
        app, visitor, 200, "home/index",
        {.title = translated("Home"),
         .section = "home",
         .script = "live.js",
         .refresh = reload_every(is_busy ? home_refresh : std::chrono::seconds{0}, request)},
        to_json(page));
}

}  // namespace fcgi::pages
