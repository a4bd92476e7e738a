#pragma once

#include <functional>
#include <string>

#include "provisioner/identity/vault.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Secrets that only daemons open: passwords of providers, login keys, files of keys. The database
// says which key seals them, so that no host seals under one that is not there any more. All
// functions may throw identity::VaultError.

/// Seals a secret that the same transaction stores. Refused (identity::KeysOutOfStep) on a host
/// that lacks the public half of the newest key of daemons.
std::string sealed_for_daemons(store::Connection& connection, const base::Secret& secret,
                               std::string_view place);

/// Throws identity::KeysOutOfStep if a text was sealed before under another key than the newest:
/// for those that are stored by a later transaction.
void expect_newest_key(store::Connection& connection, const std::string& sealed);

/// The key under which everything is to be sealed.
identity::SealingKey sealing_key_of_daemons(store::Database& database);

/// Throws VaultError where the host of a daemon lacks the newest key of daemons: it could not do
/// its tasks.
void expect_daemon_keys(store::Database& database);

/// Opens what was sealed for a place of a tenant: `place_of(tenant)`. New tenants get copies of the
/// superadmin's providers. The web, which copies them, cannot open them: a copy stays bound to the
/// place in the superadmin's tenant, so that one counts, too.
base::Secret opened_in_tenant(store::Connection& connection, model::TenantId tenant,
                              const std::string& sealed,
                              const std::function<std::string(model::TenantId)>& place_of);

}  // namespace provisioner::operations
