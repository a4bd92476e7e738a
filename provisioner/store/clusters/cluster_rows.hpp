#pragma once

#include "provisioner/model/clusters/node.hpp"
#include "provisioner/store/database/statement.hpp"

namespace provisioner::store {

/// One cluster: `?` are its id, its tenant (0 lets every tenant through: the daemon) and its
/// owner's id (0: everything of the tenant, for admins).
constexpr auto select_cluster = R"sql(
    SELECT id, tenant_id, COALESCE(owner_id, 0) AS owner_number, owner, name, description, status,
           message, created_at, expires_at, services, config, snapshot, node_count, dns_suffix, secrets,
           COALESCE(latest_job_id, 0) AS latest_job_id
    FROM cluster
    WHERE id = ? AND ? IN (0, tenant_id) AND ? IN (0, owner_id)
)sql";

/// The nodes the cluster `?` ever had; goes on with conditions, then by_number.
constexpr auto node_columns = R"sql(
    SELECT node.id, node.uuid, node.cluster_id, node.nodenum, node.hostname, node.hardware_type,
           node.image_type, node.flavor, node.image, node.ssh_user, node.settings, node.services,
           node.automators, node.addresses, node.results, node.leaves_job_id IS NOT NULL AS leaves
    FROM node
    LEFT JOIN job ON job.id = node.leaves_job_id
    WHERE node.cluster_id = ?
)sql";

/// Not those that are gone: who left with a job that is complete.
constexpr auto still_there = R"sql(
    AND (node.leaves_job_id IS NULL OR job.status <> 'complete')
)sql";

constexpr auto by_number = R"sql(
    ORDER BY node.nodenum
    LIMIT 1000000
)sql";

/// A row of select_cluster.
model::Cluster read_cluster(Rows& row);

/// A row of node_columns.
model::Node read_node(Rows& row);

}  // namespace provisioner::store
