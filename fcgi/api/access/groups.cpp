#include "fcgi/api/access/groups.hpp"

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

Json group_json(const provisioner::model::Group& group) {
    return {{"name", group.name}, {"description", group.description}, {"members", group.members}};
}

}  // namespace

Response list_groups(const Request& request, const Visitor& visitor, App& app) {
    const auto groups = app.database.read([&](provisioner::store::Connection& connection) {
        return provisioner::store::list_groups(connection, visitor.who().tenant.id);
    });
    Json array = Json::array();
    for (const auto& group : groups) array.push_back(group_json(group));
    return listed(request, array, "name");
}

Response show_group(const Request& request, const Visitor& visitor, App& app) {
    const std::string& name = request.path_value("group");
    const auto group = app.database.read([&](provisioner::store::Connection& connection) {
        return provisioner::store::find_group(connection, visitor.who().tenant.id, name);
    });
    return group ? http::json(200, group_json(*group))
                 : http::text(404, "group " + name + " not found");
}

Response replace_group(const Request& request, const Visitor& visitor, App& app) {
    const auto json = http::read_json(request.body);
    if (!json) return http::unprocessable(json.error());
    const auto wanted = forms::group(request.path_value("group"), *json);
    if (!wanted) return http::unprocessable(wanted.error());
    const auto saved =
        provisioner::operations::save_group(app.database, visitor.who(), *wanted, app.clock.now());
    return saved ? http::empty(200) : refused_ours(saved.error());
}

Response delete_group(const Request& request, const Visitor& visitor, App& app) {
    return done_or_refused(provisioner::operations::delete_group(app.database, visitor.who(),
                                                                 request.path_value("group")));
}

}  // namespace fcgi::api
