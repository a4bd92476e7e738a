#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "provisioner/model/clusters/node.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// The cluster the node of this id (as the outside sees it) is or was in, whatever its tenant.
std::optional<model::ClusterId> cluster_of_node(Connection& connection, const std::string& uuid);

/// What is known of the node a machine is called after.
struct NamedNode {
    /// Of the cluster in the name.
    model::TenantId tenant;
    /// Whether that cluster ever had a node of this number.
    bool existed = false;
    /// Whether it is gone for good: its cluster terminated, or itself taken out of it by a job that
    /// is complete.
    bool gone = false;
    /// Whether the cluster is being worked on.
    bool in_work = false;
    /// The machine it has ("providerid"); empty when it has none.
    std::string machine;
};

/// The nodes of these names. Those of clusters that never were are left out.
std::map<model::MachineName, NamedNode> named_nodes(Connection& connection,
                                                    const std::set<model::MachineName>& names);

/// Replaces everything of a node but its ids, its number and its settings.
void update_node(Connection& connection, const model::Node& node);

/// Whether any task was ever planned on the node.
bool has_tasks(Connection& connection, model::NodeId node);

/// Deletes the row of a node without tasks.
void delete_node(Connection& connection, model::NodeId node);

}  // namespace provisioner::store
