#include "fcgi/routes.hpp"

#include "fcgi/api/access/groups.hpp"
#include "fcgi/api/access/permissions.hpp"
#include "fcgi/api/audit/events.hpp"
#include "fcgi/api/catalogue/entries.hpp"
#include "fcgi/api/catalogue/exchange.hpp"
#include "fcgi/api/catalogue/provider_tests.hpp"
#include "fcgi/api/changes/change.hpp"
#include "fcgi/api/clusters/create.hpp"
#include "fcgi/api/clusters/operations.hpp"
#include "fcgi/api/clusters/reads.hpp"
#include "fcgi/api/daemons/daemons.hpp"
#include "fcgi/api/jobs/plans.hpp"
#include "fcgi/api/jobs/tasks.hpp"
#include "fcgi/api/machines/leases.hpp"
#include "fcgi/api/machines/login_keys.hpp"
#include "fcgi/api/machines/nodes.hpp"
#include "fcgi/api/machines/prices.hpp"
#include "fcgi/api/machines/unknown_machines.hpp"
#include "fcgi/api/openapi.hpp"
#include "fcgi/api/plugins/resources.hpp"
#include "fcgi/api/tenants/api_keys.hpp"
#include "fcgi/api/tenants/credentials.hpp"
#include "fcgi/api/tenants/identity_providers.hpp"
#include "fcgi/api/tenants/profile.hpp"
#include "fcgi/api/tenants/tenants.hpp"
#include "fcgi/api/tenants/usage.hpp"
#include "fcgi/monitoring/handlers.hpp"
#include "fcgi/pages/routes.hpp"

