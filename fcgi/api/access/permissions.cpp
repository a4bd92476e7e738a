#include "fcgi/api/access/permissions.hpp"

#include "fcgi/api/paging.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/forms/tenant.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/store/access/group_store.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;

namespace {

namespace model = provisioner::model;
namespace store = provisioner::store;

Json permission_json(const model::Permission& permission, bool everybody) {
    Json roles = Json::array();
    for (const auto role : permission.roles) roles.push_back(provisioner::base::to_word(role));
    return {{"kind", model::collection_of(permission.entry.kind)},
            {"name", permission.entry.name},
            {"everybody", everybody},
            {"roles", std::move(roles)},
            {"groups", permission.groups},
            {"users", permission.users}};
}

/// The entry of a path; nothing for a kind that has no permissions.
std::optional<model::EntryName> entry_in_path(const Request& request) {
    const auto kind = model::kind_of_collection(request.path_value("kind"));
    if (!kind || !model::can_be_withheld(*kind)) return std::nullopt;
    return model::EntryName{.kind = *kind, .name = request.path_value("name")};
}

Response no_such_kind(const Request& request) {
    return http::text(404, "There are no permissions of " + request.path_value("kind") + ".");
}

}  // namespace

Response list_permissions(const Request& request, const Visitor& visitor, App& app) {
    const auto permissions = app.database.read([&](store::Connection& connection) {
        return store::list_permissions(connection, visitor.who().tenant.id);
    });
    Json array = Json::array();
    for (const auto& permission : permissions) array.push_back(permission_json(permission, false));
    return listed(request, array, "name");
}

Response show_permission(const Request& request, const Visitor& visitor, App& app) {
    const auto entry = entry_in_path(request);
    if (!entry) return no_such_kind(request);
    const auto found = app.database.read([&](store::Connection& connection) {
        return store::find_permission(connection, visitor.who().tenant.id, *entry);
    });
    return http::json(200, permission_json(found.value_or(model::Permission{.entry = *entry}),
                                           !found.has_value()));
}

Response replace_permission(const Request& request, const Visitor& visitor, App& app) {
    const auto entry = entry_in_path(request);
    if (!entry) return no_such_kind(request);
    const auto json = http::read_json(request.body);
    if (!json) return http::unprocessable(json.error());
    const auto wanted = forms::permission(*entry, *json);
    if (!wanted) return http::unprocessable(wanted.error());
    const auto set = provisioner::operations::set_permission(app.database, visitor.who(), *wanted);
    return set ? http::empty(200) : refused_ours(set.error());
}

Response remove_permission(const Request& request, const Visitor& visitor, App& app) {
    const auto entry = entry_in_path(request);
    if (!entry) return no_such_kind(request);
    provisioner::operations::remove_permission(app.database, visitor.who(), *entry);
    return http::empty(200);
}

Response show_rights(const Request&, const Visitor& visitor, App& app) {
    const model::User& user = visitor.who().user;
    Json rights = Json::array();
    for (const auto& row : model::right_rows) {
        if (model::has(user.role, row.right)) rights.push_back(row.word);
    }
    const auto groups = app.database.read(
        [&](store::Connection& connection) { return store::groups_of(connection, user.id); });
    return http::json(200, {{"role", provisioner::base::to_word(user.role)},
                            {"rights", std::move(rights)},
                            {"groups", groups}});
}

}  // namespace fcgi::api
