#include "provisioner/store/catalogue/cluster_use_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

/// The path of a name in the headers of a cluster stands between the two: it has to be a literal.
constexpr auto count_by = "SELECT JSON_VALUE(headers, '";
constexpr auto of_current_clusters = R"sql(') AS used, COUNT(*) AS clusters,
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
    const std::string path = is_template ? "$.clusterTemplate.name" : "$.provider.name";
    Rows row = connection.sql(count_by + path + of_current_clusters) << tenant.value;
    std::map<std::string, ClusterUse> uses;
    while (row.next()) {
        uses.emplace(text_column(row, "used"),
                     ClusterUse{.clusters = row.get<int>("clusters"),
                                .machines = row.get<long long>("machines")});
    }
    return uses;
}

}  // namespace provisioner::store
