#include "fcgi/api/catalogue/exchange.hpp"

#include "fcgi/api/refusals.hpp"
#include "fcgi/api/wire.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/catalogue/exchange.hpp"
#include "provisioner/operations/clusters/resolve_template.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;

namespace {

namespace model = provisioner::model;
namespace operations = provisioner::operations;

}  // namespace

Response export_catalogue(const Request&, const Visitor& visitor, App& app) {
    Json all = operations::export_catalogue(app.database, visitor.who());
    for (auto& collection : all.items()) {
        for (Json& entry : collection.value()) entry = in_wire_order(entry);
    }
    return http::json(200, all);
}

Response import_catalogue(const Request& request, const Visitor& visitor, App& app) {
    const auto json = http::read_json(request.body, http::long_json_value_limit);
    // The wire contract accepts an empty array as an empty catalogue.
    const bool is_catalogue = json && (json->is_object() || (json->is_array() && json->empty()));
    if (!is_catalogue) return http::text(400, "invalid input");
    const auto imported =
        operations::import_catalogue(app.database, visitor.who(), *json, app.clock.now());
    if (imported) return http::empty(200);
    if (!imported.error().wire_message.empty()) return refused(imported.error());
    return invalid_input(imported.error().problems);
}

Response resolve_template(const Request& request, const Visitor& visitor, App& app) {
    if (http::trim(request.body).empty()) {
        return http::text(400, "Cluster template can't be read.");
    }
    const auto json = http::read_json(request.body);
    if (!json || !json->is_object()) return http::text(400, "invalid input");
    const auto own = model::cluster_template_from_json(*json);
    if (!own) return invalid_input(own.error());
    auto resolved = operations::resolve_for_review(app.database, visitor.who(), *own);
    if (!resolved) return refused(resolved.error());
    resolved->header.version = 1;
    return http::json(200, model::readable_by(visitor.who(), model::to_json(*resolved)));
}

}  // namespace fcgi::api
