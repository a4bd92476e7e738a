#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/machines/login_key.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Login keys. How far each node has come on the way to the one it is to have: node_login_store.hpp.

/// Stores a key as the current one of its tenant and provider, and the one before as replaced.
/// Returns its id. Lock the tenant first.
model::LoginKeyId insert_login_key(Connection& connection, const model::LoginKeyRow& key,
                                   base::Timestamp now);

/// The keys of a tenant, newest first, retired ones only if wanted; at most 1,000.
std::vector<model::LoginKeyRow> list_login_keys(Connection& connection, model::TenantId tenant,
                                                bool with_retired);

/// A key of the tenant; nothing if there is none.
std::optional<model::LoginKeyRow> find_login_key(Connection& connection, model::TenantId tenant,
                                                 model::LoginKeyId id);

/// Marks current keys that all nodes that count have, and deletes the private halves of replaced
/// keys of tenants in which no such node is on its way to a key. Looks at nodes only of tenants
/// with a key that is to be settled; that there is none, an index says. Returns the keys that were
/// just spread to all nodes and those that were retired, with their new state.
std::vector<model::LoginKeyRow> settle_login_keys(Connection& connection);

/// Calls `change` with the sealed half of every key that is not retired, locked, and stores what it
/// returns; nothing leaves it. Returns how many changed.
int change_login_key_secrets(
    Connection& connection,
    const std::function<std::optional<std::string>(const std::string&)>& change);

}  // namespace provisioner::store
