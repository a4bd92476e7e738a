#include "fcgi/pages/routes.hpp"

#include "fcgi/pages/audit/events.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/templates.hpp"
#include "fcgi/pages/changes/change.hpp"
#include "fcgi/pages/clusters/actions.hpp"
#include "fcgi/pages/clusters/create.hpp"
#include "fcgi/pages/clusters/reads.hpp"
#include "fcgi/pages/daemons/daemons.hpp"
#include "fcgi/pages/docs.hpp"
#include "fcgi/pages/machines/login_keys.hpp"
#include "fcgi/pages/machines/prices.hpp"
#include "fcgi/pages/machines/unknown_machines.hpp"
#include "fcgi/pages/people/people.hpp"
#include "fcgi/pages/profile/credentials.hpp"
#include "fcgi/pages/profile/factor.hpp"
#include "fcgi/pages/profile/profile.hpp"
#include "fcgi/pages/tenants/login.hpp"

namespace fcgi::pages {

using auth::Need;

namespace {

Route long_form(Route route) {
    return with_longest_form(std::move(route), http::long_form_limit);
}

/// A page for which a session must have been proven a short while ago.
Route proven(Route route) {
    route.needs_proof = true;
    return route;
}

/// A page that a session may use that has to set a password or a second factor first.
Route duty(Route route) {
    route.is_a_duty = true;
    return route;
}

}  // namespace

std::vector<Route> routes() {
    return {
        {"GET", "/", home, Need::user},
        {"GET", "/login", show_login, Need::nobody},
        {"POST", "/login", log_in, Need::nobody},
        {"POST", "/logout", log_out, Need::nobody},
        {"GET", "/login/code", show_code_form, Need::nobody},
        {"POST", "/login/code", give_code, Need::nobody},

        {"GET", "/profile", show_own_profile, Need::user},
        duty({"GET", "/profile/password", show_password_form, Need::user}),
        duty({"POST", "/profile/password", change_password, Need::user}),
        duty({"GET", "/profile/proof", show_proof_form, Need::user}),
        duty({"POST", "/profile/proof", prove, Need::user}),
        duty(proven({"GET", "/profile/factor", show_factor, Need::user})),
        duty(proven({"POST", "/profile/factor", confirm_factor, Need::user})),
        proven({"POST", "/profile/factor/recovery", replace_recovery_codes, Need::user}),
        proven({"POST", "/profile/factor/remove", remove_own_factor, Need::user}),
        {"POST", "/profile/sessions/end", end_other_sessions, Need::user},
        {"POST", "/profile/sessions/{id}/end", end_own_session, Need::user},
        proven({"GET", "/profile/keys", make_own_key, Need::user}),
        proven({"POST", "/profile/keys", make_own_key, Need::user}),
        {"POST", "/profile/keys/{id}/delete", delete_own_key, Need::user},

        {"GET", "/people", list_people, Need::admin},
        {"GET", "/people/{user}", show_person, Need::admin},
        proven({"POST", "/people/{user}/password", reset_person, Need::admin}),
        proven({"POST", "/people/{user}/factor/remove", remove_factor_of_person, Need::admin}),
        proven({"POST", "/people/{user}/access", change_access_of_person, Need::admin}),
        {"POST", "/people/{user}/sessions/end", end_sessions_of_person, Need::admin},
        {"POST", "/people/{user}/keys/delete", delete_key_of_person, Need::admin},

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
        {"GET", "/login-keys", list_login_keys, Need::admin},
        proven({"POST", "/login-keys", rotate_login_key, Need::admin}),
        {"GET", "/login-keys/{id}", show_login_key, Need::admin},
        {"GET", "/prices", show_prices, Need::admin},
        with_longest_form({"POST", "/prices", replace_prices, Need::admin}, http::price_form_limit),
        {"GET", "/audit", list_audit, Need::admin},
        {"GET", "/audit/{number}", show_audit_event, Need::admin},
        {"GET", "/daemons", list_daemons, Need::superadmin},
        {"GET", "/docs/api", show_api, Need::nobody},

        {"GET", "/catalogue/{kind}", list_entries, Need::admin},
        {"GET", "/catalogue/{kind}/{name}", show_entry, Need::admin},
    };
}

}  // namespace fcgi::pages
