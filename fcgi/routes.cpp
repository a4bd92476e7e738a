#include "fcgi/routes.hpp"

#include "fcgi/api/catalogue.hpp"
#include "fcgi/api/cluster_changes.hpp"
#include "fcgi/api/cluster_operations.hpp"
#include "fcgi/api/cluster_reads.hpp"
#include "fcgi/api/clusters.hpp"
#include "fcgi/api/daemons.hpp"
#include "fcgi/api/plans.hpp"
#include "fcgi/api/status.hpp"
#include "fcgi/api/tasks.hpp"
#include "fcgi/pages/routes.hpp"

namespace fcgi {

using auth::Need;
using provisioner::model::CatalogueKind;
using provisioner::model::Operation;

namespace {

/// The seven routes of one catalogue collection.
template <CatalogueKind kind>
void add_collection(std::vector<Route>& table, const std::string& path) {
    using Calls = api::Catalogue<kind>;
    const std::string one = path + "/{name}";
    const std::string one_version = one + "/{version}";
    const std::vector<Route> collection{
        {"GET", path, Calls::list, Need::user},
        {"GET", one, Calls::show, Need::user},
        {"GET", one_version, Calls::show_version, Need::user},
        {"POST", path, Calls::create, Need::admin},
        {"PUT", one, Calls::replace, Need::admin},
        {"DELETE", one, Calls::remove, Need::admin},
        {"DELETE", one_version, Calls::remove_version, Need::admin},
    };
    table.insert(table.end(), collection.begin(), collection.end());
}

/// The two routes of an action on services: of all, and of one.
template <Operation operation>
void add_service_action(std::vector<Route>& table, const std::string& action) {
    using Calls = api::ServiceAction<operation>;
    const std::string services = "/v2/clusters/{id}/services/";
    table.push_back({"POST", services + action, Calls::of_all, Need::user});
    table.push_back({"POST", services + "{service}/" + action, Calls::of_one, Need::user});
}

std::vector<Route> make_table() {
    std::vector<Route> table{
        {"GET", "/status", api::server_status, Need::nobody},

        {"GET", "/v2/clusters", api::list_clusters, Need::user},
        {"POST", "/v2/clusters", api::create_cluster, Need::user},
        {"POST", "/v2/clusters/preview", api::preview_cluster, Need::user},
        {"GET", "/v2/clusters/{id}", api::show_cluster, Need::user},
        {"POST", "/v2/clusters/{id}", api::change_expiry, Need::user},
        {"DELETE", "/v2/clusters/{id}", api::delete_cluster, Need::user},
        {"POST", "/v2/clusters/{id}/abort", api::abort_job, Need::user},
        {"POST", "/v2/clusters/{id}/pause", api::pause_job, Need::user},
        {"POST", "/v2/clusters/{id}/resume", api::resume_job, Need::user},
        {"POST", "/v2/clusters/{id}/retry", api::retry_job, Need::user},
        {"GET", "/v2/clusters/{id}/status", api::show_status, Need::user},
        {"GET", "/v2/clusters/{id}/config", api::show_config, Need::user},
        {"PUT", "/v2/clusters/{id}/config", api::configure_cluster, Need::user},
        {"GET", "/v2/clusters/{id}/services", api::show_services, Need::user},
        {"POST", "/v2/clusters/{id}/services", api::add_services, Need::user},
        {"POST", "/v2/clusters/{id}/services/remove", api::remove_services, Need::user},
        {"POST", "/v2/clusters/{id}/grow", api::grow_cluster, Need::user},
        {"POST", "/v2/clusters/{id}/shrink", api::shrink_cluster, Need::user},
        {"POST", "/v2/clusters/{id}/nodes/{node}/replace", api::replace_node, Need::user},
        {"GET", "/v2/clusters/{id}/plans", api::list_plans, Need::user},
        {"GET", "/v2/clusters/{id}/plans/{job}", api::show_plan, Need::user},
        {"GET", "/v2/clusters/{id}/callbacks", api::list_callbacks, Need::user},
        {"GET", "/v2/clusters/{id}/tasks", api::list_tasks, Need::user},
        {"GET", "/v2/tasks/{id}/transcript", api::show_transcript, Need::user},
        {"GET", "/v2/daemons", api::list_daemons, Need::superadmin},
    };
    add_service_action<Operation::start_services>(table, "start");
    add_service_action<Operation::stop_services>(table, "stop");
    add_service_action<Operation::restart_services>(table, "restart");
    add_collection<CatalogueKind::provider>(table, "/v2/providers");
    add_collection<CatalogueKind::hardware_type>(table, "/v2/hardwaretypes");
    add_collection<CatalogueKind::image_type>(table, "/v2/imagetypes");
    add_collection<CatalogueKind::service>(table, "/v2/services");
    add_collection<CatalogueKind::cluster_template>(table, "/v2/clustertemplates");
    add_collection<CatalogueKind::partial_template>(table, "/v2/partialtemplates");
    const std::vector<Route> pages = pages::routes();
    table.insert(table.end(), pages.begin(), pages.end());
    return table;
}

}  // namespace

const std::vector<Route>& routes() {
    static const std::vector<Route> table = make_table();
    return table;
}

}  // namespace fcgi
