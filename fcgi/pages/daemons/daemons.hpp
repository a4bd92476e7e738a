#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"

namespace fcgi::pages {

/// The provisioner processes and their running tasks: views/daemons/index. For each process some
/// tasks are shown, those that run longest; the page counts the others.
struct DaemonsPage {
    /// By instance, with the tasks of all tenants.
    std::vector<provisioner::store::DaemonRow> daemons{};
    /// Instance of the last provisioner that takes tasks, if draining it is in question; else
    /// empty.
    std::string last{};
    /// Whether up to 500 tasks of each are shown instead of 10.
    bool shows_all = false;
    /// The tenant of the viewer.
    std::string tenant{};
    /// The time that ages and `alive` are computed for.
    provisioner::base::Timestamp now{};
};

/// A daemon is shown as "alive" if its last heartbeat is at most 15 seconds old. `more` is the
/// number of tasks not shown, null for none. The summary counts all running tasks, also those of
/// daemons that are silent.
provisioner::base::Json to_json(const DaemonsPage& page);

/// POST /daemons/drain: takes a provisioner out, or lets it work again. Leads to a question before
/// the last one is taken out.
http::Response drain_provisioner(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

/// GET /daemons, for superadmins. Browsers without scripts load the page again every five seconds.
http::Response list_daemons(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
