#include "fcgi/pages/routes.hpp"

#include "fcgi/pages/access/groups.hpp"
#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/audit/events.hpp"
#include "fcgi/pages/catalogue/builder/templates.hpp"
#include "fcgi/pages/catalogue/change_drafts.hpp"
#include "fcgi/pages/catalogue/editors/edit.hpp"
#include "fcgi/pages/catalogue/editors/removal.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/exchange/exchange.hpp"
#include "fcgi/pages/catalogue/files/files.hpp"
#include "fcgi/pages/catalogue/offer.hpp"
#include "fcgi/pages/catalogue/templates.hpp"
#include "fcgi/pages/catalogue/versions/sync.hpp"
#include "fcgi/pages/catalogue/versions/update_all.hpp"
#include "fcgi/pages/catalogue/versions/versions.hpp"
#include "fcgi/pages/changes/change.hpp"
#include "fcgi/pages/clusters/actions.hpp"
#include "fcgi/pages/clusters/create.hpp"
#include "fcgi/pages/clusters/description.hpp"
#include "fcgi/pages/clusters/reads.hpp"
#include "fcgi/pages/clusters/tabs/reads.hpp"
#include "fcgi/pages/daemons/daemons.hpp"
#include "fcgi/pages/daemons/queues.hpp"
#include "fcgi/pages/docs.hpp"
#include "fcgi/pages/home/home.hpp"
#include "fcgi/pages/jobs/task_reads.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/machines/login_keys.hpp"
#include "fcgi/pages/machines/machines.hpp"
#include "fcgi/pages/machines/prices.hpp"
#include "fcgi/pages/machines/unknown_machines.hpp"
#include "fcgi/pages/people/people.hpp"
#include "fcgi/pages/people/person_deletion.hpp"
#include "fcgi/pages/people/second_factors.hpp"
#include "fcgi/pages/profile/credentials.hpp"
#include "fcgi/pages/profile/factor.hpp"
#include "fcgi/pages/profile/notifications.hpp"
#include "fcgi/pages/profile/profile.hpp"
#include "fcgi/pages/profile/security_keys.hpp"
#include "fcgi/pages/search/search.hpp"
#include "fcgi/pages/tenants/deletion.hpp"
#include "fcgi/pages/tenants/external.hpp"
#include "fcgi/pages/tenants/identity_providers.hpp"
#include "fcgi/pages/tenants/login.hpp"
#include "fcgi/pages/tenants/tenants.hpp"
#include "fcgi/pages/tenants/viewing.hpp"

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

/// The same for a form whose fields are checked first.
Route checked(Route route) {
    route.is_checked_first = true;
    return proven(std::move(route));
}

/// A page that a session may use that has to set a password or a second factor first.
Route duty(Route route) {
    route.is_a_duty = true;
    return route;
}

}  // namespace

