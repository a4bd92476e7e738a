#include "provisioner/store/clusters/deletion_store.hpp"

#include "provisioner/store/clusters/cluster_rows.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto count_from_job = R"sql(
    UPDATE cluster SET deletions_since = ? WHERE id = ?
)sql";

constexpr auto count_on_or_from_job = R"sql(
    UPDATE cluster SET deletions_since = COALESCE(deletions_since, ?) WHERE id = ?
)sql";

// Retention keeps these jobs, so their number is right.
constexpr auto select_failed_deletions = R"sql(
    SELECT job.finished_at, job.message,
           (SELECT COUNT(*) FROM job AS one
            WHERE one.cluster_id = cluster.id AND one.id >= cluster.deletions_since) AS failures
    FROM cluster
    JOIN job ON job.id = cluster.latest_job_id
    WHERE cluster.id = ? AND cluster.status <> 'terminated' AND cluster.deletions_since IS NOT NULL
      AND job.operation = 'cluster_delete' AND job.status = 'failed'
)sql";

constexpr auto select_expired = R"sql(
    SELECT cluster.id, job.finished_at, job.message,
           (SELECT COUNT(*) FROM job AS one
            WHERE one.cluster_id = cluster.id AND one.id >= cluster.deletions_since) AS failures
    FROM cluster
    LEFT JOIN job ON job.id = cluster.latest_job_id AND cluster.deletions_since IS NOT NULL
                     AND job.operation = 'cluster_delete' AND job.status = 'failed'
    WHERE cluster.expires_at <= ? AND cluster.status IN ('active', 'incomplete', 'inconsistent')
    ORDER BY job.finished_at, cluster.expires_at, cluster.id
    LIMIT ?
)sql";

std::optional<model::Cluster> lock_outline_of(Connection& connection, model::TenantId tenant,
                                              std::int64_t owner, model::ClusterId cluster) {
    Rows row = connection.sql(select_outline + " FOR UPDATE")
               << cluster.value << tenant.value << owner;
    if (!row.next()) return std::nullopt;
    return read_outline(row);
}

std::optional<model::FailedDeletions> read_failed_deletions(Rows& row) {
    const auto last = optional_time_column(row, "finished_at");
    if (!last) return std::nullopt;
    return model::FailedDeletions{.count = row.get<int>("failures"),
                                  .last = *last,
                                  .message = row.get<std::string>("message")};
}

}  // namespace

std::optional<model::Cluster> lock_outline(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster) {
    return lock_outline_of(connection, caller.tenant.id, owner_filter_of_change(caller), cluster);
}

std::optional<model::Cluster> lock_outline_for_work(Connection& connection, model::ClusterId id) {
    return lock_outline_of(connection, model::TenantId{}, 0, id);
}

void note_deletion(Connection& connection, model::ClusterId cluster, model::JobId job,
                   bool is_repeat) {
    connection.sql(is_repeat ? count_on_or_from_job : count_from_job)
        << job.value << cluster.value << exec;
}

std::optional<model::FailedDeletions> failed_deletions(Connection& connection,
                                                       model::ClusterId cluster) {
    Rows row = connection.sql(select_failed_deletions) << cluster.value;
    if (!row.next()) return std::nullopt;
    return read_failed_deletions(row);
}

std::vector<ExpiredCluster> expired_clusters(Connection& connection, base::Timestamp now,
                                             int limit) {
    const std::string moment = base::to_sql(now);
    Rows row = connection.sql(select_expired) << moment << limit;
    std::vector<ExpiredCluster> expired;
    while (row.next()) {
        expired.push_back({.id = model::ClusterId{row.get<long long>("id")},
                           .failed = read_failed_deletions(row)});
    }
    return expired;
}

}  // namespace provisioner::store
