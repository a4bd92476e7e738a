#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Tenants. A deleted tenant keeps its row, because clusters and usage refer to it, but no function
// here returns it. The row lock of a tenant is the first lock of an operation that checks quotas or
// writes a catalogue, users or files.

/// The tenant of that name (exact, case sensitive); nothing when it does not exist or is deleted.
std::optional<model::Tenant> find_tenant(Connection& connection, const std::string& name);

/// The tenant with that key; nothing when it does not exist or is deleted.
std::optional<model::Tenant> find_tenant(Connection& connection, model::TenantId tenant);

/// All tenants that are not deleted, oldest first: provisioner_views assigns workers in this order.
/// At most 100,000.
std::vector<model::Tenant> list_tenants(Connection& connection);

/// Locks the tenant's row until the transaction ends, so that writers of one tenant's catalogue and
/// clusters proceed one by one. Throws std::logic_error when the row does not exist. A deleted
/// tenant can be locked.
void lock_tenant(Connection& connection, model::TenantId tenant);

/// Stores a tenant and returns its id; `tenant.id` is ignored. Throws DatabaseError when the name
/// is taken: lock all tenants first.
model::TenantId insert_tenant(Connection& connection, const model::Tenant& tenant,
                              base::Timestamp now);

/// Locks all tenants until the transaction ends, deleted ones included. Operations that write
/// tenants or promise workers to them proceed one by one.
void lock_tenants(Connection& connection);

/// Replaces description, workers, quotas and budget. The name cannot change.
void update_tenant(Connection& connection, const model::Tenant& tenant);

/// Marks the tenant as deleted. Its rows stay; its name can be used again.
void delete_tenant(Connection& connection, model::TenantId tenant);

/// The number of tasks of one tenant that one worker has claimed.
struct WorkInFlight {
    /// "instance/incarnation" of the daemon that claimed them.
    std::string worker;
    /// The tenant's name.
    std::string tenant;
    int tasks = 0;
};
/// All claimed tasks, counted by worker and tenant, in this order.
std::vector<WorkInFlight> work_in_flight(Connection& connection);

/// The use of a tenant's quota: its clusters that are not terminated, and their nodes.
struct TenantUse {
    int clusters = 0;
    int nodes = 0;
};
/// The present use, counted from the clusters' rows. Lock the tenant first for a result that holds
/// until the transaction ends.
TenantUse use_of(Connection& connection, model::TenantId tenant);

}  // namespace provisioner::store
