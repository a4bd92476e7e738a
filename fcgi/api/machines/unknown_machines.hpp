#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/machines/unknown_machine.hpp"

namespace fcgi::api {

/// An array of {id, machine, name, addresses, provider, providerType, account, tenant, firstSeen,
/// lastSeen}. Times are milliseconds since 1970. `machine` is the provider's own id. `tenant` is
/// empty if no tenant owns the machine.
provisioner::base::Json unknown_machines_json(
    const std::vector<provisioner::model::UnknownMachine>& machines);

/// An array of {id, name, provider, providerType, tenant, lookedAt, failures, error}. `lookedAt` is
/// milliseconds since 1970, 0 for an account that was never listed. `failures` counts failed
/// look-ups since then; `error` is the latest one.
provisioner::base::Json provider_accounts_json(
    const std::vector<provisioner::model::ProviderAccount>& accounts);

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
