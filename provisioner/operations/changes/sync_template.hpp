#pragma once

#include <vector>

#include "provisioner/model/clusters/node.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Whether the present nodes keep everything the template demands: its size, the types and services
/// it allows, and its constraints. Pure.
bool layout_keeps(const model::ClusterTemplate& cluster_template,
                  const std::vector<std::string>& services, const std::vector<model::Node>& nodes);

/// Gives an active cluster the newest version of its template, resolved. Later changes follow its
/// rules; nothing is done on the nodes, and no job starts.
///
/// Refused with the texts of the wire contract. With not_found when the cluster, its template or
/// its nodes do not exist. With conflict when the cluster is not active. As invalid when the
/// present layout violates the new template.
Result<void> sync_template(store::Database& database, const model::Caller& caller,
                           model::ClusterId cluster);

/// The template that sync_template would give the cluster, or its refusal. Writes nothing.
Result<model::ClusterTemplate> preview_sync(store::Database& database, const model::Caller& caller,
                                            model::ClusterId cluster);

}  // namespace provisioner::operations
