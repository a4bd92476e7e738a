#include "fcgi/api/tenants/api_keys.hpp"

#include "fcgi/api/paging.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/api/wire.hpp"
#include "fcgi/forms/api_key.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/model/tenants/key_rights.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;

namespace {

namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

Json key_json(const model::ApiKey& key) {
    Json rights = Json::array();
    for (const auto& right : key.limits.rights) rights.push_back(model::to_text(right));
    Json clusters = Json::array();
    for (const auto id : key.limits.clusters) clusters.push_back(base::padded(id, 8));
    return {{"id", key.id},
            {"name", key.name},
            {"scope", base::to_word(key.limits.scope)},
            {"rights", std::move(rights)},
            {"clusters", std::move(clusters)},
            {"createTime", base::to_millis(key.created_at)},
            {"expireTime", millis_or_zero(key.limits.expires_at)},
            {"useTime", millis_or_zero(key.last_used_at)}};
}

}  // namespace

Response list_api_keys(const Request& request, const Visitor& visitor, App& app) {
    const auto keys = app.database.read([&](store::Connection& connection) {
        return store::list_api_keys(connection, visitor.who().user.id);
    });
    Json array = Json::array();
    for (const model::ApiKey& key : keys) array.push_back(key_json(key));
    return listed(request, array, "id");
}

Response create_api_key(const Request& request, const Visitor& visitor, App& app) {
    const auto json = http::read_json(request.body);
    if (!json) return http::unprocessable(json.error());
    const auto wanted = forms::api_key(*json);
    if (!wanted) return http::unprocessable(wanted.error());
    const auto made = operations::create_api_key(app.database, visitor.who(), *wanted, visitor.key,
                                                 app.clock.now());
    if (!made) return refused_ours(made.error());
    Json body = key_json(made->key);
    body["apikey"] = made->secret.reveal();
    return http::json(200, body);
}

Response delete_api_key(const Request& request, const Visitor& visitor, App& app) {
    const std::string& text = request.path_value("id");
    const auto id = base::parse_number(text);
    if (!id) return http::text(404, "API key " + text + " not found.");
    const auto deleted = operations::delete_api_key(app.database, visitor.who(), *id);
    return deleted ? http::empty(200) : refused(deleted.error());
}

}  // namespace fcgi::api
