#include "fcgi/pages/home/home.hpp"

#include <algorithm>
#include <utility>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/catalogue/builder/clashes.hpp"
#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/failure_words.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/size_store.hpp"
#include "provisioner/store/clusters/service_states.hpp"

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

bool was_left_unfinished(const store::ClusterSummary& cluster) {
    return model::is_left_unfinished(cluster.latest_job);
}

/// What was aborted or not retried is said by the status, since it is no failure; what is left of
/// it is not.
std::string words_of_rest(const model::Job& job) {
    const int left = job.tasks_total - job.tasks_done;
    return left <= 0 ? "" : translated_count(left, "{0} task is left.", "{0} tasks are left.");
}

/// With its tenant in a list of all tenants. Labels are those of the viewer's own tenant.
Json home_cluster(const store::ClusterSummary& cluster, const HomePage& page) {
    const bool is_elsewhere = page.installation && cluster.tenant != page.of_tenant;
    Json json;
    json["name"] = cluster.name;
    const std::string path = "/clusters/" + model::wire_id(cluster.id);
    json["href"] = is_elsewhere ? in_view(cluster.tenant, path) : path;
    json["description"] = one_line(cluster.description, description_in_lists);
    json["owner"] = cluster.owner;
    json["in_tenant"] = page.installation ? cluster.tenant : std::string();
    const auto status = shown_status(cluster.status, cluster.latest_job, cluster.services_stopped);
    json["status"] = status.css;
    json["status_words"] = status.words;
    json["message"] =
        was_left_unfinished(cluster)
            ? words_of_rest(*cluster.latest_job)
            : reason_said_once(cluster.message, is_elsewhere ? Labels() : page.labels);
    json["about"] = translated("{0} of {1}",
                               translated_count(cluster.node_count, "{0} machine", "{0} machines"),
                               title_of(cluster.cluster_template));
    json["expires"] = cluster.expires_at ? moment(*cluster.expires_at, page.now) : Json();
    json["total"] = cluster.latest_job ? std::max(cluster.latest_job->tasks_total, 1) : 1;
    json["done"] = cluster.latest_job ? cluster.latest_job->tasks_done : 0;
    return json;
}

/// What does not run although the cluster was in use: "Stopped: Load balancer."
std::string words_of_stopped(const store::ClusterSummary& cluster, const HomePage& page) {
    const auto found = page.stopped.find(cluster.id);
    if (found == page.stopped.end()) return "";
    const bool is_own = cluster.tenant == page.of_tenant;
    return translated("Stopped: {0}.",
                      listed((is_own ? page.labels : Labels())
                                 .services({found->second.begin(), found->second.end()})));
}

