#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// The tenant of that name (exact, case sensitive) unless it is deleted.
std::optional<model::Tenant> find_tenant(Connection& connection, const std::string& name);

/// All tenants that are not deleted, oldest first.
std::vector<model::Tenant> list_tenants(Connection& connection);

/// Locks the tenant's row until the transaction ends: writers of one tenant's catalogue and quota
/// come one by one.
void lock_tenant(Connection& connection, model::TenantId tenant);

model::TenantId insert_tenant(Connection& connection, const model::Tenant& tenant,
                              base::Timestamp now);

/// Locks all tenants until the transaction ends: whoever writes tenants comes one by one.
void lock_tenants(Connection& connection);

/// Replaces description, workers and quotas.
void update_tenant(Connection& connection, const model::Tenant& tenant);

/// Takes the tenant out of every list and look-up; its rows stay and its name is free again.
void delete_tenant(Connection& connection, model::TenantId tenant);

/// Tasks of one tenant that one worker has claimed.
struct WorkInFlight {
    std::string worker;
    /// The tenant's name.
    std::string tenant;
    int tasks = 0;
};
/// What workers have in flight now, by worker and tenant.
std::vector<WorkInFlight> work_in_flight(Connection& connection);

/// What a tenant uses of its quota: clusters that are not terminated, and their nodes.
struct TenantUse {
    int clusters = 0;
    int nodes = 0;
};
TenantUse use_of(Connection& connection, model::TenantId tenant);

}  // namespace provisioner::store
