#pragma once

#include <string>

#include "provisioner/model/clusters/node.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Stores the record of a node as it is given, for whoever has to put one right by hand: nothing is
/// done on any machine. A node that is known keeps its cluster and number; a new one is the next of
/// its cluster. `overwrite`: whether it may be known. Refused with not_found without such a
/// cluster, with conflict while the cluster is being worked on or is terminated, and for a known
/// node that may not be overwritten.
Result<void> save_node(store::Database& database, model::Node node, bool overwrite);

/// Deletes such a record; does nothing when there is none. Refused with conflict for a node that
/// work was ever planned on: shrinking takes that away.
Result<void> delete_node(store::Database& database, const std::string& uuid);

}  // namespace provisioner::operations
