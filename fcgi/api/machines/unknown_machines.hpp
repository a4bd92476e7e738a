#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/machines/lost_machine.hpp"
#include "provisioner/model/machines/unknown_machine.hpp"

namespace fcgi::api {

/// An array of {id, machine, name, addresses, provider, providerType, account, tenant, firstSeen,
/// lastSeen}. Times are milliseconds since 1970. `machine` is the provider's own id. `tenant` is
/// empty if no tenant owns the machine. `flavor` and `cost` ({perHour, unpriced}) are there where
/// they are known.
provisioner::base::Json unknown_machines_json(
    const std::vector<provisioner::model::UnknownMachine>& machines);

/// An array of {id, name, provider, providerType, tenant, lookedAt, failures, error}. `lookedAt` is
/// milliseconds since 1970, 0 for an account that was never listed. `failures` counts failed
/// look-ups since then; `error` is the latest one.
provisioner::base::Json provider_accounts_json(
    const std::vector<provisioner::model::ProviderAccount>& accounts);

/// An array of {node, number, clusterId, tenant, hostname, machine, missingSince, mayBeReclaimed}.
/// `missingSince` is milliseconds since 1970. `machine` is the provider's own id.
provisioner::base::Json lost_machines_json(
    const std::vector<provisioner::model::LostMachine>& machines);

/// GET /v2/lostmachines: machines of nodes that their accounts do not list any more, by cluster and
/// number; at most 10,000. Admins get their tenant's, superadmins all. Outside the wire contract.
http::Response list_lost_machines(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);

/// GET /v2/unknownmachines: machines of this installation that no node has. Admins get their
/// tenant's, superadmins all. The cursor is the id of a machine, and the page is read from the
/// database. Outside the wire contract.
http::Response list_unknown_machines(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);

/// GET /v2/provideraccounts: the accounts that are searched for such machines, with the same
/// visibility. Outside the wire contract.
http::Response list_provider_accounts(const http::Request& request, const auth::Visitor& visitor,
                                      App& app);

}  // namespace fcgi::api
