#include "fcgi/api/machines/nodes.hpp"

#include <algorithm>

#include "fcgi/api/paging.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/api/wire.hpp"
#include "fcgi/forms/node.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/machines/nodes.hpp"
#include "provisioner/store/clusters/node_store.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::expected;
using provisioner::base::Json;
using provisioner::base::unexpected;

namespace {

namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

constexpr auto unreadable = "Exception reading node from body.";

const std::vector<model::ClusterStatus> with_nodes{
    model::ClusterStatus::pending, model::ClusterStatus::active, model::ClusterStatus::incomplete,
    model::ClusterStatus::inconsistent};

std::optional<ClusterDetails> read_nodes(store::Connection& connection, const model::Caller& caller,
                                         model::ClusterId id) {
    auto cluster = store::find_cluster(connection, caller, id);
    if (!cluster) return std::nullopt;
    ClusterDetails details;
    details.cluster = *std::move(cluster);
    details.nodes = store::nodes_of(connection, id);
    details.attempts = store::attempts_of(connection, id);
    return details;
}

std::optional<Json> find_node(store::Connection& connection, const model::Caller& caller,
                              const std::string& uuid) {
    const auto id = store::cluster_of_node(connection, uuid);
    const auto details = id ? read_nodes(connection, caller, *id) : std::nullopt;
    if (!details) return std::nullopt;
    for (const model::Node& node : details->nodes) {
        if (node.uuid == uuid) {
            return model::readable_by(caller, stored_node_json(*details, node));
        }
    }
    return std::nullopt;
}

/// The node of a body, or the wire contract's answer to a wrong one.
expected<model::Node, Response> node_in(const Request& request) {
    const auto json = http::read_json(request.body);
    if (!json || !json->is_object()) return unexpected(http::text(400, unreadable));
    if (provisioner::base::member(*json, "id") == nullptr) {
        return unexpected(http::text(400, "Node ID is not set"));
    }
    auto node = forms::node(*json);
    if (!node) {
        return unexpected(http::text(400, std::string(unreadable) + " " + to_text(node.error())));
    }
    if (node->uuid.empty()) return unexpected(http::text(400, "Node ID is not set"));
    return *std::move(node);
}

/// Writes the nodes of the clusters, newest cluster first, beginning with the cluster of the
/// cursor. Stops as soon as the page is full; list_clusters has read the summaries of all clusters
/// by then.
void write_nodes(store::Connection& connection, const model::Caller& caller,
                 const std::string& after, WrittenList& list) {
    store::ClusterQuery query{.statuses = with_nodes};
    if (!after.empty()) {
        const auto first = store::cluster_of_node(connection, after);
        if (!first) return;
        query.before = model::ClusterId{first->value + 1};
    }
    for (const store::ClusterSummary& cluster : store::list_clusters(connection, caller, query)) {
        if (list.has_ended()) return;
        const auto details = read_nodes(connection, caller, cluster.id);
        for (const model::Node& node : details->nodes) {
            list.add(node.uuid,
                     [&] { return model::readable_by(caller, stored_node_json(*details, node)); });
        }
    }
}

bool has_all(const model::Node& node, const std::vector<std::string>& services) {
    return std::all_of(services.begin(), services.end(), [&](const std::string& name) {
        return std::find(node.services.begin(), node.services.end(), name) != node.services.end();
    });
}

Json chosen_properties(const model::Node& node, const std::vector<std::string>& names) {
    Json all = model::properties_json(node);
    if (names.empty()) return all;
    Json chosen = Json::object();
    for (auto& [name, value] : all.items()) {
        if (std::find(names.begin(), names.end(), name) != names.end()) chosen[name] = value;
    }
    return chosen;
}

}  // namespace

Response list_nodes(const Request& request, const Visitor& visitor, App& app) {
    const auto page = page_in(request);
    if (!page) return http::text(400, page.error());
    return app.database.read([&](store::Connection& connection) {
        WrittenList list(request, *page);
        write_nodes(connection, visitor.who(), page->after, list);
        return std::move(list).answer();
    });
}

Response show_node(const Request& request, const Visitor& visitor, App& app) {
    const std::string& id = request.path_value("id");
    const auto node = app.database.read(
        [&](store::Connection& connection) { return find_node(connection, visitor.who(), id); });
    return node ? http::json(200, *node) : http::text(404, "Node " + id + " not found.");
}

Response create_node(const Request& request, const Visitor& visitor, App& app) {
    const auto node = node_in(request);
    if (!node) return node.error();
    const auto saved = operations::save_node(app.database, visitor.who(), *node, false);
    return saved ? http::empty(201) : refused(saved.error());
}

Response replace_node_record(const Request& request, const Visitor& visitor, App& app) {
    const auto node = node_in(request);
    if (!node) return node.error();
    if (node->uuid != request.path_value("id")) {
        return http::text(400, "Node ID in body does not match Node ID in URI path");
    }
    const auto saved = operations::save_node(app.database, visitor.who(), *node, true);
    return saved ? http::empty(204) : refused(saved.error());
}

Response delete_node(const Request& request, const Visitor& visitor, App& app) {
    const auto deleted =
        operations::delete_node(app.database, visitor.who(), request.path_value("id"));
    return deleted ? http::empty(204) : refused(deleted.error());
}

Response node_properties(const Request& request, const Visitor& visitor, App& app) {
    const auto json = http::read_json(request.body);
    const auto question =
        json ? forms::node_question(*json)
             : provisioner::base::Checked<forms::NodeQuestion>(unexpected(json.error()));
    if (!question) {
        return http::text(400, "Invalid request body. Must be a valid JSON Object.");
    }
    if (question->cluster.empty()) return http::text(400, "clusterId must be specified.");
    const auto id = cluster_id_in(question->cluster);
    if (!id) return http::text(400, "For input string: \"" + question->cluster + "\"");
    return http::json(200, app.database.read([&](store::Connection& connection) {
        Json found = Json::object();
        if (!store::find_summary(connection, visitor.who(), *id)) return found;
        for (const model::Node& node : store::nodes_of(connection, *id)) {
            if (!has_all(node, question->services)) continue;
            found[node.uuid] = chosen_properties(node, question->properties);
        }
        return found;
    }));
}

}  // namespace fcgi::api
