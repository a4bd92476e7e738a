#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Users, their API keys and their logins. Keys and login tokens are stored as hashes only
// (identity::hash_of_token), so a read of the database reveals none. Expiry is checked against the
// caller's `now`; retention deletes expired logins later.

/// The user of that name (exact, case sensitive) in a tenant; nothing when there is none. Includes
/// the hash of the password.
std::optional<model::User> find_user(Connection& connection, model::TenantId tenant,
                                     const std::string& name);
/// The users of a tenant, by name.
std::vector<model::User> list_users(Connection& connection, model::TenantId tenant);
/// Deletes the user with their logins, API keys, profile and idempotency keys. Their clusters stay
/// without an owner.
void delete_user(Connection& connection, model::UserId user);
/// Stores a user and returns their id; `user.id` is ignored. Throws DatabaseError when the name is
/// taken: lock the tenant and look first.
model::UserId insert_user(Connection& connection, const model::User& user, base::Timestamp now);
/// Replaces the hash of the password (Argon2id); an empty one ends password login. Logins stay
/// valid.
void update_password(Connection& connection, model::UserId user, const std::string& password_hash);

/// The owner of an API key, and what the key may be used for.
struct KeyOwner {
    model::User user;
    model::KeyScope scope = model::KeyScope::all;
};
/// The owner of the key with this hash; nothing when it is unknown or has expired at `now`. The
/// owner's tenant may be deleted.
std::optional<KeyOwner> find_key_owner(Connection& connection, const std::string& key_hash,
                                       base::Timestamp now);
/// The keys of a user, oldest first, expired ones included; at most 1000.
std::vector<model::ApiKey> list_api_keys(Connection& connection, model::UserId user);
/// Stores a key and returns its id; `key.id` is ignored. `key_hash` is 64 hexadecimal digits. Names
/// are not checked here: lock the tenant and look at list_api_keys first.
std::int64_t insert_api_key(Connection& connection, model::UserId user, const model::ApiKey& key,
                            const std::string& key_hash);
/// Deletes a key of the user. False when the user has no key of that id.
bool delete_api_key(Connection& connection, model::UserId user, std::int64_t id);

/// The caller whose login cookie has this hash. Nothing when it is unknown, has expired at `now`,
/// or the tenant is deleted.
std::optional<model::Caller> find_session(Connection& connection, const std::string& token_hash,
                                          base::Timestamp now);
/// Stores a login. `token_hash` is 64 hexadecimal digits.
void insert_session(Connection& connection, const std::string& token_hash, model::UserId user,
                    base::Timestamp now, base::Timestamp expires_at);
/// Ends a login; does nothing when it is unknown.
void delete_session(Connection& connection, const std::string& token_hash);

}  // namespace provisioner::store
