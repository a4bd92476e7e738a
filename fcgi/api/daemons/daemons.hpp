#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"

namespace fcgi::api {

/// GET /status: "OK" and a line end, for whoever watches the service.
http::Response server_status(const http::Request& request, const auth::Visitor& visitor, App& app);

/// {instance, pid, capacity, running, startTime, heartbeatTime, heartbeatAge, alive, tasks: [{id,
/// tenant, node, hostname, action, service, attempt, startTime}, ...]} of each; times and ages in
/// milliseconds.
provisioner::base::Json daemons_json(const std::vector<provisioner::store::DaemonRow>& daemons,
                                     provisioner::base::Timestamp now);

/// GET /v2/daemons (ours): the provisioner processes and what they are at, for superadmins.
http::Response list_daemons(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
