#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenant.hpp"
#include "provisioner/store/database.hpp"

namespace provisioner::store {

/// The tenant of that name (exact, case sensitive).
std::optional<model::Tenant> find_tenant(Connection& connection, const std::string& name);

/// Locks the tenant's row until the transaction ends: writers of one tenant's catalogue and quota
/// come one by one.
void lock_tenant(Connection& connection, model::TenantId tenant);

model::TenantId insert_tenant(Connection& connection, const model::Tenant& tenant,
                              base::Timestamp now);

/// What a tenant uses of its quota: clusters that are not terminated, and their nodes.
struct TenantUse {
    int clusters = 0;
    int nodes = 0;
};
TenantUse use_of(Connection& connection, model::TenantId tenant);

}  // namespace provisioner::store
