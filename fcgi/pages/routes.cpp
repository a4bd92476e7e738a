#include "fcgi/pages/routes.hpp"

#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/templates.hpp"
#include "fcgi/pages/changes/change.hpp"
#include "fcgi/pages/clusters/actions.hpp"
#include "fcgi/pages/clusters/create.hpp"
#include "fcgi/pages/clusters/reads.hpp"
#include "fcgi/pages/daemons/daemons.hpp"
#include "fcgi/pages/docs.hpp"
#include "fcgi/pages/machines/prices.hpp"
#include "fcgi/pages/machines/unknown_machines.hpp"
#include "fcgi/pages/tenants/login.hpp"

namespace fcgi::pages {

using auth::Need;

namespace {

Route long_form(Route route) {
    return with_longest_form(std::move(route), http::long_form_limit);
}

}  // namespace

std::vector<Route> routes() {
    return {
        {"GET", "/", home, Need::user},
        {"GET", "/login", show_login, Need::nobody},
        {"POST", "/login", log_in, Need::nobody},
        {"POST", "/logout", log_out, Need::nobody},

        {"GET", "/templates", list_templates, Need::user},

        {"GET", "/clusters", list_clusters, Need::user},
        {"GET", "/clusters/new", new_cluster, Need::user},
        long_form({"POST", "/clusters/new", change_new_cluster, Need::user, std::nullopt, true}),
        laborious(long_form(
            {"POST", "/clusters/preview", preview_cluster, Need::user, std::nullopt, true})),
        long_form({"POST", "/clusters", create_cluster, Need::user}),
        {"GET", "/clusters/{id}", show_cluster, Need::user},
        {"GET", "/clusters/{id}/tasks/{task}", show_task, Need::user},
        {"GET", "/clusters/{id}/delete", Asked<Question::delete_cluster>::ask, Need::user},
        {"POST", "/clusters/{id}/delete", Asked<Question::delete_cluster>::act, Need::user},
        {"GET", "/clusters/{id}/give-up", Asked<Question::give_up>::ask, Need::admin},
        {"POST", "/clusters/{id}/give-up", Asked<Question::give_up>::act, Need::admin},
        {"GET", "/clusters/{id}/abort", Asked<Question::abort_job>::ask, Need::user},
        {"POST", "/clusters/{id}/abort", Asked<Question::abort_job>::act, Need::user},
        {"POST", "/clusters/{id}/pause", pause_job, Need::user},
        {"POST", "/clusters/{id}/resume", resume_job, Need::user},
        {"POST", "/clusters/{id}/retry", retry_job, Need::user},
        {"POST", "/clusters/{id}/services/start", start_services, Need::user},
        {"GET", "/clusters/{id}/services/stop", Asked<Question::stop_services>::ask, Need::user},
        {"POST", "/clusters/{id}/services/stop", Asked<Question::stop_services>::act, Need::user},
        {"GET", "/clusters/{id}/services/restart", Asked<Question::restart_services>::ask,
         Need::user},
        {"POST", "/clusters/{id}/services/restart", Asked<Question::restart_services>::act,
         Need::user},
        {"GET", "/clusters/{id}/configure", show_configuration, Need::user},
        long_form({"POST", "/clusters/{id}/configure", configure_cluster, Need::user}),
        laborious({"GET", "/clusters/{id}/grow", ClusterChange<Change::grow>::ask, Need::user}),
        long_form({"POST", "/clusters/{id}/grow", ClusterChange<Change::grow>::act, Need::user}),
        laborious({"GET", "/clusters/{id}/shrink", ClusterChange<Change::shrink>::ask, Need::user}),
        long_form(
            {"POST", "/clusters/{id}/shrink", ClusterChange<Change::shrink>::act, Need::user}),
        laborious({"GET", "/clusters/{id}/services/add", ClusterChange<Change::add_services>::ask,
                   Need::user}),
        long_form({"POST", "/clusters/{id}/services/add", ClusterChange<Change::add_services>::act,
                   Need::user}),
        laborious({"GET", "/clusters/{id}/services/remove",
                   ClusterChange<Change::remove_services>::ask, Need::user}),
        long_form({"POST", "/clusters/{id}/services/remove",
                   ClusterChange<Change::remove_services>::act, Need::user}),
        laborious({"GET", "/clusters/{id}/nodes/{node}/replace",
                   ClusterChange<Change::replace>::ask, Need::user}),
        long_form({"POST", "/clusters/{id}/nodes/{node}/replace",
                   ClusterChange<Change::replace>::act, Need::user}),
        {"GET", "/clusters/{id}/lease", show_lease, Need::user},
        {"POST", "/clusters/{id}/lease", change_lease, Need::user},

        {"GET", "/unknown-machines", list_unknown_machines, Need::admin},
        {"GET", "/prices", show_prices, Need::admin},
        with_longest_form({"POST", "/prices", replace_prices, Need::admin}, http::price_form_limit),
        {"GET", "/daemons", list_daemons, Need::superadmin},
        {"GET", "/docs/api", show_api, Need::nobody},

        {"GET", "/catalogue/{kind}", list_entries, Need::admin},
        {"GET", "/catalogue/{kind}/{name}", show_entry, Need::admin},
    };
}

}  // namespace fcgi::pages
