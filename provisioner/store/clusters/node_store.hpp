#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "provisioner/model/clusters/node.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Single nodes: for corrections by hand and for the comparison with machines that providers list.
// Whole clusters are read with nodes_of (cluster_store.hpp).

/// The cluster the node of this UUID is or was in, of any tenant; nothing when it is unknown.
std::optional<model::ClusterId> cluster_of_node(Connection& connection, const std::string& uuid);

/// The node that the name of a machine refers to.
struct NamedNode {
    /// 0 when the cluster never had it.
    model::NodeId id{};
    /// Of the cluster in the name.
    model::TenantId tenant;
    /// Whether that cluster ever had a node of this number that is still stored.
    bool existed = false;
    /// Whether it is gone for good: its cluster terminated, or a complete job took it away. A gone
    /// node never gets a machine again, so its machine can be deleted.
    bool gone = false;
    /// Whether a job of the cluster is under way (status pending), so the node may be getting its
    /// machine.
    bool in_work = false;
    /// The provider's id of its machine ("providerid" of its results); empty when it has none.
    std::string machine;
};

/// The nodes of these names. Leaves out names of clusters that are not stored. One statement for
/// all names.
std::map<model::MachineName, NamedNode> named_nodes(Connection& connection,
                                                    const std::set<model::MachineName>& names);

/// Which of these clusters are stored, with whether each is terminated.
std::map<model::ClusterId, bool> terminated_clusters(Connection& connection,
                                                     const std::set<model::ClusterId>& clusters);

/// Replaces everything of a node but its ids, its number and its settings. Marks it as changed, so
/// the next job's workers read it again. Lock the cluster first.
void update_node(Connection& connection, const model::Node& node);

/// Whether any stored task was planned on the node.
bool has_tasks(Connection& connection, model::NodeId node);

/// Deletes the row of a node. Fails with DatabaseError when tasks refer to it, see has_tasks.
void delete_node(Connection& connection, model::NodeId node);

}  // namespace provisioner::store
