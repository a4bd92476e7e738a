#include "provisioner/store/metrics_store.hpp"

#include "provisioner/store/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_queues = R"sql(
    SELECT tenant.name,
           COALESCE(SUM(task.state = 'ready'), 0) AS queued,
           COALESCE(SUM(task.state = 'claimed'), 0) AS in_progress
    FROM tenant
    LEFT JOIN cluster ON cluster.tenant_id = tenant.id AND cluster.status = 'pending'
    LEFT JOIN task ON task.job_id = cluster.latest_job_id AND task.state IN ('ready', 'claimed')
    WHERE tenant.deleted_id = 0 AND ? IN (0, tenant.id)
    GROUP BY tenant.id, tenant.name
    ORDER BY tenant.id
    LIMIT 100000
)sql";

constexpr auto select_spans = R"sql(
    SELECT MIN(CASE WHEN task.action = 'create' THEN task.finished_at END) AS created,
           COALESCE(MIN(CASE WHEN task.action = 'delete' THEN task.finished_at END),
                    MIN(CASE WHEN cluster.status = 'terminated' THEN latest.finished_at END))
               AS deleted
    FROM tenant
    JOIN cluster ON cluster.tenant_id = tenant.id
    JOIN job ON job.cluster_id = cluster.id
    JOIN task ON task.job_id = job.id
    LEFT JOIN job AS latest ON latest.id = cluster.latest_job_id
    WHERE task.state = 'done' AND task.action IN ('create', 'delete')
      AND ? IN ('', tenant.uid)
      AND ? IN ('', cluster.owner)
      AND ? IN (0, cluster.id)
      AND ? IN ('', JSON_UNQUOTE(JSON_EXTRACT(cluster.headers, '$.clusterTemplate.name')))
    GROUP BY task.node_id
    ORDER BY task.node_id
    LIMIT 10000000
)sql";

}  // namespace

std::vector<QueueMetric> queue_metrics(Connection& connection,
                                       std::optional<model::TenantId> only) {
    Rows row = connection.sql(select_queues) << (only ? only->value : std::int64_t{0});
    std::vector<QueueMetric> metrics;
    while (row.next()) {
        metrics.push_back({.tenant = row.get<std::string>("name"),
                           .queued = row.get<int>("queued"),
                           .in_progress = row.get<int>("in_progress")});
    }
    return metrics;
}

std::vector<NodeSpan> node_spans(Connection& connection, const UsageFilter& filter) {
    Rows row = connection.sql(select_spans)
               << filter.tenant_uid << filter.owner
               << (filter.cluster ? filter.cluster->value : std::int64_t{0})
               << filter.cluster_template;
    std::vector<NodeSpan> spans;
    while (row.next()) {
        const auto created = optional_time_column(row, "created");
        if (!created) continue;
        spans.push_back({.created = *created, .deleted = optional_time_column(row, "deleted")});
    }
    return spans;
}

}  // namespace provisioner::store
