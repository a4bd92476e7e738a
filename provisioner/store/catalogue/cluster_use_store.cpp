#include "provisioner/store/catalogue/cluster_use_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto count_by_template = R"sql(
    SELECT JSON_VALUE(headers, '$.clusterTemplate.name') AS used, COUNT(*) AS clusters,
           SUM(node_count) AS machines
    FROM cluster
    WHERE tenant_id = ? AND status IN ('pending', 'active', 'incomplete', 'inconsistent')
    GROUP BY used
    ORDER BY used
    LIMIT 10000
)sql";

constexpr auto count_by_provider = R"sql(
    SELECT JSON_VALUE(headers, '$.provider.name') AS used, COUNT(*) AS clusters,
           SUM(node_count) AS machines
    FROM cluster
    WHERE tenant_id = ? AND status IN ('pending', 'active', 'incomplete', 'inconsistent')
    GROUP BY used
    ORDER BY used
    LIMIT 10000
)sql";

}  // namespace

std::map<std::string, ClusterUse> uses_by_clusters(Connection& connection, model::TenantId tenant,
                                                   model::CatalogueKind kind) {
    const bool is_template = kind == model::CatalogueKind::cluster_template;
    if (!is_template && kind != model::CatalogueKind::provider) return {};
    Rows row = connection.sql(is_template ? count_by_template : count_by_provider) << tenant.value;
    std::map<std::string, ClusterUse> uses;
    while (row.next()) {
        uses.emplace(text_column(row, "used"),
                     ClusterUse{.clusters = row.get<int>("clusters"),
                                .machines = row.get<long long>("machines")});
    }
    return uses;
}

}  // namespace provisioner::store
