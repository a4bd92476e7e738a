#include "provisioner/store/catalogue/cluster_use_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

/// `what` is "template" or "provider": names of columns and indexes cannot be bound. The index
/// alone answers.
std::string count_by(const std::string& what) {
    const std::string column = what + "_name";
    return "SELECT " + column +
           " AS used, COUNT(*) AS clusters, SUM(node_count) AS machines "
           "FROM cluster FORCE INDEX (cluster_of_" +
           what +
           ") "
           "WHERE tenant_id = ? AND status IN ('pending', 'active', 'incomplete', 'inconsistent') "
           "GROUP BY " +
           column + " ORDER BY " + column + " LIMIT 10000";
}

constexpr auto select_with_services = R"sql(
    SELECT id, name, owner, status,
           (SELECT MAX(job.created_at) FROM job
            WHERE job.cluster_id = cluster.id AND job.status = 'complete' AND
                  job.operation IN ('cluster_create', 'cluster_configure',
                                    'cluster_configure_with_restart')) AS set_up_at
    FROM cluster
    WHERE tenant_id = ? AND status <> 'terminated' AND JSON_OVERLAPS(services, ?)
    ORDER BY id
    LIMIT ?
)sql";

constexpr auto count_with_services = R"sql(
    SELECT COUNT(*) AS clusters
    FROM cluster
    WHERE tenant_id = ? AND status <> 'terminated' AND JSON_OVERLAPS(services, ?)
)sql";

}  // namespace

std::map<std::string, ClusterUse> uses_by_clusters(Connection& connection, model::TenantId tenant,
                                                   model::CatalogueKind kind) {
    const bool is_template = kind == model::CatalogueKind::cluster_template;
    if (!is_template && kind != model::CatalogueKind::provider) return {};
    Rows row = connection.sql(count_by(is_template ? "template" : "provider")) << tenant.value;
    std::map<std::string, ClusterUse> uses;
    while (row.next()) {
        uses.emplace(text_column(row, "used"),
                     ClusterUse{.clusters = row.get<int>("clusters"),
                                .machines = row.get<long long>("machines")});
    }
    return uses;
}

std::vector<ClusterOfService> clusters_with_services(Connection& connection, model::TenantId tenant,
                                                     const std::vector<std::string>& services,
                                                     int most) {
    if (services.empty()) return {};
    const std::string names = base::Json(services).dump();
    Rows row = connection.sql(select_with_services) << tenant.value << names << most;
    std::vector<ClusterOfService> clusters;
    while (row.next()) {
        clusters.push_back(
            {.id = model::ClusterId{row.get<long long>("id")},
             .name = row.get<std::string>("name"),
             .owner = row.get<std::string>("owner"),
             .status = base::stored_word<model::ClusterStatus>(row.get<std::string>("status")),
             .set_up_at = optional_time_column(row, "set_up_at")});
    }
    return clusters;
}

std::size_t count_clusters_with_services(Connection& connection, model::TenantId tenant,
                                         const std::vector<std::string>& services) {
    if (services.empty()) return 0;
    const std::string names = base::Json(services).dump();
    Rows row = connection.sql(count_with_services) << tenant.value << names << one_row;
    return static_cast<std::size_t>(row.get<long long>("clusters"));
}

}  // namespace provisioner::store
