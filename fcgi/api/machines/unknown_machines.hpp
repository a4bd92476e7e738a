#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/machines/unknown_machine.hpp"

namespace fcgi::api {

/// {id, machine, name, addresses, provider, providerType, account, tenant, firstSeen, lastSeen} of
/// each; times in milliseconds, `tenant` empty where it is nobody's.
provisioner::base::Json unknown_machines_json(
    const std::vector<provisioner::model::UnknownMachine>& machines);

/// {id, name, provider, providerType, tenant, lookedAt, failures, error} of each.
provisioner::base::Json provider_accounts_json(
    const std::vector<provisioner::model::ProviderAccount>& accounts);

/// GET /v2/unknownmachines (ours): machines that are there although no node has them. Those of the
/// caller's tenant; of all for superadmins.
http::Response list_unknown_machines(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);

/// GET /v2/provideraccounts (ours): where such machines are looked for, likewise.
http::Response list_provider_accounts(const http::Request& request, const auth::Visitor& visitor,
                                      App& app);

}  // namespace fcgi::api
