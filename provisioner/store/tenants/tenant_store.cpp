#include "provisioner/store/tenants/tenant_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_tenant = R"sql(
    SELECT id, uid, name, description, workers, max_clusters, max_nodes, budget_currency,
           budget_per_hour, budget_per_month, provider_types
    FROM tenant
    WHERE name = ? AND deleted_id = 0
)sql";

constexpr auto select_tenant_by_id = R"sql(
    SELECT id, uid, name, description, workers, max_clusters, max_nodes, budget_currency,
           budget_per_hour, budget_per_month, provider_types
    FROM tenant
    WHERE id = ? AND deleted_id = 0
)sql";

constexpr auto select_all = R"sql(
    SELECT id, uid, name, description, workers, max_clusters, max_nodes, budget_currency,
           budget_per_hour, budget_per_month, provider_types
    FROM tenant
    WHERE deleted_id = 0
    ORDER BY id
    LIMIT 100000
)sql";

constexpr auto select_all_for_update = R"sql(
    SELECT id FROM tenant ORDER BY id LIMIT 100000 FOR UPDATE
)sql";

constexpr auto update_tenant_row = R"sql(
    UPDATE tenant
    SET description = ?, workers = ?, max_clusters = ?, max_nodes = ?, budget_currency = ?,
        budget_per_hour = NULLIF(?, -1), budget_per_month = NULLIF(?, -1),
        provider_types = NULLIF(?, '')
    WHERE id = ?
)sql";

constexpr auto mark_tenant_deleted = R"sql(
    UPDATE tenant SET deleted_id = id WHERE id = ?
)sql";

constexpr auto select_in_flight = R"sql(
    SELECT task.worker, tenant.name, COUNT(*) AS tasks
    FROM task
    JOIN job ON job.id = task.job_id
    JOIN cluster ON cluster.id = job.cluster_id
    JOIN tenant ON tenant.id = cluster.tenant_id
    WHERE task.claimed_until IS NOT NULL
    GROUP BY task.worker, tenant.id, tenant.name
    ORDER BY task.worker, tenant.id
    LIMIT 100000
)sql";

constexpr auto select_for_update = R"sql(
    SELECT id FROM tenant WHERE id = ? FOR UPDATE
)sql";

constexpr auto insert_tenant_row = R"sql(
    INSERT INTO tenant (uid, name, description, workers, max_clusters, max_nodes, budget_currency,
                        budget_per_hour, budget_per_month, provider_types, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, NULLIF(?, -1), NULLIF(?, -1), NULLIF(?, ''), ?)
)sql";

constexpr auto select_use = R"sql(
    SELECT COUNT(*) AS clusters, COALESCE(SUM(node_count), 0) AS nodes
    FROM cluster
    WHERE tenant_id = ? AND status <> 'terminated'
)sql";

std::optional<std::int64_t> optional_number(Rows& row, const std::string& column) {
    if (row.is_null(column)) return std::nullopt;
    return row.get<long long>(column);
}

std::optional<model::Budget> read_budget(Rows& row) {
    auto currency = row.get<std::string>("budget_currency");
    if (currency.empty()) return std::nullopt;
    return model::Budget{.currency = std::move(currency),
                         .per_hour = optional_number(row, "budget_per_hour"),
                         .per_month = optional_number(row, "budget_per_month")};
}

/// Binds the three columns of the budget; -1 stands for NULL.
void bind_budget(Statement& statement, const std::optional<model::Budget>& budget) {
    const model::Budget bound = budget.value_or(model::Budget{});
    statement << bound.currency << bound.per_hour.value_or(-1) << bound.per_month.value_or(-1);
}

std::optional<std::vector<std::string>> read_provider_types(Rows& row) {
    if (row.is_null("provider_types")) return std::nullopt;
    return strings_column(row, "provider_types");
}

/// Empty stands for NULL.
std::string provider_types_text(const model::Tenant& tenant) {
    return tenant.provider_types ? base::to_text(base::Json(*tenant.provider_types)) : "";
}

model::Tenant read_tenant(Rows& row) {
    return {
        .id = model::TenantId{row.get<long long>("id")},
        .uid = row.get<std::string>("uid"),
        .name = row.get<std::string>("name"),
        .description = row.get<std::string>("description"),
        .workers = row.get<int>("workers"),
        .max_clusters = row.get<int>("max_clusters"),
        .max_nodes = row.get<int>("max_nodes"),
        .budget = read_budget(row),
        .provider_types = read_provider_types(row),
    };
}

}  // namespace

std::optional<model::Tenant> find_tenant(Connection& connection, const std::string& name) {
    Rows row = connection.sql(select_tenant) << name;
    if (!row.next()) return std::nullopt;
    auto tenant = read_tenant(row);
    // "superadmin " is not superadmin, whatever the server says.
    if (tenant.name != name) return std::nullopt;
    return tenant;
}

std::optional<model::Tenant> find_tenant(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(select_tenant_by_id) << tenant.value;
    if (!row.next()) return std::nullopt;
    return read_tenant(row);
}

std::vector<model::Tenant> list_tenants(Connection& connection) {
    Rows row = connection.sql(select_all);
    std::vector<model::Tenant> tenants;
    while (row.next()) tenants.push_back(read_tenant(row));
    return tenants;
}

void lock_tenant(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(select_for_update) << tenant.value << one_row;
}

model::TenantId insert_tenant(Connection& connection, const model::Tenant& tenant,
                              base::Timestamp now) {
    const std::string created_at = base::to_sql(now);
    Statement insert = connection.sql(insert_tenant_row)
                       << tenant.uid << tenant.name << tenant.description << tenant.workers
                       << tenant.max_clusters << tenant.max_nodes;
    bind_budget(insert, tenant.budget);
    insert << provider_types_text(tenant) << created_at;
    insert.exec();
    return model::TenantId{insert.last_insert_id()};
}

void lock_tenants(Connection& connection) {
    Rows row = connection.sql(select_all_for_update);
    while (row.next()) continue;
}

void update_tenant(Connection& connection, const model::Tenant& tenant) {
    Statement update = connection.sql(update_tenant_row) << tenant.description << tenant.workers
                                                         << tenant.max_clusters << tenant.max_nodes;
    bind_budget(update, tenant.budget);
    update << provider_types_text(tenant) << tenant.id.value;
    update.exec();
}

void delete_tenant(Connection& connection, model::TenantId tenant) {
    connection.sql(mark_tenant_deleted) << tenant.value << exec;
}

std::vector<WorkInFlight> work_in_flight(Connection& connection) {
    Rows row = connection.sql(select_in_flight);
    std::vector<WorkInFlight> work;
    while (row.next()) {
        work.push_back({.worker = row.get<std::string>("worker"),
                        .tenant = row.get<std::string>("name"),
                        .tasks = row.get<int>("tasks")});
    }
    return work;
}

TenantUse use_of(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(select_use) << tenant.value << one_row;
    return {.clusters = row.get<int>("clusters"), .nodes = row.get<int>("nodes")};
}

}  // namespace provisioner::store
