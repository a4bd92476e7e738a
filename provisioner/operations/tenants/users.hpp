#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/operations/sign_in/rules.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Users of a tenant, as superadmins manage them. A user authenticates with a password (pages) or an
// API key (scripts). sign_in/passwords.hpp changes roles and passwords. API keys that users manage
// themselves are in api_keys.hpp.

/// A new user.
struct UserSpec {
    /// Unique within the tenant, case sensitive.
    std::string name;
    /// superadmin is possible in the superadmin tenant only.
    model::Role role = model::Role::user;
    /// Empty: no login by password, API keys only. Stored as an Argon2id hash. Whoever creates the
    /// user knows it, so it has to be changed at the first sign-in and is refused after some days.
    base::Secret password{};
    /// Whether the user gets a first API key.
    bool with_key = true;
};

/// The users of a tenant, by name. Refused with not_found when there is no such tenant.
Result<std::vector<model::User>> list_users(store::Database& database, const std::string& tenant);

/// Adds a user and returns their first API key, named first_key_name; empty without one. Only its
/// hash is stored, so show it at once. The key of an auditor only reads; one that is made by a key
/// has that key's limits. Hashing the password takes noticeable time; it is done before any lock.
///
/// Refused with not_found without such a tenant, or without the right to administer its users, and
/// with conflict when the name is taken. As invalid for a superadmin outside the superadmin tenant
/// or by somebody who is none, and for a password that problems_with_password() refuses. As
/// forbidden for an administrator, or with a password, by a key that is limited to some rights or
/// ends.
Result<base::Secret> create_user(store::Database& database, const model::Caller& caller,
                                 const std::string& tenant, const UserSpec& wanted,
                                 base::Timestamp now, const SignInRules& rules = {});

/// Deletes the user with their logins and API keys; does nothing when there is none. Their clusters
/// stay without an owner, and the tenant's administrators still see them. A later user of the same
/// name does not own them.
///
/// Refused with not_found without such a tenant, or without the right to administer the user, and
/// with conflict for `caller` itself.
Result<void> delete_user(store::Database& database, const model::Caller& caller,
                         const std::string& tenant, const std::string& user);

}  // namespace provisioner::operations
