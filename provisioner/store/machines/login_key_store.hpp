#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/machines/login_key.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Login keys, and how far each node has come on the way to the key it is to have. A node is to have
// the current key of its provider, else the current one of its tenant, if its provider's type says
// that daemons replace keys (PluginType::login_keys) and its provider names no file of its own.

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

/// How many nodes are to have the key, and how many have it.
model::LoginProgress login_progress(Connection& connection, model::LoginKeyId key);

/// The nodes that are to have the key, those that lack it first, by id after `after`; at most
/// `limit`.
std::vector<model::NodeLogin> nodes_for_key(Connection& connection, model::LoginKeyId key,
                                            int limit);

/// Whether there is a key that some node may lack, or that may be retired. One statement.
[[nodiscard]] bool is_login_key_due(Connection& connection);

/// Takes up to `most` nodes that are due, for `hold`: of two daemons one gets each, and a daemon
/// that dies loses them after `hold`. Only nodes whose provider has one of these types.
std::vector<model::NodeLogin> take_node_logins(Connection& connection,
                                               const std::vector<std::string>& provider_types,
                                               int most, std::chrono::seconds hold);

/// Stores how far a node has come. Does nothing when it is to have another key meanwhile.
void save_login_step(Connection& connection, const model::NodeLogin& node);

/// Stores that a try failed, why, and when the next is due. Lets the node go.
void save_login_failure(Connection& connection, const model::NodeLogin& node,
                        std::chrono::seconds pause);

/// Marks current keys that all their nodes have, and deletes the private halves of replaced keys of
/// tenants in which no node is on its way to a key. Returns the keys that were just spread to all
/// nodes and those that were retired, with their new state.
std::vector<model::LoginKeyRow> settle_login_keys(Connection& connection);

/// Calls `change` with the sealed half of every key that is not retired, locked, and stores what it
/// returns; nothing leaves it. Returns how many changed.
int change_login_key_secrets(
    Connection& connection,
    const std::function<std::optional<std::string>(const std::string&)>& change);

}  // namespace provisioner::store
