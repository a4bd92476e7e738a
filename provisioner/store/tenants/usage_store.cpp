#include "provisioner/store/tenants/usage_store.hpp"

#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/tenants/cost_store.hpp"
#include "provisioner/store/tenants/usage_rows.hpp"

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

constexpr auto select_totals = R"sql(
    SELECT COALESCE(SUM(machines), 0) AS machines, COALESCE(SUM(seconds), 0) AS seconds,
           COALESCE(SUM(minutes), 0) AS minutes, COALESCE(SUM(hours), 0) AS hours,
           COALESCE(SUM(days), 0) AS days, MIN(first_at) AS first_at, MAX(last_at) AS last_at
    FROM machine_usage
    WHERE TRUE
)sql";

constexpr auto select_spans = R"sql(
    SELECT began_at, ended_at FROM machine_span WHERE TRUE
)sql";

constexpr auto take_spans_to_add = R"sql(
    UPDATE machine_span
    SET added_up = 2
    WHERE added_up = 0 AND ended_at IS NOT NULL
    ORDER BY ended_at
    LIMIT ?
)sql";

constexpr auto add_taken_spans = R"sql(
    INSERT INTO machine_usage (tenant_id, owner, cluster_template, machines, seconds, minutes, hours,
                               days, first_at, last_at)
    SELECT tenant_id, owner, cluster_template, COUNT(*), SUM(seconds), SUM(seconds DIV 60),
           SUM(seconds DIV 3600), SUM(seconds DIV 86400), MIN(began_at), MAX(ended_at)
    FROM (SELECT tenant_id, owner, cluster_template, began_at, ended_at,
                 CAST(FLOOR(UNIX_TIMESTAMP(ended_at)) AS SIGNED) -
                     CAST(FLOOR(UNIX_TIMESTAMP(began_at)) AS SIGNED) AS seconds
          FROM machine_span
          WHERE added_up = 2) AS taken
    GROUP BY tenant_id, owner, cluster_template
    ON DUPLICATE KEY UPDATE
        machines = machine_usage.machines + VALUES(machines),
        seconds = machine_usage.seconds + VALUES(seconds),
        minutes = machine_usage.minutes + VALUES(minutes),
        hours = machine_usage.hours + VALUES(hours),
        days = machine_usage.days + VALUES(days),
        first_at = LEAST(first_at, VALUES(first_at)),
        last_at = GREATEST(last_at, VALUES(last_at))
)sql";

std::vector<NodeSpan> read_spans(Connection& connection, const Restriction& restriction) {
    Statement select = connection.sql(select_spans + restriction.conditions + " LIMIT 10000000");
    restriction.bind_to(select);
    Rows row = select.query();
    std::vector<NodeSpan> spans;
    while (row.next()) {
        spans.push_back({.created = time_column(row, "began_at"),
                         .deleted = optional_time_column(row, "ended_at")});
    }
    return spans;
}

}  // namespace

void Restriction::add(const std::string& condition, std::string value) {
    conditions += " AND " + condition;
    values.push_back(std::move(value));
}

void Restriction::bind_to(Statement& statement) const {
    for (const std::string& value : values) statement << value;
}

Restriction restriction_of(const UsageFilter& filter) {
    Restriction restriction;
    if (!filter.tenant_uid.empty()) {
        restriction.add("tenant_id = (SELECT id FROM tenant WHERE uid = ?)", filter.tenant_uid);
    }
    if (filter.tenant) restriction.add("tenant_id = ?", std::to_string(filter.tenant->value));
    if (filter.cluster) restriction.add("cluster_id = ?", std::to_string(filter.cluster->value));
    if (!filter.owner.empty()) restriction.add("owner = ?", filter.owner);
    if (!filter.cluster_template.empty()) {
        restriction.add("cluster_template = ?", filter.cluster_template);
    }
    return restriction;
}

Restriction restriction_after_totals(const UsageFilter& filter) {
    Restriction restriction = restriction_of(filter);
    if (!filter.cluster) restriction.conditions += " AND added_up = 0";
    return restriction;
}

Restriction restriction_between(const UsageFilter& filter, base::Timestamp start,
                                base::Timestamp end) {
    Restriction restriction = restriction_of(filter);
    // Named, because the index on the time has this column before the times. No committed row has
    // the value 2.
    restriction.conditions += " AND added_up IN (0, 1)";
    restriction.add("(ended_at IS NULL OR ended_at >= ?)", base::to_sql(start));
    restriction.add("began_at < ?", base::to_sql(end));
    return restriction;
}

std::vector<QueueMetric> queue_metrics(Connection& connection,
                                       std::optional<model::TenantId> only) {
    Rows row = connection.sql(select_queues) << (only ? only->value : std::int64_t{0});
    std::vector<QueueMetric> metrics;
    while (row.next()) {
        metrics.push_back({.tenant = row.get<std::string>("name"),
                           .queued = row.get<int>("queued"),
                           .in_progress = row.get<int>("in_progress")});
    }
    // Whoever asks belongs to a tenant. MariaDB ends a killed statement that groups rows now and
    // then without any row and without an error.
    if (metrics.empty()) {
        throw DatabaseUnavailable("the queues of the tenants were not read", 0,
                                  DatabaseUnavailable::Outcome::repeatable);
    }
    return metrics;
}

UsageTotals usage_totals(Connection& connection, const UsageFilter& filter) {
    if (filter.cluster) return {};
    const Restriction restriction = restriction_of(filter);
    Statement select = connection.sql(select_totals + restriction.conditions);
    restriction.bind_to(select);
    Rows row = select.query();
    row.next();
    return {.machines = row.get<long long>("machines"),
            .seconds = row.get<long long>("seconds"),
            .minutes = row.get<long long>("minutes"),
            .hours = row.get<long long>("hours"),
            .days = row.get<long long>("days"),
            .first = optional_time_column(row, "first_at"),
            .last = optional_time_column(row, "last_at")};
}

std::vector<NodeSpan> node_spans_after_totals(Connection& connection, const UsageFilter& filter) {
    return read_spans(connection, restriction_after_totals(filter));
}

std::vector<NodeSpan> node_spans_between(Connection& connection, const UsageFilter& filter,
                                         base::Timestamp start, base::Timestamp end) {
    return read_spans(connection, restriction_between(filter, start, end));
}

/// The value 2 marks the rows of this transaction. The UPDATE locks them until the commit, so a
/// second daemon waits and then takes others. The mark is gone before the commit; nobody else ever
/// sees a 2.
int add_up_spans(Connection& connection, int limit) {
    Statement take = connection.sql(take_spans_to_add) << limit;
    take.exec();
    const int taken = static_cast<int>(take.affected());
    if (taken == 0) return 0;
    connection.sql(add_taken_spans) << exec;
    add_up_costs(connection);
    connection.sql("UPDATE machine_span SET added_up = 1 WHERE added_up = 2") << exec;
    return taken;
}

}  // namespace provisioner::store
