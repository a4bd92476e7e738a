#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "provisioner/model/node.hpp"
#include "provisioner/store/database.hpp"

namespace provisioner::store {

/// The cluster the node of this id (as the outside sees it) is or was in, whatever its tenant.
std::optional<model::ClusterId> cluster_of_node(Connection& connection, const std::string& uuid);

/// Whether each of these machines' nodes is gone for good: its cluster terminated, or itself taken
/// out of it by a job that is complete. Names no node ever had are left out.
std::map<model::MachineName, bool> are_gone(Connection& connection,
                                            const std::set<model::MachineName>& names);

/// Replaces everything of a node but its ids, its number and its settings.
void update_node(Connection& connection, const model::Node& node);

/// Whether any task was ever planned on the node.
bool has_tasks(Connection& connection, model::NodeId node);

/// Deletes the row of a node without tasks.
void delete_node(Connection& connection, model::NodeId node);

}  // namespace provisioner::store
