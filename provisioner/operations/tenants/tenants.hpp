#pragma once

#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// The tenant that always exists and that superadmins belong to.
constexpr auto superadmin_tenant = "superadmin";

/// What a superadmin says of a tenant; forms/ makes it from JSON.
struct TenantSpec {
    std::string name;
    std::string description;
    int workers = 0;
    int max_clusters = model::no_maximum;
    int max_nodes = model::no_maximum;
    /// A new tenant gets a copy of the superadmin tenant's catalogue and files.
    bool bootstrap = false;
};

/// How many workers may still be promised to tenants: what the live provisioners can do at once
/// without what is promised already. Never negative.
int free_workers(store::Connection& connection, base::Timestamp now);

/// Makes a tenant. With bootstrap it gets the newest versions of the superadmin tenant's providers,
/// hardware and image types, services and cluster templates (not the partial templates), numbered
/// from 1, and its files. Refused with conflict when the name is taken or there are not so many
/// workers.
Result<void> create_tenant(store::Database& database, const TenantSpec& wanted,
                           base::Timestamp now);

/// Changes a tenant, or makes it when there is none (without bootstrap). Refused as invalid when
/// `name` is another one, with conflict when there are not so many workers or the tenant uses more
/// clusters or nodes than it would be allowed.
Result<void> replace_tenant(store::Database& database, const std::string& name,
                            const TenantSpec& wanted, base::Timestamp now);

/// Deletes a tenant; does nothing when there is none. Work on its clusters is aborted, apart from
/// deletions; its catalogue and clusters stay stored, but nobody can reach them, and machines keep
/// running until their leases end. Its name is free again. Refused with conflict while it has
/// workers, and always for the superadmin tenant.
Result<void> delete_tenant(store::Database& database, const std::string& name);

}  // namespace provisioner::operations