std::vector<Route> routes() {
    return {
        {"GET", "/", home, Need::account},
        {"GET", "/login", show_login, Need::nobody},
        {"POST", "/login", log_in, Need::nobody},
        {"POST", "/logout", log_out, Need::nobody},
        {"POST", "/viewing/{tenant}", begin_view, Need::superadmin},
        {"POST", "/viewing/{tenant}/leave", leave_view, Need::superadmin},
        {"GET", "/login/code", show_code_form, Need::nobody},
        {"POST", "/login/code", give_code, Need::nobody},

        {"GET", "/login/with/{provider}", depart_to_provider, Need::nobody},
        {"POST", "/login/with/{provider}", depart_with_form, Need::nobody},
        {"GET", "/login/callback", arrive_from_provider, Need::nobody},
        {"GET", "/login/callback/{provider}", arrive_from_provider, Need::nobody},
        {"POST", "/login/backchannel", log_out_by_provider, Need::nobody},

        {"GET", "/forms/{id}", show_kept_form, Need::account},
        {"GET", "/profile", show_own_profile, Need::account},
        {"GET", "/profile/notifications", show_notifications, Need::account},
        checked({"POST", "/profile/notifications", choose_notifications, Need::account}),
        {"POST", "/profile/notifications/code", confirm_notifications, Need::account},
        duty({"GET", "/profile/password", show_password_form, Need::account}),
        duty({"POST", "/profile/password", change_password, Need::account}),
        duty({"GET", "/profile/proof", show_proof_form, Need::account}),
        duty({"POST", "/profile/proof", prove, Need::account}),
        duty(proven({"GET", "/profile/factor", show_factor, Need::account})),
        duty(proven({"POST", "/profile/factor", confirm_factor, Need::account})),
        proven({"POST", "/profile/factor/recovery", replace_recovery_codes, Need::account}),
        proven({"POST", "/profile/factor/remove", remove_own_app, Need::account}),
        duty(proven({"POST", "/profile/factor/keys", add_security_key, Need::account})),
        proven(
            {"POST", "/profile/factor/keys/{id}/remove", remove_own_security_key, Need::account}),
        proven({"POST", "/profile/sessions/end", end_other_sessions, Need::account}),
        proven({"POST", "/profile/sessions/{id}/end", end_own_session, Need::account}),
        proven({"GET", "/profile/keys", make_own_key, Need::account}),
        checked({"POST", "/profile/keys", make_own_key, Need::account}),
        {"POST", "/profile/keys/{id}/delete", delete_own_key, Need::account},

        {"GET", "/people", list_people, Need::admin},
        proven({"POST", "/people/second-factor", require_second_factor, Need::admin}),
        checked({"POST", "/people", create_person, Need::admin}),
        checked({"POST", "/people/{user}/role", change_role_of_person, Need::admin}),
        {"GET", "/people/{user}", show_person, Need::admin},
        proven({"POST", "/people/{user}/password", reset_person, Need::admin}),
        {"GET", "/people/{user}/factor/remove", ask_to_remove_factor, Need::admin},
        proven({"POST", "/people/{user}/factor/remove", remove_factor_of_person, Need::admin}),
        checked({"POST", "/people/{user}/access", change_access_of_person, Need::admin}),
        {"POST", "/people/{user}/sessions/end", end_sessions_of_person, Need::admin},
        {"POST", "/people/{user}/keys/delete", delete_key_of_person, Need::admin},
        {"GET", "/people/{user}/delete", ask_to_delete_person, Need::admin},
        checked({"POST", "/people/{user}/delete", delete_person, Need::admin}),

        {"GET", "/groups", list_groups, Need::admin},
        checked({"POST", "/groups", create_group, Need::admin}),
        {"GET", "/groups/{group}", show_group, Need::admin},
        checked({"POST", "/groups/{group}", replace_group, Need::admin}),
        proven({"POST", "/groups/{group}/delete", delete_group, Need::admin}),
        {"GET", "/permissions", show_permissions, Need::account},
        {"GET", "/permissions/{kind}/{name}", show_permission, Need::admin},
        checked({"POST", "/permissions/{kind}/{name}", save_permission, Need::admin}),

        {"GET", "/search", search, Need::user},
        {"GET", "/machines", list_machines_of_clusters, Need::user},
        {"GET", "/templates", list_templates, Need::user},

        {"GET", "/clusters", list_clusters, Need::user},
        {"GET", "/clusters/new", new_cluster, Need::cluster_user},
        long_form(
            {"POST", "/clusters/new", change_new_cluster, Need::cluster_user, std::nullopt, true}),
        long_form(
            {"POST", "/clusters/preview", ask_for_preview, Need::cluster_user, std::nullopt, true}),
        laborious({"GET", "/clusters/preview", preview_cluster, Need::cluster_user}),
        long_form({"POST", "/clusters", create_cluster, Need::user}),
        {"GET", "/clusters/{id}", show_cluster, Need::user},
        {"GET", "/clusters/{id}/machines", show_machines, Need::user},
        {"GET", "/clusters/{id}/machines/{node}", show_machine, Need::user},
        {"GET", "/clusters/{id}/jobs", show_jobs, Need::user},
        {"GET", "/clusters/{id}/jobs/{job}", show_job, Need::user},
        {"GET", "/clusters/{id}/jobs/{job}/graph", show_job_graph, Need::user},
        {"GET", "/clusters/{id}/jobs/{job}/timeline", show_job_timeline, Need::user},
        {"GET", "/clusters/{id}/services", show_services, Need::user},
        {"GET", "/clusters/{id}/settings", show_settings, Need::user},
        {"GET", "/clusters/{id}/tasks/{task}", show_task, Need::user},
        laborious({"GET", "/clusters/{id}/tasks/{task}/log", download_task_log, Need::user}),
        {"GET", "/clusters/{id}/delete", Asked<Question::delete_cluster>::ask, Need::cluster_user},
        {"POST", "/clusters/{id}/delete", Asked<Question::delete_cluster>::act, Need::user},
        {"GET", "/clusters/{id}/give-up", Asked<Question::give_up>::ask, Need::admin},
        {"POST", "/clusters/{id}/give-up", Asked<Question::give_up>::act, Need::admin},
        {"GET", "/clusters/{id}/abort", Asked<Question::abort_job>::ask, Need::cluster_user},
        {"POST", "/clusters/{id}/abort", Asked<Question::abort_job>::act, Need::user},
        {"POST", "/clusters/{id}/pause", pause_job, Need::user},
        {"POST", "/clusters/{id}/resume", resume_job, Need::user},
        {"POST", "/clusters/{id}/retry", retry_job, Need::user},
        {"GET", "/clusters/{id}/services/start", Asked<Question::start_services>::ask,
         Need::cluster_user},
        {"POST", "/clusters/{id}/services/start", Asked<Question::start_services>::act, Need::user},
        {"GET", "/clusters/{id}/services/stop", Asked<Question::stop_services>::ask,
         Need::cluster_user},
        {"POST", "/clusters/{id}/services/stop", Asked<Question::stop_services>::act, Need::user},
        {"GET", "/clusters/{id}/services/restart", Asked<Question::restart_services>::ask,
         Need::cluster_user},
        {"POST", "/clusters/{id}/services/restart", Asked<Question::restart_services>::act,
         Need::user},
        {"GET", "/clusters/{id}/configure", show_configuration, Need::cluster_user},
        long_form({"POST", "/clusters/{id}/configure", configure_cluster, Need::user}),
        laborious(
            {"GET", "/clusters/{id}/grow", ClusterChange<Change::grow>::ask, Need::cluster_user}),
        long_form({"POST", "/clusters/{id}/grow", ClusterChange<Change::grow>::act, Need::user}),
        laborious({"GET", "/clusters/{id}/shrink", ClusterChange<Change::shrink>::ask,
                   Need::cluster_user}),
        long_form(
            {"POST", "/clusters/{id}/shrink", ClusterChange<Change::shrink>::act, Need::user}),
        laborious({"GET", "/clusters/{id}/services/add", ClusterChange<Change::add_services>::ask,
                   Need::cluster_user}),
        long_form({"POST", "/clusters/{id}/services/add", ClusterChange<Change::add_services>::act,
                   Need::user}),
        laborious({"GET", "/clusters/{id}/services/remove",
                   ClusterChange<Change::remove_services>::ask, Need::cluster_user}),
        long_form({"POST", "/clusters/{id}/services/remove",
                   ClusterChange<Change::remove_services>::act, Need::user}),
        laborious({"GET", "/clusters/{id}/nodes/{node}/replace",
                   ClusterChange<Change::replace>::ask, Need::cluster_user}),
        long_form({"POST", "/clusters/{id}/nodes/{node}/replace",
                   ClusterChange<Change::replace>::act, Need::user}),
        {"GET", "/clusters/{id}/sync", ask_sync, Need::cluster_user},
        {"POST", "/clusters/{id}/sync", sync_cluster, Need::user},
        {"GET", "/clusters/{id}/description", show_description, Need::cluster_user},
        {"POST", "/clusters/{id}/description", change_description, Need::user},
        {"GET", "/clusters/{id}/lease", show_lease, Need::cluster_user},
        {"POST", "/clusters/{id}/lease", change_lease, Need::user},

        {"GET", "/unknown-machines", list_unknown_machines, Need::admin},
        {"GET", "/login-keys", list_login_keys, Need::admin},
        proven({"POST", "/login-keys", rotate_login_key, Need::admin}),
        {"GET", "/login-keys/{id}", show_login_key, Need::admin},
        proven({"POST", "/login-keys/{id}/give-up", give_up_older_keys, Need::admin}),
        {"GET", "/prices", show_prices, Need::admin},
        with_longest_form({"POST", "/prices", replace_prices, Need::admin}, http::price_form_limit),
        {"GET", "/tenants/{tenant}/prices", show_prices, Need::superadmin},
        with_longest_form({"POST", "/tenants/{tenant}/prices", replace_prices, Need::superadmin},
                          http::price_form_limit),
        {"GET", "/audit", list_audit, Need::admin},
        {"GET", "/audit.csv", download_audit, Need::admin},
        {"GET", "/audit/{number}", show_audit_event, Need::admin},
        {"GET", "/daemons", list_daemons, Need::superadmin},
        {"GET", "/daemons/drain", ask_to_drain, Need::superadmin},
        {"POST", "/daemons/drain", drain_provisioner, Need::superadmin},
        {"GET", "/queues", list_queues, Need::superadmin},
        {"GET", "/tenants", list_tenants, Need::superadmin},
        {"POST", "/tenants", create_tenant, Need::superadmin},
        {"GET", "/new-tenant", new_tenant, Need::superadmin},
        {"GET", "/tenants/{tenant}", show_tenant, Need::superadmin},
        {"POST", "/tenants/{tenant}", change_tenant, Need::superadmin},
        {"GET", "/tenants/{tenant}/people", list_people, Need::superadmin},
        checked({"POST", "/tenants/{tenant}/people", create_person, Need::superadmin}),
        proven({"POST", "/tenants/{tenant}/people/second-factor", require_second_factor,
                Need::superadmin}),
        {"GET", "/tenants/{tenant}/people/{user}", show_person, Need::superadmin},
        checked({"POST", "/tenants/{tenant}/people/{user}/role", change_role_of_person,
                 Need::superadmin}),
        proven(
            {"POST", "/tenants/{tenant}/people/{user}/password", reset_person, Need::superadmin}),
        {"GET", "/tenants/{tenant}/people/{user}/factor/remove", ask_to_remove_factor,
         Need::superadmin},
        proven({"POST", "/tenants/{tenant}/people/{user}/factor/remove", remove_factor_of_person,
                Need::superadmin}),
        checked({"POST", "/tenants/{tenant}/people/{user}/access", change_access_of_person,
                 Need::superadmin}),
        {"POST", "/tenants/{tenant}/people/{user}/sessions/end", end_sessions_of_person,
         Need::superadmin},
        {"POST", "/tenants/{tenant}/people/{user}/keys/delete", delete_key_of_person,
         Need::superadmin},
        {"GET", "/tenants/{tenant}/people/{user}/delete", ask_to_delete_person, Need::superadmin},
        checked(
            {"POST", "/tenants/{tenant}/people/{user}/delete", delete_person, Need::superadmin}),
        {"GET", "/tenants/{tenant}/delete", ask_to_delete_tenant, Need::superadmin},
        checked({"POST", "/tenants/{tenant}/delete", delete_tenant, Need::superadmin}),
        proven({"POST", "/tenants/{tenant}/clusters/delete", delete_clusters_of_tenant,
                Need::superadmin}),
        {"GET", "/identity-providers", list_identity_providers, Need::superadmin},
        {"GET", "/new-identity-provider/{kind}", new_identity_provider, Need::superadmin},
        {"GET", "/identity-providers/{name}", show_identity_provider, Need::superadmin},
        checked(
            long_form({"POST", "/identity-providers", save_identity_provider, Need::superadmin})),
        {"GET", "/identity-providers/{name}/delete", ask_to_delete_identity_provider,
         Need::superadmin},
        proven({"POST", "/identity-providers/{name}/delete", delete_identity_provider,
                Need::superadmin}),
        {"GET", "/docs/api", show_api, Need::nobody},

        {"GET", "/builder/{kind}", new_template, Need::admin},
        {"GET", "/builder/{kind}/{name}", edit_template, Need::admin},
        long_form({"POST", "/builder/{kind}", redraw_template, Need::admin}),
        laborious(long_form({"POST", "/builder/{kind}/preview", preview_template, Need::admin})),
        {"GET", "/builder/{kind}/drafts/{draft}", show_template_draft, Need::admin},
        laborious(
            {"GET", "/builder/{kind}/drafts/{draft}/preview", preview_template_draft, Need::admin}),
        long_form({"POST", "/builder/{kind}/save", save_template, Need::admin}),

        {"GET", "/exchange", show_exchange, Need::admin},
        with_longest_form(
            {"POST", "/exchange/export", export_selection, Need::admin, std::nullopt, true},
            http::long_form_limit),
        laborious(with_longest_form({"POST", "/exchange/draft", draft_import, Need::admin},
                                    http::file_form_limit)),
        laborious({"GET", "/exchange/drafts/{draft}", show_kept_import, Need::admin}),
        {"GET", "/exchange/receipts/{receipt}", show_receipt, Need::admin},
        with_longest_form({"POST", "/exchange/import", import_selection, Need::admin},
                          http::price_form_limit),
        {"GET", "/history/{kind}", list_latest_versions, Need::admin},
        {"GET", "/catalogue/{kind}/{name}/versions", list_entry_versions, Need::admin},
        {"GET", "/catalogue/{kind}/{name}/versions/compare", compare_entry_versions, Need::admin},
        {"GET", "/catalogue/{kind}/{name}/versions/{line}", show_entry_version, Need::admin},
        {"POST", "/catalogue/{kind}/{name}/versions/{line}/restore", restore_entry_version,
         Need::admin},

        laborious(
            {"GET", "/catalogue/clustertemplates/{name}/update", ask_update_all, Need::admin}),
        laborious({"POST", "/catalogue/clustertemplates/{name}/update", update_all, Need::admin}),

        {"GET", "/catalogue/clustertemplates/{name}/offer", ask_to_offer, Need::admin},
        {"GET", "/catalogue/clustertemplates/{name}/draft", show_change_draft, Need::admin},
        {"POST", "/catalogue/clustertemplates/{name}/draft", end_change_draft, Need::admin},
        {"GET", "/catalogue/{kind}", list_entries, Need::admin},
        {"GET", "/catalogue/{kind}/{name}", show_entry, Need::admin},
        {"GET", "/catalogue/new/{kind}", new_entry, Need::admin},
        long_form({"POST", "/catalogue/new/{kind}", create_entry, Need::admin}),
        {"GET", "/catalogue/{kind}/{name}/edit", edit_entry, Need::admin},
        long_form({"POST", "/catalogue/{kind}/{name}/edit", save_entry, Need::admin}),
        {"POST", "/catalogue/providers/{name}/test", test_provider, Need::admin},
        {"GET", "/catalogue/delete/{kind}", ask_removal, Need::admin},
        {"POST", "/catalogue/delete/{kind}", remove_entries, Need::admin},
        {"GET", "/catalogue/export/{kind}", export_entries, Need::admin},
        {"GET", "/catalogue/files", list_shelves, Need::admin},
        {"POST", "/catalogue/files/sync", sync_files, Need::admin},
        {"GET", "/catalogue/files/{plugins}/{plugin}/{resourcetype}", show_shelf, Need::admin},
        with_longest_form(
            {"POST", "/catalogue/files/{plugins}/{plugin}/{resourcetype}", save_file, Need::admin},
            http::file_form_limit),
        {"GET", "/catalogue/files/{plugins}/{plugin}/{resourcetype}/{name}/versions/{version}",
         download_file, Need::admin},
        {"GET", "/catalogue/files/{plugins}/{plugin}/{resourcetype}/{name}", show_file,
         Need::admin},
        {"POST", "/catalogue/files/{plugins}/{plugin}/{resourcetype}/{name}", change_file,
         Need::admin},
    };
}

}  // namespace fcgi::pages
