#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "provisioner/model/machines/lost_machine.hpp"
#include "provisioner/model/machines/unknown_machine.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Sightings: which machine of a node its account listed. A node's machine that was seen there and
// is missing in two looks in a row is lost. So a machine is never lost in an account that cannot
// show it, and one look that leaves machines out does no harm.

/// What a look at an account listed.
struct Look {
    /// The provider's ids of all machines.
    std::set<std::string> listed;
    /// Those that nodes have: node -> id of its machine.
    std::map<model::NodeId, std::string> of_nodes;
};

/// Stores a look at the account. Judges no machine of a cluster in work. Returns the machines that
/// are lost since this look, in the order of list_lost_machines. Writes only what changed.
std::vector<model::LostMachine> save_sightings(Connection& connection,
                                               model::ProviderAccountId account, const Look& look);

/// The lost machines of nodes that clusters still have, by cluster and number; at most `limit`.
/// `tenant` 0: of all tenants; `cluster` 0: of all clusters.
std::vector<model::LostMachine> list_lost_machines(Connection& connection, model::TenantId tenant,
                                                   model::ClusterId cluster, int limit);

/// Since when the lost machines of these clusters are missing, by node.
std::map<model::NodeId, base::Timestamp> lost_machines_of(
    Connection& connection, const std::vector<model::ClusterId>& clusters);

/// Those of active clusters whose replacement was not refused lately; at most `limit`.
std::vector<model::LostMachine> replaceable_machines(Connection& connection, int limit);

/// Leaves the machines of these nodes out of replaceable_machines for `pause`.
void postpone_replacement(Connection& connection, const std::vector<model::NodeId>& nodes,
                          std::chrono::seconds pause);

}  // namespace provisioner::store
