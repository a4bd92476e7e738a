#pragma once

#include "provisioner/identity/vault.hpp"
#include "provisioner/model/machines/account.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/tenants/secret_store.hpp"

namespace provisioner::operations {

/// A provider in wire form with the values of its secret fields sealed for the tenant; empty ones
/// are no secrets. The mask keeps the secret the newest version of that name has, whatever its type
/// says now; where there is none, the problem names the field. Only reads.
base::Checked<base::Json> with_secrets_sealed(store::Connection& connection, model::TenantId tenant,
                                              const base::Json& provider);

/// Puts every secret of providers and clusters under the newest master key, while everything else
/// goes on. Without problems no row has an older key when it returns.
store::FieldsWalk rewrap_secrets(store::Database& database);

/// Seals what stands open although its type says by now that it is secret: in all versions of
/// providers, and if there was any, in clusters.
store::FieldsWalk seal_leftovers(store::Database& database);

/// The sealed values of a provider of one tenant, sealed for another.
base::Json moved_to_tenant(const identity::Vault& vault, const base::Json& provider,
                           model::TenantId from, model::TenantId to);

/// Seals values for one cluster that is stored (name -> any JSON value) and keeps them with it, in
/// place of those it had under these names.
void keep_secrets(store::Connection& connection, model::Cluster& cluster,
                  const base::Json& secrets);

/// What the engine logs in with to the provider of a cluster: as it was when the cluster was made,
/// with what was given for the cluster alone over it, as long as it is kept. Throws
/// identity::VaultError.
model::Account opened_account(const identity::Vault& vault, const model::Cluster& cluster);

/// The same for a provider of a tenant's catalogue.
model::Account opened_account(const identity::Vault& vault, model::TenantId tenant,
                              const model::Provider& provider);

}  // namespace provisioner::operations
