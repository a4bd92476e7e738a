#include "fcgi/api/clusters/reads.hpp"

#include <algorithm>
#include <limits>

#include "fcgi/api/paging.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/api/wire.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/deletion_store.hpp"
#include "provisioner/store/jobs/callback_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;

namespace {

namespace base = provisioner::base;
namespace model = provisioner::model;
namespace store = provisioner::store;

Response not_found(const Request& request, const char* end) {
    return http::text(404, "cluster " + request.path_value("id") + " not found" + end);
}

std::optional<ClusterDetails> read_details(store::Connection& connection,
                                           const model::Caller& caller, model::ClusterId id,
                                           base::Timestamp now) {
    auto cluster = store::find_cluster(connection, caller, id);
    if (!cluster) return std::nullopt;
    const model::JobId job = cluster->latest_job;
    const bool has_ended = cluster->expires_at && *cluster->expires_at <= now;
    auto failed = has_ended ? store::failed_deletions(connection, id) : std::nullopt;
    auto nodes = store::nodes_of(connection, id);
    auto cost = provisioner::operations::cluster_cost(connection, *cluster, nodes, now);
    return ClusterDetails{.cluster = *std::move(cluster),
                          .tenant_uid = caller.tenant.uid,
                          .latest_job = store::find_job(connection, job),
                          .nodes = std::move(nodes),
                          .attempts = store::attempts_of(connection, id),
                          .failed_deletions = std::move(failed),
                          .cost = std::move(cost)};
}

std::optional<model::Cluster> read_cluster(const Visitor& visitor, App& app, model::ClusterId id) {
    return app.database.read([&](store::Connection& connection) {
        return store::find_cluster(connection, visitor.who(), id);
    });
}

std::optional<model::ClusterStatus> status_in(std::string_view word) {
    return base::from_word<model::ClusterStatus>(base::in_small_letters(word));
}

/// A list of clusters as JSON text, to which portions are added.
struct ListedClusters {
    std::string text = "[";
    int count = 0;
    model::ClusterId last;

    void add(const std::vector<store::ClusterSummary>& clusters) {
        for (const store::ClusterSummary& cluster : clusters) {
            if (count++ > 0) text += ',';
            text += base::to_text(to_json(cluster));
            last = cluster.id;
        }
    }
};

/// Clusters read at once. As rows and JSON trees they take about fifty times the memory of their
/// text in the answer.
constexpr int read_at_once = 500;

// Each portion begins below the last id of the one before. A cluster created meanwhile therefore
// neither shifts nor repeats entries, although the portions are separate transactions.
ListedClusters read_list(const Visitor& visitor, App& app, store::ClusterQuery query) {
    ListedClusters listed;
    const int wanted = query.limit > 0 ? query.limit : std::numeric_limits<int>::max();
    while (listed.count < wanted) {
        query.limit = std::min(read_at_once, wanted - listed.count);
        const auto clusters = app.database.read([&](store::Connection& connection) {
            return store::list_clusters(connection, visitor.who(), query);
        });
        listed.add(clusters);
        if (std::ssize(clusters) < query.limit) break;
        query.before = listed.last;
    }
    listed.text += ']';
    return listed;
}

}  // namespace

std::vector<model::ClusterStatus> statuses_in(const std::optional<std::string>& filter) {
    std::vector<model::ClusterStatus> statuses;
    std::string_view rest = filter ? std::string_view(*filter) : std::string_view{};
    while (!rest.empty()) {
        const auto end = std::min(rest.find(','), rest.size());
        const auto status = status_in(rest.substr(0, end));
        // Each costs a part of the query, so a status that is repeated counts once.
        const bool is_new =
            status && std::find(statuses.begin(), statuses.end(), *status) == statuses.end();
        if (is_new) statuses.push_back(*status);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return statuses;
}

Response list_clusters(const Request& request, const Visitor& visitor, App& app) {
    const auto page = page_in(request);
    if (!page) return http::text(400, page.error());
    const auto before = cluster_id_in(page->after.empty() ? "0" : page->after);
    if (!before || (before->value < 1 && !page->after.empty())) return unknown_cursor();
    const store::ClusterQuery query{.statuses = statuses_in(request.query_value("status")),
                                    .limit = page->limit,
                                    .before = *before};
    ListedClusters listed = read_list(visitor, app, query);
    auto response = http::json_text(200, std::move(listed.text));
    const bool is_full = query.limit > 0 && listed.count == query.limit;
    if (!is_full) return response;
    return http::with_header(std::move(response), "Link",
                             next_link(request, model::wire_id(listed.last)));
}

Response show_cluster(const Request& request, const Visitor& visitor, App& app) {
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);
    const auto details = app.database.read([&](store::Connection& connection) {
        return read_details(connection, visitor.who(), *id, app.clock.now());
    });
    return details ? http::json(200, model::readable_by(visitor.who(), to_json(*details)))
                   : not_found(request, ".");
}

Response show_status(const Request& request, const Visitor& visitor, App& app) {
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);
    const auto cluster = app.states.find(visitor.who(), *id);
    // The wire contract has no full stop in this text only.
    return cluster ? http::json(200, status_json(*cluster)) : not_found(request, "");
}

Response show_config(const Request& request, const Visitor& visitor, App& app) {
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);
    const auto cluster = read_cluster(visitor, app, *id);
    return cluster ? http::json(200, model::readable_by(visitor.who(), cluster->config,
                                                        model::DocumentKind::configuration))
                   : not_found(request, ".");
}

Response show_services(const Request& request, const Visitor& visitor, App& app) {
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);
    const auto cluster = read_cluster(visitor, app, *id);
    return cluster ? http::json(200, Json(cluster->services)) : not_found(request, ".");
}

Json to_json(const model::Callback& callback) {
    return {{"id", callback.id},
            {"event", base::to_word(callback.event)},
            {"job", model::wire_id(callback.cluster, callback.job)},
            {"action", base::to_word(callback.operation)},
            {"clusterstatus", base::to_word(callback.cluster_status)},
            {"status", base::to_word(callback.state)},
            {"attempts", callback.attempts},
            {"reply", callback.reply.value_or(0)},
            {"error", callback.error},
            {"createTime", base::to_millis(callback.created_at)},
            {"finishTime", millis_or_zero(callback.finished_at)}};
}

Response list_callbacks(const Request& request, const Visitor& visitor, App& app) {
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);
    const auto list = app.database.read([&](store::Connection& connection) {
        Json array;
        if (!store::find_summary(connection, visitor.who(), *id)) return array;
        array = Json::array();
        for (const auto& one : store::callbacks_of(connection, *id)) array.push_back(to_json(one));
        return array;
    });
    return list.is_null() ? not_found(request, ".") : listed(request, list, "id");
}

}  // namespace fcgi::api
