#pragma once

#include <functional>
#include <string>

#include "provisioner/identity/vault.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Opens what was sealed for a place of a tenant: `place_of(tenant)`. New tenants get copies of the
/// superadmin's providers and files. The web, which copies them, cannot open them: a copy stays
/// bound to the place in the superadmin's tenant, so that one counts, too. Throws
/// identity::VaultError.
base::Secret opened_in_tenant(store::Connection& connection, model::TenantId tenant,
                              const std::string& sealed,
                              const std::function<std::string(model::TenantId)>& place_of);

}  // namespace provisioner::operations
