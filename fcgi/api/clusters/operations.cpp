#include "fcgi/api/clusters/operations.hpp"

#include "fcgi/api/refusals.hpp"
#include "fcgi/api/wire.hpp"
#include "fcgi/forms/change_cluster.hpp"
#include "fcgi/forms/configure_cluster.hpp"
#include "fcgi/forms/delete_cluster.hpp"
#include "fcgi/forms/expire_time.hpp"
#include "fcgi/forms/provider_fields.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/operations/changes/sync_template.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/clusters/lease.hpp"
#include "provisioner/operations/clusters/service_actions.hpp"
#include "provisioner/operations/jobs/control.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::model::Operation;

namespace {

namespace base = provisioner::base;
namespace operations = provisioner::operations;

constexpr auto invalid_body = "Invalid request body.";

/// An optional body as `read` understands it, which gets null if there is none; nothing if it is
/// malformed.
template <class T>
std::optional<T> optional_body(const Request& request,
                               base::Checked<T> (&read)(const base::Json&)) {
    const bool is_absent = http::trim(request.body).empty();
    const auto json =
        is_absent ? base::Checked<base::Json>(base::Json()) : http::read_json(request.body);
    if (!json) return std::nullopt;
    auto wanted = read(*json);
    return wanted ? std::optional<T>(*std::move(wanted)) : std::nullopt;
}

Response act(const Request& request, const Visitor& visitor, App& app, Operation operation,
             const std::optional<std::string>& service) {
    const auto fields = optional_body(request, forms::provider_fields);
    if (!fields) return http::text(400, invalid_body);
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);

    const operations::ServiceAction action{
        .operation = operation,
        .services = service ? std::vector{*service} : std::vector<std::string>{},
        .provider_fields = *fields};
    return done_or_refused(
        operations::act_on_services(app.database, visitor.who(), *id, action, app.clock.now()));
}

base::Checked<operations::ConfigureCluster> configuration_in(const Request& request) {
    const auto json = http::read_json(request.body);
    if (!json) return base::unexpected(json.error());
    return forms::configure_cluster(*json);
}

using Control = operations::Result<void>(provisioner::store::Database&,
                                         const provisioner::model::Caller&,
                                         provisioner::model::ClusterId);

Response control(const Request& request, const Visitor& visitor, App& app, Control& change) {
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);
    return done_or_refused(change(app.database, visitor.who(), *id));
}

}  // namespace

Response delete_cluster(const Request& request, const Visitor& visitor, App& app) {
    const auto wanted = optional_body(request, forms::delete_cluster);
    if (!wanted) return http::text(400, invalid_body);
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);

    const auto now = app.clock.now();
    if (wanted->force) {
        return done_or_refused(operations::give_up_cluster(app.database, visitor.who(), *id, now));
    }
    return done_or_refused(
        operations::delete_cluster(app.database, visitor.who(), *id, now, wanted->provider_fields));
}

Response configure_cluster(const Request& request, const Visitor& visitor, App& app) {
    const auto wanted = configuration_in(request);
    if (!wanted) return http::text(400, invalid_body);
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);

    return done_or_refused(
        operations::configure_cluster(app.database, visitor.who(), *id, *wanted, app.clock.now()));
}

Response change_expiry(const Request& request, const Visitor& visitor, App& app) {
    const auto wanted = forms::expire_time(request.body);
    if (!wanted) return http::text(400, wanted.error().front().message);
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);

    return done_or_refused(
        operations::change_expiry(app.database, visitor.who(), *id, *wanted, app.clock.now()));
}

Response sync_template(const Request& request, const Visitor& visitor, App& app) {
    return control(request, visitor, app, operations::sync_template);
}

Response pause_job(const Request& request, const Visitor& visitor, App& app) {
    return control(request, visitor, app, operations::pause_job);
}

Response resume_job(const Request& request, const Visitor& visitor, App& app) {
    return control(request, visitor, app, operations::resume_job);
}

Response abort_job(const Request& request, const Visitor& visitor, App& app) {
    return control(request, visitor, app, operations::abort_job);
}

Response retry_job(const Request& request, const Visitor& visitor, App& app) {
    const auto nodes = optional_body(request, forms::retry_job);
    if (!nodes) return http::text(400, invalid_body);
    if (!*nodes) return control(request, visitor, app, operations::retry_job);
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);

    const auto done = operations::retry_machines(app.database, visitor.who(), *id, **nodes);
    return done ? done_or_refused(done) : refused_ours(done.error());
}

template <Operation operation>
Response ServiceAction<operation>::of_all(const Request& request, const Visitor& visitor,
                                          App& app) {
    return act(request, visitor, app, operation, std::nullopt);
}

template <Operation operation>
Response ServiceAction<operation>::of_one(const Request& request, const Visitor& visitor,
                                          App& app) {
    return act(request, visitor, app, operation, request.path_value("service"));
}

template struct ServiceAction<Operation::start_services>;
template struct ServiceAction<Operation::stop_services>;
template struct ServiceAction<Operation::restart_services>;

}  // namespace fcgi::api
