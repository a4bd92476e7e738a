#pragma once

#include <cppdb/frontend.h>

#include "provisioner/model/node.hpp"

namespace provisioner::store {

/// One cluster: `?` are its id, its tenant (0 lets every tenant through: the daemon) and its owner
/// (empty: everything of the tenant, for admins).
constexpr auto select_cluster = R"sql(
    SELECT id, tenant_id, owner, name, description, status, message, created_at, expires_at,
           services, config, snapshot, node_count, COALESCE(latest_job_id, 0) AS latest_job_id
    FROM cluster
    WHERE id = ? AND ? IN (0, tenant_id) AND ? IN ('', owner)
)sql";

/// The nodes of the cluster `?` by nodenum.
constexpr auto select_nodes = R"sql(
    SELECT id, uuid, cluster_id, nodenum, hostname, hardware_type, image_type, flavor, image,
           ssh_user, settings, services, automators, addresses, results
    FROM node
    WHERE cluster_id = ?
    ORDER BY nodenum
    LIMIT 1000000
)sql";

/// A row of select_cluster.
model::Cluster read_cluster(cppdb::result& row);

/// A row of select_nodes.
model::Node read_node(cppdb::result& row);

}  // namespace provisioner::store
