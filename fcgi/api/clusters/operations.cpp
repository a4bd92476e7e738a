#include "fcgi/api/clusters/operations.hpp"

#include "fcgi/api/clusters/create.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/api/wire.hpp"
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

/// The provider fields of an optional body; nothing if the body is malformed.
std::optional<base::Json> provider_fields_in(const Request& request) {
    if (http::trim(request.body).empty()) return base::Json::object();
    const auto json = http::read_json(request.body);
    if (!json) return std::nullopt;
    const auto fields = forms::provider_fields(*json);
    return fields ? std::optional(*fields) : std::nullopt;
}

/// The optional body of a deletion; nothing if it is malformed.
std::optional<forms::DeleteCluster> deletion_in(const Request& request) {
    if (http::trim(request.body).empty()) return forms::DeleteCluster{};
    const auto json = http::read_json(request.body);
    if (!json) return std::nullopt;
    const auto wanted = forms::delete_cluster(*json);
    return wanted ? std::optional(*wanted) : std::nullopt;
}

Response accepted(const operations::Result<void>& result) {
    return result ? http::empty(200) : refused(result.error());
}

Response act(const Request& request, const Visitor& visitor, App& app, Operation operation,
             const std::optional<std::string>& service) {
    const auto fields = provider_fields_in(request);
    if (!fields) return http::text(400, invalid_body);
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);

    const operations::ServiceAction action{
        .operation = operation, .service = service, .provider_fields = *fields};
    return accepted(
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
    return accepted(change(app.database, visitor.who(), *id));
}

}  // namespace

Response delete_cluster(const Request& request, const Visitor& visitor, App& app) {
    const auto wanted = deletion_in(request);
    if (!wanted) return http::text(400, invalid_body);
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);

    const auto now = app.clock.now();
    if (wanted->force) {
        return accepted(operations::give_up_cluster(app.database, visitor.who(), *id, now));
    }
    return accepted(
        operations::delete_cluster(app.database, visitor.who(), *id, now, wanted->provider_fields));
}

Response configure_cluster(const Request& request, const Visitor& visitor, App& app) {
    const auto wanted = configuration_in(request);
    if (!wanted) return http::text(400, invalid_body);
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);

    return accepted(
        operations::configure_cluster(app.database, visitor.who(), *id, *wanted, app.clock.now()));
}

Response change_expiry(const Request& request, const Visitor& visitor, App& app) {
    const auto wanted = forms::expire_time(request.body);
    if (!wanted) return http::text(400, wanted.error().front().message);
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);

    return accepted(operations::change_expiry(app.database, visitor.who(), *id, *wanted));
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
    return control(request, visitor, app, operations::retry_job);
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
