#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"

namespace fcgi::api {

/// GET /status: "OK" and a line end, for monitoring. It needs no login and does not ask the
/// database.
http::Response server_status(const http::Request& request, const auth::Visitor& visitor, App& app);

/// An array of {instance, pid, version, capacity, running, startTime, heartbeatTime, heartbeatAge,
/// alive, tasks: [{id, tenant, node, hostname, action, service, attempt, startTime}, ...]}. Times
/// are milliseconds since 1970, the age is milliseconds. `alive` means that the last heartbeat is
/// at most 15 seconds old. The version is empty for daemons that do not say it. The longest-running
/// task comes first.
provisioner::base::Json daemons_json(const std::vector<provisioner::store::DaemonRow>& daemons,
                                     provisioner::base::Timestamp now);

/// GET /v2/daemons: the provisioner processes and the tasks of all tenants they run. Superadmins
/// only, outside the wire contract. GET /v2/provisioners is the wire contract's view of the same
/// processes.
http::Response list_daemons(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
