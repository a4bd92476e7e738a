#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/machines/machine_lease.hpp"

namespace fcgi::api {

/// An array of {id, machine, address, state, reason, node, clusterId, provider, providerType,
/// tenant, leasedAt, changedAt}. Times are milliseconds since 1970.
provisioner::base::Json machine_leases_json(
    const std::vector<provisioner::model::MachineLease>& leases);

/// GET /v2/machineleases: existing machines that are not free. Admins get their tenant's,
/// superadmins all. The cursor is the id of a lease. Outside the wire contract.
http::Response list_machine_leases(const http::Request& request, const auth::Visitor& visitor,
                                   App& app);

/// POST /v2/machineleases/{id}/release: frees a machine that is out of use. Outside the wire
/// contract.
http::Response release_machine(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

}  // namespace fcgi::api
