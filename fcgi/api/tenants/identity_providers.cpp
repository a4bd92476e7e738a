#include "fcgi/api/tenants/identity_providers.hpp"

#include "fcgi/api/paging.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/operations/identity_providers/edit.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;

namespace {

Response done_or_refused_here(const operations::Result<void>& result) {
    return result ? http::empty(200) : refused_ours(result.error());
}

}  // namespace

Json identity_provider_json(const model::IdentityProvider& provider) {
    Json json{{"name", provider.name}};
    json.update(model::to_json(provider));
    return json;
}

Response list_identity_providers(const Request& request, const Visitor&, App& app) {
    Json list = Json::array();
    for (const auto& provider : operations::list_identity_providers(app.database)) {
        list.push_back(identity_provider_json(provider));
    }
    return listed(request, list, "name");
}

Response show_identity_provider(const Request& request, const Visitor&, App& app) {
    const auto found = operations::identity_provider(app.database, request.path_value("name"));
    if (!found) return refused_ours(found.error());
    Json json = identity_provider_json(*found);
    json["hasSecret"] = !found->secret.empty();
    return http::json(200, json);
}

Response put_identity_provider(const Request& request, const Visitor& visitor, App& app) {
    const auto json = http::read_json(request.body);
    if (!json) return http::unprocessable(json.error());
    auto provider = model::identity_provider_from(*json);
    if (!provider) return http::unprocessable(provider.error());
    provider->name = request.path_value("name");
    const base::Secret secret(base::text_at(*json, "secret"));
    const bool plain = app.identity_providers->settings().plain_loopback;
    return done_or_refused_here(operations::save_identity_provider(
        app.database, visitor.who(), *std::move(provider), secret, plain, app.clock.now()));
}

Response delete_identity_provider(const Request& request, const Visitor& visitor, App& app) {
    return done_or_refused_here(operations::delete_identity_provider(
        app.database, visitor.who(), request.path_value("name"), app.clock.now()));
}

Response test_identity_provider(const Request& request, const Visitor&, App& app) {
    const auto found = operations::identity_provider(app.database, request.path_value("name"));
    if (!found) return refused_ours(found.error());
    const auto problems = app.identity_providers->test_stored(*found, app.clock.now()).problems;
    return http::json(200, {{"works", problems.empty()}, {"problems", problems}});
}

}  // namespace fcgi::api
