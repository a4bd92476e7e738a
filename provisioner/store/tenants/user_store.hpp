#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

std::optional<model::User> find_user(Connection& connection, model::TenantId tenant,
                                     const std::string& name);
/// The users of a tenant, by name.
std::vector<model::User> list_users(Connection& connection, model::TenantId tenant);
/// Deletes the user with their sessions and keys.
void delete_user(Connection& connection, model::UserId user);
model::UserId insert_user(Connection& connection, const model::User& user, base::Timestamp now);
void update_password(Connection& connection, model::UserId user, const std::string& password_hash);

/// Whose API key it is and what it may be used for.
struct KeyOwner {
    model::User user;
    model::KeyScope scope = model::KeyScope::all;
};
/// The owner of the key that has this hash and has not expired.
std::optional<KeyOwner> find_key_owner(Connection& connection, const std::string& key_hash,
                                       base::Timestamp now);
/// The keys of a user, oldest first, with those that have expired.
std::vector<model::ApiKey> list_api_keys(Connection& connection, model::UserId user);
/// Stores a key (its id is ignored) and returns its id.
std::int64_t insert_api_key(Connection& connection, model::UserId user, const model::ApiKey& key,
                            const std::string& key_hash);
/// Whether the user had a key of that id, which is deleted now.
bool delete_api_key(Connection& connection, model::UserId user, std::int64_t id);

/// Who is logged in with the session cookie of this hash; nothing when it is unknown or has
/// expired.
std::optional<model::Caller> find_session(Connection& connection, const std::string& token_hash,
                                          base::Timestamp now);
void insert_session(Connection& connection, const std::string& token_hash, model::UserId user,
                    base::Timestamp now, base::Timestamp expires_at);
void delete_session(Connection& connection, const std::string& token_hash);

}  // namespace provisioner::store