Json home_clusters(const std::vector<store::ClusterSummary>& clusters, const HomePage& page) {
    Json list = Json::array();
    for (std::size_t at = 0; at < std::min(clusters.size(), home_rows); ++at) {
        list.push_back(home_cluster(clusters[at], page));
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

std::size_t number_of(std::int64_t count) {
    return static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
}

Json home_tiles(const HomePage& page) {
    const std::string scope = page.installation ? "tenants=all" : "";
    const auto clusters = [&](const std::string& status) {
        return "/clusters?" + scope + (scope.empty() ? "" : "&") + "status=" + status;
    };
    Json tiles = Json::array();
    tiles.push_back(home_tile(translated("Active clusters"), number_of(page.counts.active),
                              clusters("active")));
    tiles.push_back(home_tile(translated("Clusters in progress"), number_of(page.counts.pending),
                              clusters("pending")));
    tiles.push_back(home_tile(translated("Clusters with problems"), number_of(page.counts.failing),
                              clusters("failing")));
    tiles.push_back(home_tile(translated("Machines"), number_of(page.counts.nodes),
                              scope.empty() ? "/machines" : "/machines?" + scope));
    if (page.counts.stopped > 0) {
        tiles.push_back(home_tile(translated("With stopped services"),
                                  number_of(page.counts.stopped), clusters("stopped")));
    }
    return tiles;
}

/// Of all tenants for superadmins.
store::ClusterQuery home_query(const model::Caller& caller,
                               std::vector<model::ClusterStatus> statuses) {
    return {.statuses = std::move(statuses),
            .all_tenants = caller.is_superadmin(),
            .limit = static_cast<int>(home_rows) + 1};
}

/// Those that users are offered, the worst first, then by name.
void read_broken_templates(store::Connection& connection, model::TenantId tenant, HomePage& page) {
    constexpr auto kind = model::CatalogueKind::cluster_template;
    const auto around =
        surroundings_in(provisioner::operations::read_catalogue(connection, tenant));
    const auto troubles = troubles_of_templates(
        around, store::list_template_sizes(connection, tenant), read_audience(connection, tenant),
        services_lacking_files(around.entries, read_given_files(connection, tenant)));
    const auto drafts = templates_that_are_drafts(store::list_permissions(connection, tenant));
    for (const auto& [name, trouble] : troubles.templates) {
        if (drafts.contains(name)) continue;
        page.broken.push_back({.name = name,
                               .label = around.labels.of(kind, name),
                               .reason = trouble.sentences.front(),
                               .weight = trouble.weight});
    }
    std::ranges::stable_sort(page.broken, {}, &HomeTemplate::weight);
    page.broken_count = page.broken.size();
    page.broken.resize(std::min(page.broken_count, home_rows));
}

void read_installation(store::Connection& connection, const model::Caller& caller, HomePage& page) {
    HomeInstallation& installation = page.installation.emplace();
    installation.numbers = store::watched_numbers(connection);
    count_claims(installation.numbers.daemons, store::work_in_flight(connection));
    installation.own = std::exchange(page.counts, store::count_all_clusters(connection, caller));
    const auto queues = store::list_tenant_queues(connection);
    const auto longest = std::ranges::find_if(queues, [](const auto& one) { return one.due > 0; });
    if (longest == queues.end()) return;
    installation.longest = *longest;
    installation.wait = wait_of(longest->oldest_needs, *longest, due_of_all(queues),
                                workforce_of(installation.numbers.daemons));
}

}  // namespace

Json to_json(const HomePage& page) {
    Json json;
    json["of_tenant"] = page.of_tenant;
    json["follow"] = page.counts.pending > 0 ? "yes" : "no";
    json["tiles"] = home_tiles(page);
    const store::ClusterCounts& own = page.installation ? page.installation->own : page.counts;
    const bool has_own = own.active + own.pending + own.failing > 0;
    json["installation"] = page.installation ? to_json(*page.installation) : Json();
    const bool has_quota = page.max_clusters != model::no_maximum ||
                           page.max_nodes != model::no_maximum || page.budget.has_value();
    json["shows_own"] = page.installation ? has_own : has_quota;
    json["own_clusters"] = page.installation && has_own
                               ? translated_count(own.active + own.pending + own.failing,
                                                  "{0} current cluster", "{0} current clusters")
                               : std::string();
    json["scope"] = page.installation ? "tenants=all&" : "";
    json["quotas"] = {
        home_quota("quota-clusters", translated("Clusters"), page.use.clusters, page.max_clusters),
        home_quota("quota-machines", translated("Machines"), page.use.nodes, page.max_nodes)};
    json["limits"] = page.budget ? budget_limits_json(*page.budget) : Json::array();
    json["unpriced"] = page.unpriced_currency.empty() ? page.unpriced_types
                                                      : unpriced_words(page.unpriced_currency);
    json["may_create"] = page.may_create;
    json["show_owner"] = page.show_owner;
    json["is_empty"] = !page.installation && !has_own;
    json["all_is_well"] = page.installation && page.failing.empty() && page.pending.empty();
    json["has_failing"] = !page.failing.empty();
    json["failing"] = home_clusters(page.failing, page);
    for (std::size_t at = 0; at < json["failing"].size(); ++at) {
        const auto reason = page.reasons.find(page.failing[at].id);
        Json& message = json["failing"][at]["message"];
        if (reason != page.reasons.end()) message = reason->second;
        message =
            joined_sentences(message.get<std::string>(), words_of_stopped(page.failing[at], page));
    }
    json["more_failing"] = page.failing.size() > home_rows;
    json["has_pending"] = !page.pending.empty();
    json["pending"] = home_clusters(page.pending, page);
    json["more_pending"] = page.pending.size() > home_rows;
    json["has_expiring"] = !page.expiring.empty();
    json["expiring"] = home_expiring(page);
    json["more_expiring"] = page.expiring.size() > home_rows;
    json["has_broken"] = !page.broken.empty();
    const bool do_some_work = std::ranges::any_of(page.broken, [](const HomeTemplate& one) {
        return one.weight != TroubleWeight::nothing_works;
    });
    json["broken_title"] = do_some_work ? translated("Templates that do not work, or not fully")
                                        : translated("Templates that do not work");
    json["broken"] = Json::array();
    for (const HomeTemplate& one : page.broken) {
        json["broken"].push_back(
            {{"label", one.label},
             {"reason", one.reason},
             {"never_works", one.weight == TroubleWeight::nothing_works},
             {"href", entry_page(model::CatalogueKind::cluster_template, one.name)}});
    }
    json["more_broken"] = page.broken_count > page.broken.size()
                              ? translated("The {0} worst of {1} that are offered to users.",
                                           grouped(page.broken.size()), grouped(page.broken_count))
                              : "";
    json["has_active"] = !page.active.empty();
    json["active"] = home_clusters(page.active, page);
    json["more_active"] =
        page.active.size() > home_rows
            ? translated("The {0} newest of {1}.", grouped(home_rows),
                         translated_count(static_cast<std::size_t>(page.counts.active),
                                          "{0} cluster", "{0} clusters"))
            : "";
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
        if (tenant && tenant->budget && caller.may(model::Right::see_tenant)) {
            page.budget = provisioner::operations::budget_state(connection, *tenant, page.now);
        }
        page.failing = store::list_clusters(
            connection, caller,
            home_query(caller, {ClusterStatus::incomplete, ClusterStatus::inconsistent}));
        if (!page.failing.empty()) {
            page.labels = read_labels(connection, caller.tenant.id,
                                      {provisioner::model::CatalogueKind::service});
        }
        std::vector<model::ClusterId> with_stopped;
        for (const auto& cluster : page.failing) {
            if (cluster.services_stopped > 0) with_stopped.push_back(cluster.id);
        }
        page.stopped = store::stopped_services(connection, with_stopped);
        for (const auto& cluster : page.failing) {
            const bool has_reason =
                cluster.latest_job && !cluster.message.empty() && !was_left_unfinished(cluster);
            if (!has_reason || page.reasons.size() == home_rows) continue;
            const bool is_own = cluster.tenant == page.of_tenant;
            auto words = failure_words(store::kinds_of_job(connection, cluster.latest_job->id),
                                       is_own ? page.labels : Labels());
            if (!words.empty()) page.reasons.emplace(cluster.id, std::move(words));
        }
        page.pending =
            store::list_clusters(connection, caller, home_query(caller, {ClusterStatus::pending}));
        if (caller.is_superadmin()) return read_installation(connection, caller, page);
        page.active =
            store::list_clusters(connection, caller, home_query(caller, {ClusterStatus::active}));
        // What is followed is drawn every few seconds, and this is no part of it.
        const bool is_whole_page = request.header("x-live-parts").empty();
        if (is_whole_page && auth::may_administer(visitor)) {
            read_broken_templates(connection, caller.tenant.id, page);
            page.unpriced_currency =
                provisioner::operations::unpriced_currency(connection, caller.tenant);
            page.unpriced_types = read_unpriced_types(connection, caller.tenant, page.now);
        }
        page.expiring = store::list_expiring(connection, caller, page.now + expiring_within,
                                             static_cast<int>(home_rows) + 1);
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
