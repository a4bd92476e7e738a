#pragma once

#include <vector>

#include "provisioner/model/clusters/node.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Whether the nodes a cluster has keep everything the template asks for: its size, the types and
/// services it allows, and its constraints.
bool layout_keeps(const model::ClusterTemplate& cluster_template,
                  const std::vector<std::string>& services, const std::vector<model::Node>& nodes);

/// Gives an active cluster the newest version of its template, resolved; nothing is done on the
/// nodes. Refused with the texts of the wire contract: not_found for the cluster, a template that
/// is gone and a cluster without nodes, conflict in any other state, invalid when the present
/// layout does not keep the template.
Result<void> sync_template(store::Database& database, const model::Caller& caller,
                           model::ClusterId cluster);

}  // namespace provisioner::operations
