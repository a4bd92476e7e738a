#pragma once

#include <string>

#include "provisioner/model/clusters/node.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Corrections of node records by a superadmin, as the wire contract has them. They change the
// database only: no machine is touched.

/// Stores a node as given. A known UUID keeps its cluster, number and settings. A new one joins
/// `node.cluster` with the next free number, at least 1000. `overwrite` states whether the UUID may
/// be known. The cluster's node count follows.
///
/// Refused with not_found without such a cluster. Refused with conflict while the cluster is
/// pending or terminated, and for a known node without `overwrite`.
Result<void> save_node(store::Database& database, const model::Caller& caller, model::Node node,
                       bool overwrite);

/// Deletes a node record; does nothing when there is none. Refused with conflict for a node that
/// has tasks, because shrinking is the way to remove a machine. Also refused with conflict while
/// the cluster is pending or terminated.
Result<void> delete_node(store::Database& database, const model::Caller& caller,
                         const std::string& uuid);

}  // namespace provisioner::operations
