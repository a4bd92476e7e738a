#pragma once

#include "provisioner/identity/vault.hpp"
#include "provisioner/model/machines/account.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/tenants/secret_store.hpp"

namespace provisioner::operations {

// Sealing and opening of secret provider fields. A sealed value is bound to its place (tenant, kind
// of row, id, field). A copy in another row cannot be opened there, but for those that a tenant is
// made with (daemon_secrets.hpp). Secrets are opened only by the engine, right before it logs in to
// a provider: they are sealed for daemons. Every function that seals or opens may throw
// identity::VaultError.

/// A provider in wire form with the values of its secret fields sealed for the tenant. Empty values
/// are no secrets and stay open. The mask keeps the value that the newest version of the provider
/// has, as long as it goes where it went: a person who never knew the secret could send it to a
/// host of their own else. Problems name the fields where there is none to keep, which must be
/// given again because the type or a field that leads (model::PluginField) changed, or whose value
/// has the form of a sealed one. Only reads.
base::Checked<base::Json> with_secrets_sealed(store::Connection& connection, model::TenantId tenant,
                                              const base::Json& provider);

/// Wraps every secret of providers, clusters, second factors, login keys and identity providers
/// with the newest key of those who open it, while other work continues. When it returns without
/// problems, no row needs an older key. cooperage-migrate calls it.
store::FieldsWalk rewrap_secrets(store::Database& database);

/// Calls `look` with every sealed text of providers, clusters, second factors, login keys and
/// identity providers. Changes nothing. Throws identity::VaultError, with the row, if it could not
/// look at one.
void look_at_secrets(store::Database& database,
                     const std::function<void(const std::string& sealed)>& look);

/// Seals values that are stored open although their type declares them secret. Looks at all
/// versions of providers, and at clusters if it found any. The daemon calls it at its start, after
/// it has published its types.
store::FieldsWalk seal_leftovers(store::Database& database);

/// Seals values (name -> any JSON value) for a cluster and stores them in its row. They replace
/// values of the same names; others stay. The cluster must have its id. Does nothing without
/// values.
void keep_secrets(store::Connection& connection, model::Cluster& cluster,
                  const base::Json& secrets);

/// The fields with which the engine logs in to a cluster's provider, with every secret opened. The
/// cluster's own fields replace those of its provider copy. `installation` is left empty. Throws
/// identity::VaultError.
model::Account opened_account(store::Connection& connection, const model::Cluster& cluster);

/// The same for a provider of a tenant's catalogue.
model::Account opened_account(store::Connection& connection, model::TenantId tenant,
                              const model::Provider& provider);

}  // namespace provisioner::operations
