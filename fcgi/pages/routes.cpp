#include "fcgi/pages/routes.hpp"

#include "fcgi/pages/catalogue.hpp"
#include "fcgi/pages/clusters.hpp"
#include "fcgi/pages/login.hpp"
#include "fcgi/pages/new_clusters.hpp"
#include "fcgi/pages/templates.hpp"

namespace fcgi::pages {

using auth::Need;

std::vector<Route> routes() {
    return {
        {"GET", "/", home, Need::user},
        {"GET", "/login", show_login, Need::nobody},
        {"POST", "/login", log_in, Need::nobody},
        {"POST", "/logout", log_out, Need::nobody},

        {"GET", "/templates", list_templates, Need::user},

        {"GET", "/clusters", list_clusters, Need::user},
        {"GET", "/clusters/new", new_cluster, Need::user},
        {"POST", "/clusters/new", change_new_cluster, Need::user},
        {"POST", "/clusters/preview", preview_cluster, Need::user},
        {"POST", "/clusters", create_cluster, Need::user},
        {"GET", "/clusters/{id}", show_cluster, Need::user},
        {"GET", "/clusters/{id}/tasks/{task}", show_task, Need::user},
        {"GET", "/clusters/{id}/delete", ask_to_delete, Need::user},
        {"POST", "/clusters/{id}/delete", delete_cluster, Need::user},

        {"GET", "/catalogue/{kind}", list_entries, Need::admin},
        {"GET", "/catalogue/{kind}/{name}", show_entry, Need::admin},
    };
}

}  // namespace fcgi::pages
