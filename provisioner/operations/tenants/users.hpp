#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Somebody a superadmin lets in.
struct UserSpec {
    std::string name;
    model::Role role = model::Role::user;
    /// Empty: no login by password, API keys only.
    base::Secret password;
};

/// The users of a tenant, by name; refused with not_found when there is no such tenant.
Result<std::vector<model::User>> list_users(store::Database& database, const std::string& tenant);

/// Adds a user and returns their first API key, which is not stored as it is. Refused with
/// not_found without such a tenant, with conflict when the name is taken, as invalid for a
/// superadmin outside the superadmin tenant.
Result<base::Secret> create_user(store::Database& database, const std::string& tenant,
                                 const UserSpec& wanted, base::Timestamp now);

/// Takes the user, their sessions and their keys away; does nothing when there is none. Clusters
/// stay and are seen by the tenant's administrators; whoever gets the name later does not own them.
/// Refused with not_found without such a tenant, with conflict for `caller` itself.
Result<void> delete_user(store::Database& database, const model::Caller& caller,
                         const std::string& tenant, const std::string& user);

}  // namespace provisioner::operations
