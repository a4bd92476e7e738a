#include "fcgi/api/tenants/tenants.hpp"

#include "fcgi/api/costs.hpp"
#include "fcgi/api/paging.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/forms/tenant.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

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

expected<operations::TenantSpec, Response> tenant_in(const Request& request) {
    const auto json = http::read_json(request.body);
    if (!json || !json->is_object()) return unexpected(http::text(400, "invalid input"));
    auto wanted = forms::tenant(*json);
    if (!wanted) return unexpected(invalid_input(wanted.error()));
    return *std::move(wanted);
}

std::vector<operations::ProvisionerView> read_provisioners(App& app) {
    return app.database.read([&](store::Connection& connection) {
        return operations::provisioner_views(connection, app.clock.now());
    });
}

Json counts_json(const std::vector<std::pair<std::string, int>>& counts) {
    Json json = Json::object();
    for (const auto& [name, count] : counts) json[name] = count;
    return json;
}

}  // namespace

Json to_json(const model::Tenant& tenant) {
    Json json = Json::object();
    if (!tenant.description.empty()) json["description"] = tenant.description;
    json["workers"] = tenant.workers;
    json["maxClusters"] = tenant.max_clusters;
    json["maxNodes"] = tenant.max_nodes;
    json["name"] = tenant.name;
    if (tenant.budget) json["budget"] = to_json(*tenant.budget);
    if (tenant.provider_types) json["providerTypes"] = *tenant.provider_types;
    return json;
}

Json to_json(const operations::ProvisionerView& provisioner) {
    return {{"id", provisioner.id},
            {"host", provisioner.host},
            {"port", 0},
            {"capacityTotal", provisioner.capacity_total},
            {"assignments", counts_json(provisioner.assignments)},
            {"usage", counts_json(provisioner.usage)},
            {"capacityFree", provisioner.capacity_free}};
}

Response list_tenants(const Request& request, const Visitor&, App& app) {
    const auto tenants = app.database.read(
        [](store::Connection& connection) { return store::list_tenants(connection); });
    Json array = Json::array();
    for (const model::Tenant& tenant : tenants) array.push_back(to_json(tenant));
    return listed(request, array, "name");
}

Response create_tenant(const Request& request, const Visitor& visitor, App& app) {
    const auto wanted = tenant_in(request);
    if (!wanted) return wanted.error();
    return done_or_refused(
        operations::create_tenant(app.database, visitor.who(), *wanted, app.clock.now()));
}

Response show_tenant(const Request& request, const Visitor&, App& app) {
    const std::string& name = request.path_value("tenant");
    const auto tenant = app.database.read(
        [&](store::Connection& connection) { return store::find_tenant(connection, name); });
    if (tenant) return http::json(200, to_json(*tenant));
    return http::text(404, "tenant " + name + " not found");
}

Response replace_tenant(const Request& request, const Visitor& visitor, App& app) {
    const auto wanted = tenant_in(request);
    if (!wanted) return wanted.error();
    return done_or_refused(operations::replace_tenant(
        app.database, visitor.who(), request.path_value("tenant"), *wanted, app.clock.now()));
}

Response delete_tenant(const Request& request, const Visitor& visitor, App& app) {
    return done_or_refused(
        operations::delete_tenant(app.database, visitor.who(), request.path_value("tenant")));
}

Response list_users(const Request& request, const Visitor&, App& app) {
    const auto users = operations::list_users(app.database, request.path_value("tenant"));
    if (!users) return refused_ours(users.error());
    Json array = Json::array();
    for (const model::User& user : *users) {
        array.push_back({{"name", user.name}, {"role", provisioner::base::to_word(user.role)}});
    }
    return listed(request, array, "name");
}

Response create_user(const Request& request, const Visitor& visitor, App& app) {
    const auto json = http::read_json(request.body);
    if (!json) return http::unprocessable(json.error());
    const auto wanted = forms::user(*json);
    if (!wanted) return http::unprocessable(wanted.error());
    const auto key =
        operations::create_user(app.database, visitor.who(), request.path_value("tenant"), *wanted,
                                app.clock.now(), app.sign_in);
    if (!key) return refused_ours(key.error());
    return http::json(200, {{"name", wanted->name},
                            {"role", provisioner::base::to_word(wanted->role)},
                            {"apikey", key->reveal()}});
}

Response delete_user(const Request& request, const Visitor& visitor, App& app) {
    return done_or_refused(operations::delete_user(
        app.database, visitor.who(), request.path_value("tenant"), request.path_value("user")));
}

Response list_provisioners(const Request& request, const Visitor&, App& app) {
    Json array = Json::array();
    for (const auto& provisioner : read_provisioners(app)) array.push_back(to_json(provisioner));
    return listed(request, array, "id");
}

Response show_provisioner(const Request& request, const Visitor&, App& app) {
    const std::string& id = request.path_value("id");
    for (const auto& provisioner : read_provisioners(app)) {
        if (provisioner.id == id) return http::json(200, to_json(provisioner));
    }
    return http::text(404, "Provisioner " + id + " not found.");
}

}  // namespace fcgi::api
