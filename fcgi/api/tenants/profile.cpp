#include "fcgi/api/tenants/profile.hpp"

#include "fcgi/http/json_body.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/store/tenants/profile_store.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;

namespace {

namespace operations = provisioner::operations;
namespace store = provisioner::store;

}  // namespace

Response show_profile(const Request&, const Visitor& visitor, App& app) {
    const auto profile = app.database.read([&](store::Connection& connection) {
        return store::find_profile(connection, visitor.who().user.id);
    });
    return profile ? http::json(200, *profile) : http::empty(404);
}

Response replace_profile(const Request& request, const Visitor& visitor, App& app) {
    const auto json = http::read_json(request.body);
    // The wire contract accepts an empty array as an empty object.
    const bool is_empty_array = json && json->is_array() && json->empty();
    if (!json || !(json->is_object() || is_empty_array)) return http::text(400, "invalid request.");
    const Json profile = is_empty_array ? Json::object() : *json;
    app.database.write([&](store::Connection& connection) {
        store::save_profile(connection, visitor.who().user.id, profile);
        // What is in it is the user's own.
        operations::audit(connection, visitor.who(),
                          {.action = "profile.replace", .object = {.kind = "profile"}});
    });
    return http::empty(200);
}

Response delete_profile(const Request&, const Visitor& visitor, App& app) {
    app.database.write([&](store::Connection& connection) {
        store::delete_profile(connection, visitor.who().user.id);
        operations::audit(connection, visitor.who(),
                          {.action = "profile.delete", .object = {.kind = "profile"}});
    });
    return http::empty(200);
}

}  // namespace fcgi::api
