#pragma once

#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Readers of the current row, for stores that join the tables user and tenant.

/// A user, from the columns user_id, tenant_id, user_name, role, password_hash, initial_until and
/// disabled.
model::User user_columns(Rows& row);

/// The user's tenant without its budget, from the columns tenant_id, uid, tenant_name, description,
/// workers, max_clusters and max_nodes.
model::Tenant tenant_columns_of_user(Rows& row);

}  // namespace provisioner::store
