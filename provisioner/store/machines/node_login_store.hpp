#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/machines/login_key.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// How far each node has come on the way to the login key it is to have: the current key of its
// provider, else the current one of its tenant, if its provider's type says that daemons replace
// keys (PluginType::login_keys) and its provider names no file of its own.
//
// Which key that is only a look at all nodes of a tenant says. So nodes are enlisted, that is, get
// a row with the time when they are due; what is due is asked of an index on that time.

/// How many nodes are to have the key, and how many have it.
model::LoginProgress login_progress(Connection& connection, model::LoginKeyId key);

/// The nodes that are to have the key, those that lack it first, then by id; at most `limit`.
std::vector<model::NodeLogin> nodes_for_key(Connection& connection, model::LoginKeyId key,
                                            int limit);

/// Whether a node is due, or a key was made whose nodes are not enlisted. One
/// statement, which reads two indexes at their ends.
[[nodiscard]] bool is_login_key_due(Connection& connection);

/// Whether a key was made whose nodes are not enlisted. One look at an index.
[[nodiscard]] bool has_unlisted_login_key(Connection& connection);

/// Enlists up to `most` nodes with machines that are to have a key and have no row for it, or one
/// that is never due. Looks at all nodes of tenants with keys. A try under way keeps its hold.
/// Marks the keys as enlisted. Returns how many nodes were enlisted; call it again after `most`.
int enlist_login_nodes(Connection& connection, int most);

/// A node that is due, and whose it is.
struct DueLogin {
    model::NodeId node{};
    model::TenantId tenant{};
};

/// Nodes that are due, whose provider has one of these types: of each tenant at most `of_tenant`,
/// those with the fewest failures first. First the first of each tenant, then the second of each.
std::vector<DueLogin> due_node_logins(Connection& connection,
                                      const std::vector<std::string>& provider_types, int of_tenant,
                                      int most);

/// Takes the node for `hold`, whatever key it is to have: of two daemons one gets it, and a daemon
/// that dies loses it after `hold`. Nothing when it is not due any more.
std::optional<model::NodeLogin> take_node_login(Connection& connection, model::NodeId node,
                                                std::chrono::seconds hold);

/// Stores how far a node has come, and holds it for `hold` from now on. False, and nothing is
/// stored, when it is to have another key meanwhile or another daemon has taken it: then the caller
/// must leave the node alone.
[[nodiscard]] bool save_login_step(Connection& connection, const model::NodeLogin& node,
                                   std::chrono::seconds hold);

/// Stores that a try failed, why, and when the next is due. Lets the node go. Does nothing where
/// save_login_step() does nothing.
void save_login_failure(Connection& connection, const model::NodeLogin& node,
                        std::chrono::seconds pause);

/// Stores that no older key is kept for the node until another key is made.
void give_up_older_keys(Connection& connection, const model::NodeLogin& node,
                        const std::string& by);

/// Has daemons look for nodes of the key, and settle keys, at once.
void unlist_login_key(Connection& connection, model::LoginKeyId key);

}  // namespace provisioner::store
