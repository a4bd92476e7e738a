#include "provisioner/store/overview/home_store.hpp"

#include "provisioner/store/clusters/cluster_rows.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto count_by_status = R"sql(
    SELECT status, COUNT(*) AS clusters, COALESCE(SUM(node_count), 0) AS nodes,
           SUM(services_stopped > 0) AS stopped
    FROM cluster
    WHERE tenant_id = ? AND status IN ('pending', 'active', 'incomplete', 'inconsistent') AND
          ? IN (0, owner_id)
    GROUP BY status
    ORDER BY status
    LIMIT 10
)sql";

// By tenant and for one status, so that it is a look at the index for each tenant.
constexpr auto count_everywhere = R"sql(
    SELECT ? AS status, COUNT(*) AS clusters, COALESCE(SUM(cluster.node_count), 0) AS nodes,
           0 AS stopped
    FROM tenant
    JOIN cluster ON cluster.tenant_id = tenant.id AND cluster.status = ?
    WHERE tenant.deleted_id = 0
)sql";

// From its own index: there are few.
constexpr auto count_stopped_everywhere = R"sql(
    SELECT COUNT(*) AS stopped
    FROM cluster FORCE INDEX (cluster_stopped)
    JOIN tenant ON tenant.id = cluster.tenant_id AND tenant.deleted_id = 0
    WHERE cluster.status IN ('active', 'incomplete', 'inconsistent') AND
          cluster.services_stopped > 0
)sql";

constexpr auto select_ending_leases = R"sql(
    SELECT id, name, owner, expires_at
    FROM cluster
    WHERE tenant_id = ? AND status IN ('active', 'incomplete', 'inconsistent') AND
          ? IN (0, owner_id) AND expires_at < ?
    ORDER BY expires_at, id
    LIMIT ?
)sql";

void add_counts(ClusterCounts& counts, Rows& row) {
    const auto status = base::stored_word<model::ClusterStatus>(row.get<std::string>("status"));
    const int clusters = row.get<int>("clusters");
    counts.nodes += row.get<int>("nodes");
    // Of a job under way it is known only how it was before.
    if (status != model::ClusterStatus::pending) counts.stopped += row.get<int>("stopped");
    if (status == model::ClusterStatus::active) {
        counts.active = clusters;
    } else if (status == model::ClusterStatus::pending) {
        counts.pending = clusters;
    } else {
        counts.failing += clusters;
    }
}

}  // namespace

ClusterCounts count_clusters(Connection& connection, const model::Caller& caller) {
    Rows row = connection.sql(count_by_status) << caller.tenant.id.value << owner_filter(caller);
    ClusterCounts counts;
    while (row.next()) add_counts(counts, row);
    return counts;
}

ClusterCounts count_all_clusters(Connection& connection, const model::Caller& caller) {
    ClusterCounts counts;
    if (!caller.is_superadmin()) return counts;
    for (const auto& [status, word] : base::words<model::ClusterStatus>) {
        if (status == model::ClusterStatus::terminated) continue;
        Rows row = connection.sql(count_everywhere) << word << word << one_row;
        add_counts(counts, row);
    }
    Rows row = connection.sql(count_stopped_everywhere) << one_row;
    counts.stopped = row.get<int>("stopped");
    return counts;
}

std::vector<ExpiringCluster> list_expiring(Connection& connection, const model::Caller& caller,
                                           base::Timestamp until, int limit) {
    Rows row = connection.sql(select_ending_leases)
               << caller.tenant.id.value << owner_filter(caller) << base::to_sql(until) << limit;
    std::vector<ExpiringCluster> clusters;
    while (row.next()) {
        clusters.push_back({.id = model::ClusterId{row.get<long long>("id")},
                            .name = row.get<std::string>("name"),
                            .owner = row.get<std::string>("owner"),
                            .expires_at = time_column(row, "expires_at")});
    }
    return clusters;
}

}  // namespace provisioner::store
