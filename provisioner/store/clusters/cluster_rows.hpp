#pragma once

#include "provisioner/model/clusters/node.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/statement.hpp"

namespace provisioner::store {

// Statements and readers of the tables cluster and node that several files of this folder share.
// The select lists and the readers belong together: a new column goes into both. Columns are read
// by name, so their order does not matter.

/// The columns of a cluster that cost little to read. read_outline() reads them.
constexpr auto outline_columns = R"sql(
    SELECT id, tenant_id, COALESCE(owner_id, 0) AS owner_number, owner, name, description, status,
           message, created_at, expires_at, node_count, services_stopped, dns_suffix, region, secrets,
           COALESCE(latest_job_id, 0) AS latest_job_id
)sql";

/// The end of a statement about one cluster. The `?` are its id, its tenant (0 admits every tenant:
/// the daemon) and its owner's id (0 admits every owner). Append FOR UPDATE to lock the
/// row. A deleted owner and a missing job have the number 0.
constexpr auto of_one_cluster = R"sql(
    FROM cluster
    WHERE id = ? AND ? IN (0, tenant_id) AND ? IN (0, owner_id)
)sql";

/// One cluster without its documents (services, config, snapshot).
inline const std::string select_outline = std::string(outline_columns) + of_one_cluster;

/// One cluster as a whole.
inline const std::string select_cluster =
    std::string(outline_columns) + ", services, config, snapshot " + of_one_cluster;

/// The owner to bind for `caller`, by the rights of their role: 0 for those who see all clusters of
/// the tenant, else their own id.
std::int64_t owner_filter(const model::Caller& caller);

/// The same to lock clusters, which only changes do: 0 for those who operate all clusters, -1
/// (nobody's) for those who operate none.
std::int64_t owner_filter_of_change(const model::Caller& caller);

/// The nodes the cluster `?` ever had. Append conditions, then by_number. `leaves` is true from the
/// start of the job that takes the node away.
constexpr auto node_columns = R"sql(
    SELECT node.id, node.uuid, node.cluster_id, node.nodenum, node.hostname, node.hardware_type,
           node.image_type, node.flavor, node.image, node.ssh_user, node.settings, node.services,
           node.automators, node.addresses, node.results, node.leaves_job_id IS NOT NULL AS leaves,
           node.was_set_up
    FROM node
    WHERE node.cluster_id = ?
)sql";

/// A condition that leaves out nodes that are gone (statements::end_nodes).
constexpr auto still_there = R"sql(
    AND NOT node.has_left
)sql";

/// The end of a statement that begins with node_columns.
constexpr auto by_number = R"sql(
    ORDER BY node.nodenum
    LIMIT 1000000
)sql";

/// Reads a row of select_outline or select_cluster; services, config and snapshot stay empty.
/// Throws std::logic_error when the sealed secrets cannot be read.
model::Cluster read_outline(Rows& row);

/// Reads a row of select_cluster. Throws std::logic_error when a document cannot be read. Costs the
/// parsing of the whole snapshot.
model::Cluster read_cluster(Rows& row);

/// Reads a row of node_columns. Throws std::logic_error when a document cannot be read.
model::Node read_node(Rows& row);

}  // namespace provisioner::store
