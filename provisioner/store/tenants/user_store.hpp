#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Users and their API keys. Keys are stored as hashes only (identity::hash_of_token), so a read of
// the database reveals none. Expiry is checked against the caller's `now`.

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
/// Replaces the hash of the password (Argon2id); an empty one ends password login. With
/// `initial_until` the user has to change it, and it is refused from then on. Sessions stay valid:
/// the caller ends them (sign_in/session_store.hpp).
void update_password(Connection& connection, model::UserId user, const std::string& password_hash,
                     std::optional<base::Timestamp> initial_until = std::nullopt);
/// Locks a user's row until the transaction ends. False when there is none.
bool lock_user(Connection& connection, model::UserId user);
/// Replaces role and lock of a user. Sessions stay: the caller ends them.
void update_access(Connection& connection, model::UserId user, model::Role role, bool disabled);

/// The owner of an API key, and what the key may be used for.
struct KeyOwner {
    model::User user;
    std::int64_t key = 0;
    model::KeyLimits limits{};
    std::optional<base::Timestamp> last_used_at{};
};
/// The owner of the key with this hash; nothing when it is unknown, has expired at `now`, or
/// its owner is disabled or one of an identity provider that is switched off. The owner's tenant
/// may be deleted.
std::optional<KeyOwner> find_key_owner(Connection& connection, const std::string& key_hash,
                                       base::Timestamp now);
/// The keys of a user, oldest first, expired ones included; at most 1000.
std::vector<model::ApiKey> list_api_keys(Connection& connection, model::UserId user);
/// Stores a key and returns its id; `key.id` is ignored. `key_hash` is 64 hexadecimal digits. Names
/// are not checked here: lock the tenant and look at list_api_keys first.
std::int64_t insert_api_key(Connection& connection, model::UserId user, const model::ApiKey& key,
                            const std::string& key_hash);
/// Records the use of a key, unless one at or after `now` is recorded. One statement.
void touch_key(Connection& connection, std::int64_t key, base::Timestamp now);
/// Deletes a key of the user. False when the user has no key of that id.
bool delete_api_key(Connection& connection, model::UserId user, std::int64_t id);

}  // namespace provisioner::store
