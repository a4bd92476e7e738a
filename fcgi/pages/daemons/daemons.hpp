#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"

namespace fcgi::pages {

/// The provisioner processes and what they are at: views/daemons/index. Of each at most the 50
/// tasks that take longest are shown.
struct DaemonsPage {
    std::vector<provisioner::store::DaemonRow> daemons{};
    provisioner::base::Timestamp now{};
};

provisioner::base::Json to_json(const DaemonsPage& page);

/// GET /daemons: the provisioner processes and what they are at, for superadmins.
http::Response list_daemons(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
