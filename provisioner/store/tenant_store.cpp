#include "provisioner/store/tenant_store.hpp"

#include "provisioner/store/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_tenant = R"sql(
    SELECT id, uid, name, description, workers, max_clusters, max_nodes
    FROM tenant
    WHERE name = ?
)sql";

constexpr auto select_for_update = R"sql(
    SELECT id FROM tenant WHERE id = ? FOR UPDATE
)sql";

constexpr auto insert_row = R"sql(
    INSERT INTO tenant (uid, name, description, workers, max_clusters, max_nodes, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
)sql";

constexpr auto select_use = R"sql(
    SELECT COUNT(*) AS clusters, COALESCE(SUM(node_count), 0) AS nodes
    FROM cluster
    WHERE tenant_id = ? AND status <> 'terminated'
)sql";

}  // namespace

std::optional<model::Tenant> find_tenant(Connection& connection, const std::string& name) {
    cppdb::result row = connection.session() << select_tenant << name;
    if (!row.next()) return std::nullopt;
    return model::Tenant{
        .id = model::TenantId{row.get<long long>("id")},
        .uid = row.get<std::string>("uid"),
        .name = row.get<std::string>("name"),
        .description = row.get<std::string>("description"),
        .workers = row.get<int>("workers"),
        .max_clusters = row.get<int>("max_clusters"),
        .max_nodes = row.get<int>("max_nodes"),
    };
}

void lock_tenant(Connection& connection, model::TenantId tenant) {
    cppdb::result row = connection.session() << select_for_update << tenant.value << cppdb::row;
}

model::TenantId insert_tenant(Connection& connection, const model::Tenant& tenant,
                              base::Timestamp now) {
    const std::string created_at = base::to_sql(now);
    cppdb::statement insert = connection.session()
                              << insert_row << tenant.uid << tenant.name << tenant.description
                              << tenant.workers << tenant.max_clusters << tenant.max_nodes
                              << created_at;
    insert.exec();
    return model::TenantId{insert.last_insert_id()};
}

TenantUse use_of(Connection& connection, model::TenantId tenant) {
    cppdb::result row = connection.session() << select_use << tenant.value << cppdb::row;
    return {.clusters = row.get<int>("clusters"), .nodes = row.get<int>("nodes")};
}

}  // namespace provisioner::store
