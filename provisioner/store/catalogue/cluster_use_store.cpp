#include "provisioner/store/catalogue/cluster_use_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// Answered by the indexes cluster_of_template and cluster_of_provider alone.
constexpr auto count_by_template = R"sql(
    SELECT template_name AS used, COUNT(*) AS clusters, SUM(node_count) AS machines
    FROM cluster FORCE INDEX (cluster_of_template)
    WHERE tenant_id = ? AND status IN ('pending', 'active', 'incomplete', 'inconsistent')
    GROUP BY template_name
    ORDER BY template_name
    LIMIT 10000
)sql";

constexpr auto count_by_provider = R"sql(
    SELECT provider_name AS used, COUNT(*) AS clusters, SUM(node_count) AS machines
    FROM cluster FORCE INDEX (cluster_of_provider)
    WHERE tenant_id = ? AND status IN ('pending', 'active', 'incomplete', 'inconsistent')
    GROUP BY provider_name
    ORDER BY provider_name
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
