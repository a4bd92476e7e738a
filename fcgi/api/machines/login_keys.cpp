#include "fcgi/api/machines/login_keys.hpp"

#include "fcgi/api/refusals.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/store/machines/login_key_store.hpp"
#include "provisioner/store/machines/node_login_store.hpp"

namespace fcgi::api {

using provisioner::base::Json;
using provisioner::base::to_millis;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr int most_key_nodes = 10'000;

/// The provider that a body names; empty for all. Null: the body is wrong.
base::Checked<std::string> provider_in(const std::string& body) {
    if (body.empty()) return std::string();
    auto json = http::read_json(body);
    if (!json) return base::unexpected(json.error());
    if (!json->is_object()) {
        return base::unexpected(base::Problems{{"", "the body is no object"}});
    }
    const Json* provider = base::member(*json, "provider");
    if (provider == nullptr || provider->is_null()) return std::string();
    if (!provider->is_string()) {
        return base::unexpected(base::Problems{{"provider", "must be a text"}});
    }
    return provider->get<std::string>();
}

/// The ids of nodes that a body names.
base::Checked<std::vector<std::string>> nodes_in(const std::string& body) {
    auto json = http::read_json(body);
    if (!json) return base::unexpected(json.error());
    const Json* named = json->is_object() ? base::member(*json, "nodes") : nullptr;
    if (named == nullptr || !named->is_array()) {
        return base::unexpected(base::Problems{{"nodes", "must be an array of ids"}});
    }
    std::vector<std::string> nodes;
    for (const Json& one : *named) {
        if (!one.is_string()) {
            return base::unexpected(base::Problems{{"nodes", "must be an array of ids"}});
        }
        nodes.push_back(one.get<std::string>());
    }
    return nodes;
}

}  // namespace

Json login_key_json(const operations::LoginKeyView& key) {
    const model::LoginKeyRow& row = key.row;
    return {{"id", row.id.value},
            {"provider", row.provider},
            {"publicKey", row.public_key},
            {"state", base::to_word(row.state)},
            {"madeAt", to_millis(row.made_at)},
            {"madeBy", row.made_by},
            {"spreadAt", row.spread_at ? to_millis(*row.spread_at) : 0},
            {"nodes", key.progress.nodes},
            {"done", key.progress.done},
            {"failed", key.progress.failed},
            {"givenUp", key.progress.given_up},
            {"withoutMachine", key.progress.without_machine}};
}

Json login_keys_json(const operations::LoginKeysView& view) {
    Json providers = Json::array();
    for (const operations::ProviderLogin& one : view.providers) {
        providers.push_back({{"provider", one.provider},
                             {"providerType", one.provider_type},
                             {"source", base::to_word(one.source)},
                             {"keyId", one.key ? one.key->id.value : 0}});
    }
    Json keys = Json::array();
    for (const auto& key : view.keys) keys.push_back(login_key_json(key));
    return {{"providers", std::move(providers)}, {"keys", std::move(keys)}};
}

Json key_nodes_json(const std::vector<model::NodeLogin>& nodes) {
    Json list = Json::array();
    for (const model::NodeLogin& node : nodes) {
        list.push_back({{"node", node.uuid},
                        {"clusterId", model::wire_id(node.cluster)},
                        {"hostname", node.hostname},
                        {"step", base::to_word(node.step)},
                        {"standing", base::to_word(node.standing)},
                        {"tries", node.tries},
                        {"message", node.message},
                        {"retryAt", node.retry_at ? to_millis(*node.retry_at) : 0},
                        {"givenUpBy", node.given_up_by}});
    }
    return list;
}

http::Response list_login_keys(const http::Request&, const auth::Visitor& visitor, App& app) {
    const auto view = app.database.read([&](store::Connection& connection) {
        return operations::login_keys_of(connection, visitor.who().tenant.id);
    });
    return http::json(200, login_keys_json(view));
}

http::Response rotate_login_key(const http::Request& request, const auth::Visitor& visitor,
                                App& app) {
    const auto provider = provider_in(request.body);
    if (!provider) return http::unprocessable(provider.error());
    const auto made =
        operations::rotate_login_key(app.database, visitor.who(), *provider, app.clock.now());
    return made ? http::json(202, login_key_json({.row = *made})) : refused_ours(made.error());
}

http::Response show_login_key(const http::Request& request, const auth::Visitor& visitor,
                              App& app) {
    const std::string& text = request.path_value("id");
    const auto id = base::parse_number(text);
    std::optional<operations::LoginKeyView> found;
    std::vector<model::NodeLogin> nodes;
    if (id) {
        app.database.read([&](store::Connection& connection) {
            found.reset();
            const auto row =
                store::find_login_key(connection, visitor.who().tenant.id, model::LoginKeyId{*id});
            if (!row) return;
            found = operations::LoginKeyView{
                .row = *row, .progress = store::login_progress(connection, row->id)};
            nodes = store::nodes_for_key(connection, row->id, most_key_nodes);
        });
    }
    if (!found) return http::text(404, "there is no login key " + text);
    Json json = login_key_json(*found);
    json["onNodes"] = key_nodes_json(nodes);
    return http::json(200, json);
}

http::Response give_up_older_keys(const http::Request& request, const auth::Visitor& visitor,
                                  App& app) {
    const std::string& text = request.path_value("id");
    const auto id = base::parse_number(text);
    if (!id) return http::text(404, "there is no login key " + text);
    const auto nodes = nodes_in(request.body);
    if (!nodes) return http::unprocessable(nodes.error());
    const auto given_up =
        operations::give_up_older_keys(app.database, visitor.who(), model::LoginKeyId{*id}, *nodes);
    return given_up ? http::json(200, {{"nodes", *given_up}}) : refused_ours(given_up.error());
}

}  // namespace fcgi::api
