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
    /// Whether up to 500 tasks of each are shown instead of 10.
    bool shows_all = false;
    /// The tenant of the viewer.
    std::string tenant{};
    /// The time that ages and `alive` are computed for.
    provisioner::base::Timestamp now{};
};

/// A daemon is shown as "alive" if its last heartbeat is at most 15 seconds old. `more` is the
/// number of tasks not shown, null for none. The summary counts all running tasks, also those of
/// daemons that are silent. `versions` is a sentence if those that are alive are of several.
provisioner::base::Json to_json(const DaemonsPage& page);

/// The question before a provisioner drains: views/daemons/drain.
struct DrainPage {
    std::string instance{};
    /// Its tasks.
    std::size_t running = 0;
    /// Whether no other provisioner takes tasks.
    bool is_last = false;
};
provisioner::base::Json to_json(const DrainPage& page);

/// GET /daemons/drain, with the query "instance": what draining does. 303 to the list if it drains
/// already.
http::Response ask_to_drain(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /daemons/drain: takes a provisioner out, or lets it work again. Leads to the question again
/// if it has become the last one that takes tasks.
http::Response drain_provisioner(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

/// GET /daemons, for superadmins. Browsers without scripts load the page again every five seconds.
http::Response list_daemons(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
