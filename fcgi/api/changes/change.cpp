#include "fcgi/api/changes/change.hpp"

#include "fcgi/api/refusals.hpp"
#include "fcgi/api/wire.hpp"
#include "fcgi/forms/change_cluster.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/http/json_body.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::operations::Refusal;

namespace {

namespace base = provisioner::base;
namespace operations = provisioner::operations;

template <class Read>
forms::ChangeForm form_in(const Request& request, Read&& read) {
    if (http::trim(request.body).empty()) return read(Json());
    const auto json = http::read_json(request.body);
    if (!json) return base::unexpected(json.error());
    return read(*json);
}

Response change(const Request& request, const Visitor& visitor, App& app,
                const forms::ChangeForm& wanted) {
    if (!wanted) return http::unprocessable(wanted.error());
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);

    const auto changed =
        operations::change_cluster(app.database, visitor.who(), *id, *wanted, app.clock.now());
    return changed ? http::empty(200) : refused_ours(changed.error());
}

}  // namespace

Response add_services(const Request& request, const Visitor& visitor, App& app) {
    const auto wanted = form_in(request, forms::add_services);
    if (!wanted) return http::text(400, "Invalid request body.");
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);

    const auto now = app.clock.now();
    const auto added = operations::change_cluster(app.database, visitor.who(), *id, *wanted, now);
    if (added) return http::empty(200);
    if (added.error().kind != Refusal::Kind::unsatisfiable) return refused(added.error());
    // A second transaction: the refused change has written nothing. It records nothing if the
    // cluster is no longer active.
    operations::record_failed_addition(app.database, visitor.who(), *id, added.error().wire_message,
                                       now);
    return http::empty(200);
}

Response remove_services(const Request& request, const Visitor& visitor, App& app) {
    return change(request, visitor, app, form_in(request, forms::remove_services));
}

Response grow_cluster(const Request& request, const Visitor& visitor, App& app) {
    return change(request, visitor, app, form_in(request, forms::grow_cluster));
}

Response shrink_cluster(const Request& request, const Visitor& visitor, App& app) {
    return change(request, visitor, app, form_in(request, forms::shrink_cluster));
}

Response replace_node(const Request& request, const Visitor& visitor, App& app) {
    const auto read = [&](const Json& json) {
        return forms::replace_node(json, request.path_value("node"));
    };
    return change(request, visitor, app, form_in(request, read));
}

}  // namespace fcgi::api