namespace fcgi {

using auth::Need;
using provisioner::model::CatalogueKind;
using provisioner::model::Operation;
using provisioner::model::PluginKind;
using provisioner::operations::PriceListOwner;

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

/// The routes of one kind of plugin: the types and their files.
template <PluginKind kind>
void add_plugins(std::vector<Route>& table, const std::string& path) {
    using Calls = api::Plugins<kind>;
    const std::string plugin = path + "/{plugin}";
    const std::string shelf = plugin + "/{resourcetype}";
    const std::string file = shelf + "/{name}";
    const std::string version = file + "/versions/{version}";
    const std::vector<Route> plugins{
        {"GET", path, Calls::list, Need::user},
        {"GET", plugin, Calls::show, Need::user},
        {"DELETE", plugin, Calls::remove, Need::superadmin},
        {"DELETE", shelf, Calls::remove_version, Need::superadmin},
        {"GET", shelf, Calls::list_resources, Need::user},
        {"GET", file, Calls::list_versions, Need::admin},
        {"POST", file, Calls::upload, Need::admin, std::nullopt, false, true},
        {"DELETE", file, Calls::remove_resource, Need::admin},
        {"DELETE", version, Calls::remove_resource_version, Need::admin},
        {"POST", version + "/stage", Calls::stage, Need::admin},
        {"POST", version + "/recall", Calls::recall, Need::admin},
    };
    table.insert(table.end(), plugins.begin(), plugins.end());
}

/// The routes of a price list.
template <PriceListOwner owner>
void add_price_list(std::vector<Route>& table, const std::string& path, Need writer) {
    using Calls = api::PriceList<owner>;
    table.push_back({"GET", path, Calls::show, Need::user});
    table.push_back({"PUT", path, Calls::replace, writer});
    table.push_back({"DELETE", path, Calls::remove, writer});
}

/// The two routes of an action on services: for all services and for one.
template <Operation operation>
void add_service_action(std::vector<Route>& table, const std::string& action) {
    using Calls = api::ServiceAction<operation>;
    const std::string services = "/v2/clusters/{id}/services/";
    table.push_back({"POST", services + action, Calls::of_all, Need::user});
    table.push_back({"POST", services + "{service}/" + action, Calls::of_one, Need::user});
}

/// Calls that make or take away credentials and people. A page's script needs a session that was
/// proven a short while ago.
bool is_dangerous(const std::string& pattern) {
    return pattern == "/v2/profile/apikeys" || pattern.starts_with("/v2/loginkeys") ||
           pattern.starts_with("/v2/tenants") || pattern.starts_with("/v2/identityproviders") ||
           pattern.starts_with("/v2/groups") || pattern.starts_with("/v2/permissions");
}

std::vector<Route> make_table() {
    std::vector<Route> table{
        {"GET", "/status", api::server_status, Need::nobody},
        {"GET", "/healthz", monitoring::healthz, Need::nobody, std::nullopt, true, false, true},
        {"GET", "/readyz", monitoring::readyz, Need::nobody, std::nullopt, true, false, true},
        with_token({"GET", "/metrics", monitoring::show_metrics, Need::nobody, std::nullopt, true,
                    false, true}),
        {"GET", "/v2/openapi.json", api::show_openapi, Need::nobody},

        {"GET", "/v2/clusters", api::list_clusters, Need::user},
        {"POST", "/v2/clusters", api::create_cluster, Need::user},
        laborious(
            {"POST", "/v2/clusters/preview", api::preview_cluster, Need::user, std::nullopt, true}),
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
        {"POST", "/v2/clusters/{id}/clustertemplate/sync", api::sync_template, Need::user},
        {"POST", "/v2/clusters/{id}/grow", api::grow_cluster, Need::user},
        {"POST", "/v2/clusters/{id}/shrink", api::shrink_cluster, Need::user},
        {"POST", "/v2/clusters/{id}/nodes/{node}/replace", api::replace_node, Need::user},
        {"GET", "/v2/clusters/{id}/plans", api::list_plans, Need::user},
        {"GET", "/v2/clusters/{id}/plans/{job}", api::show_plan, Need::user},
        {"GET", "/v2/clusters/{id}/callbacks", api::list_callbacks, Need::user},
        {"GET", "/v2/clusters/{id}/tasks", api::list_tasks, Need::user},
        {"GET", "/v2/tasks/{id}/transcript", api::show_transcript, Need::user},

        {"GET", "/v2/export", api::export_catalogue, Need::user},
        {"POST", "/v2/import", api::import_catalogue, Need::admin},
        laborious({"POST", "/v2/resolve", api::resolve_template, Need::user, std::nullopt, true}),

        {"POST", "/v2/getNodeProperties", api::node_properties, Need::user, std::nullopt, true},
        {"GET", "/v2/nodes", api::list_nodes, Need::user},
        {"GET", "/v2/nodes/{id}", api::show_node, Need::user},
        // The engine logs in to the address in a record, so a caller that writes one can reach any
        // machine.
        {"POST", "/v2/nodes", api::create_node, Need::superadmin},
        {"PUT", "/v2/nodes/{id}", api::replace_node_record, Need::superadmin},
        {"DELETE", "/v2/nodes/{id}", api::delete_node, Need::superadmin},

        {"GET", "/v2/metrics/queues", api::queue_metrics, Need::admin,
         "Forbidden to get queue metrics."},
        {"GET", "/v2/metrics/nodes/usage", api::node_usage, Need::user},

        {"GET", "/v2/budget", api::show_budget, Need::user},

        {"GET", "/v2/identityproviders", api::list_identity_providers, Need::superadmin},
        {"GET", "/v2/identityproviders/{name}", api::show_identity_provider, Need::superadmin},
        {"PUT", "/v2/identityproviders/{name}", api::put_identity_provider, Need::superadmin},
        {"DELETE", "/v2/identityproviders/{name}", api::delete_identity_provider, Need::superadmin},
        {"POST", "/v2/identityproviders/{name}/test", api::test_identity_provider,
         Need::superadmin},
        {"GET", "/v2/audit", api::list_audit, Need::admin},
        {"GET", "/v2/audit/{number}", api::show_audit_event, Need::admin},

        {"POST", "/v2/plugins/sync", api::sync_resources, Need::admin},

        {"GET", "/v2/profile", api::show_profile, Need::account},
        {"PUT", "/v2/profile", api::replace_profile, Need::user},
        {"DELETE", "/v2/profile", api::delete_profile, Need::user},

        {"GET", "/v2/profile/apikeys", api::list_api_keys, Need::account},
        {"POST", "/v2/profile/apikeys", api::create_api_key, Need::account},
        {"DELETE", "/v2/profile/apikeys/{id}", api::delete_api_key, Need::account},
        {"GET", "/v2/profile/rights", api::show_rights, Need::account},

        {"GET", "/v2/groups", api::list_groups, Need::admin},
        {"GET", "/v2/groups/{group}", api::show_group, Need::admin},
        {"PUT", "/v2/groups/{group}", api::replace_group, Need::admin},
        {"DELETE", "/v2/groups/{group}", api::delete_group, Need::admin},
        {"GET", "/v2/permissions", api::list_permissions, Need::admin},
        {"GET", "/v2/permissions/{kind}/{name}", api::show_permission, Need::admin},
        {"PUT", "/v2/permissions/{kind}/{name}", api::replace_permission, Need::admin},
        {"DELETE", "/v2/permissions/{kind}/{name}", api::remove_permission, Need::admin},

        {"GET", "/v2/tenants", api::list_tenants, Need::superadmin, ""},
        {"POST", "/v2/tenants", api::create_tenant, Need::superadmin, ""},
        {"GET", "/v2/tenants/{tenant}", api::show_tenant, Need::superadmin, ""},
        {"PUT", "/v2/tenants/{tenant}", api::replace_tenant, Need::superadmin, ""},
        {"DELETE", "/v2/tenants/{tenant}", api::delete_tenant, Need::superadmin, ""},
        {"GET", "/v2/tenants/{tenant}/users", api::list_users, Need::superadmin, ""},
        {"POST", "/v2/tenants/{tenant}/users", api::create_user, Need::superadmin, ""},
        {"PUT", "/v2/tenants/{tenant}/users/{user}", api::change_user, Need::superadmin, ""},
        {"DELETE", "/v2/tenants/{tenant}/users/{user}", api::delete_user, Need::superadmin, ""},
        {"POST", "/v2/tenants/{tenant}/users/{user}/password", api::reset_user_password,
         Need::superadmin, ""},
        {"DELETE", "/v2/tenants/{tenant}/users/{user}/sessions", api::end_user_sessions,
         Need::superadmin, ""},
        {"DELETE", "/v2/tenants/{tenant}/users/{user}/factor", api::remove_user_factor,
         Need::superadmin, ""},
        {"GET", "/v2/provisioners", api::list_provisioners, Need::superadmin, ""},
        {"GET", "/v2/provisioners/{id}", api::show_provisioner, Need::superadmin, ""},
        {"GET", "/v2/daemons", api::list_daemons, Need::superadmin},

        {"POST", "/v2/providertests/{provider}", api::ask_provider_test, Need::admin},
        {"GET", "/v2/providertests/{provider}", api::show_provider_test, Need::admin},
        {"GET", "/v2/unknownmachines", api::list_unknown_machines, Need::admin},
        {"GET", "/v2/lostmachines", api::list_lost_machines, Need::admin},
        {"GET", "/v2/provideraccounts", api::list_provider_accounts, Need::admin},
        {"GET", "/v2/machineleases", api::list_machine_leases, Need::admin},
        {"POST", "/v2/machineleases/{id}/release", api::release_machine, Need::admin},
        {"GET", "/v2/loginkeys", api::list_login_keys, Need::admin},
        {"POST", "/v2/loginkeys", api::rotate_login_key, Need::admin},
        {"GET", "/v2/loginkeys/{id}", api::show_login_key, Need::admin},
        {"POST", "/v2/loginkeys/{id}/giveup", api::give_up_older_keys, Need::admin},
    };
    add_service_action<Operation::start_services>(table, "start");
    add_service_action<Operation::stop_services>(table, "stop");
    add_service_action<Operation::restart_services>(table, "restart");
    add_price_list<PriceListOwner::tenant>(table, "/v2/prices", Need::admin);
    add_price_list<PriceListOwner::everybody>(table, "/v2/prices/default", Need::superadmin);
    add_plugins<PluginKind::provider>(table, "/v2/plugins/providertypes");
    add_plugins<PluginKind::automator>(table, "/v2/plugins/automatortypes");
    add_collection<CatalogueKind::provider>(table, "/v2/providers");
    add_collection<CatalogueKind::hardware_type>(table, "/v2/hardwaretypes");
    add_collection<CatalogueKind::image_type>(table, "/v2/imagetypes");
    add_collection<CatalogueKind::service>(table, "/v2/services");
    add_collection<CatalogueKind::cluster_template>(table, "/v2/clustertemplates");
    add_collection<CatalogueKind::partial_template>(table, "/v2/partialtemplates");
    for (Route& route : table) {
        if (route.method != "GET" && is_dangerous(route.pattern)) route.needs_proof = true;
    }
    const std::vector<Route> pages = pages::routes();
    table.insert(table.end(), pages.begin(), pages.end());
    return table;
}

}  // namespace

bool is_for_viewing(const Route& route) {
    const bool is_own = route.need == auth::Need::account && route.pattern != "/" &&
                        route.pattern != "/permissions";
    return !route.changes() && !is_own;
}

const std::vector<Route>& routes() {
    static const std::vector<Route> table = make_table();
    return table;
}

}  // namespace fcgi
