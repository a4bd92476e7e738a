#pragma once

#include "provisioner/operations/change_cluster.hpp"

namespace provisioner::operations {

/// All checks, the layout and the plan of a change to a cluster whose row may be locked. Only
/// reads; `cluster` is as it is stored. Refused as preview_change says.
Result<PreparedChange> prepare_change(store::Connection& connection, const model::Caller& caller,
                                      const model::Cluster& cluster, const ChangeCluster& wanted);

}  // namespace provisioner::operations
