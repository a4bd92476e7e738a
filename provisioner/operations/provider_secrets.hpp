#pragma once

#include "provisioner/identity/vault.hpp"
#include "provisioner/model/cluster.hpp"
#include "provisioner/model/sealed.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database.hpp"

namespace provisioner::operations {

/// A provider in wire form with the values of its secret fields sealed for the tenant; empty ones
/// are no secrets. The mask keeps what the newest version of that name has; where it has nothing,
/// the problem names the field. Only reads.
base::Checked<base::Json> with_secrets_sealed(store::Connection& connection, model::TenantId tenant,
                                              const base::Json& provider);

/// The sealed values of a provider of one tenant, sealed for another.
base::Json moved_to_tenant(const identity::Vault& vault, const base::Json& provider,
                           model::TenantId from, model::TenantId to);

/// Seals values for one cluster that is stored (name -> any JSON value) and keeps them with it, in
/// place of those it had under these names.
void keep_secrets(store::Connection& connection, model::Cluster& cluster,
                  const base::Json& secrets);

/// What the engine logs in to an account with.
struct OpenedFields {
    /// The fields of the cluster's provider with its own secrets over them.
    base::Json fields = base::Json::object();
    /// The texts in them that nobody may see.
    std::vector<std::string> secrets;
};

/// Throws identity::VaultError.
OpenedFields opened_fields(const identity::Vault& vault, const model::Cluster& cluster);

}  // namespace provisioner::operations
