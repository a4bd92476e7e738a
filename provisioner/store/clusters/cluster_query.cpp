#include "provisioner/store/clusters/cluster_query.hpp"

#include "provisioner/base/ids.hpp"
#include "provisioner/store/clusters/cluster_rows.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// A subquery with one value is asked for each cluster in their order, so the search ends with the
// first clusters that fit. The server turns EXISTS into a join that reads all machines.
constexpr auto has_node = R"sql(
    AND (SELECT 1
         FROM node
         WHERE node.cluster_id = cluster.id AND NOT node.has_left
)sql";

constexpr auto has_failed_tasks = R"sql(
    AND (SELECT tasks_failed + tasks_left FROM job WHERE job.id = cluster.latest_job_id) > 0
)sql";

constexpr auto is_of_template = " AND template_name = ?";
constexpr auto is_of_provider = " AND provider_name = ?";

constexpr auto has_lost_nodes = R"sql(
    AND id IN (SELECT node.cluster_id
               FROM machine_sighting
               JOIN node ON node.id = machine_sighting.node_id
               WHERE machine_sighting.misses >= 2 AND node.leaves_job_id IS NULL)
)sql";

/// What `ClusterQuery::text` is looked for in. Each holds one pattern.
std::vector<std::string> searched_columns(const ClusterQuery& query) {
    std::vector<std::string> columns{"name", "owner", "description", "template_name",
                                     "JSON_VALUE(headers, '$.clusterTemplate.label')"};
    if (query.all_tenants) {
        columns.emplace_back("(SELECT tenant.name FROM tenant WHERE tenant.id = tenant_id)");
    }
    return columns;
}

std::string condition_on_text(const ClusterQuery& query) {
    std::string condition = " AND (id = ?";
    for (const std::string& column : searched_columns(query)) {
        condition += " OR " + column + " COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'";
    }
    return condition + ')';
}

std::string conditions_on_machines(const ClusterQuery& query, const NodeCondition& machine) {
    std::string conditions;
    if (query.trouble == MachineTrouble::failed) conditions += has_failed_tasks;
    if (query.trouble == MachineTrouble::lost) conditions += has_lost_nodes;
    if (query.machine_text.empty()) return conditions;
    return conditions + has_node + machine.sql() + " LIMIT 1) = 1";
}

}  // namespace

ClusterIds::ClusterIds(const model::Caller& caller, const ClusterQuery& query)
    : caller_(caller),
      query_(query),
      pattern_(containing(query.text)),
      machine_(query.machine_text) {
    for (const auto status : query.statuses) statuses_.push_back(base::to_word(status));
}

std::string ClusterIds::sql() const {
    return "SELECT id FROM (" + rows("id") + ") AS of_status";
}

std::string ClusterIds::rows(const std::string& columns) const {
    std::string ids;
    for (std::size_t i = 0; i < statuses_.size(); ++i) {
        ids += i == 0 ? "" : " UNION ALL ";
        // Left alone, the server may walk over all tenants' clusters to find those of one.
        ids += "(SELECT " + columns + " FROM cluster FORCE INDEX (";
        ids += query_.only_stopped  ? "cluster_stopped"
               : query_.all_tenants ? "cluster_everywhere"
                                    : "cluster_use";
        ids += ") WHERE status = ?";
        ids += query_.all_tenants ? " AND tenant_id IN (SELECT id FROM tenant WHERE deleted_id = 0)"
                                  : " AND tenant_id = ? AND ? IN (0, owner_id)";
        if (query_.only_stopped) ids += " AND services_stopped > 0";
        if (!query_.cluster_template.empty()) ids += is_of_template;
        if (!query_.provider.empty()) ids += is_of_provider;
        if (!query_.text.empty()) ids += condition_on_text(query_);
        ids += conditions_on_machines(query_, machine_);
        if (query_.before.value > 0) ids += " AND id < ?";
        if (query_.from.value > 0) ids += " AND id >= ?";
        if (query_.limit > 0) ids += " ORDER BY id DESC LIMIT ?";
        ids += ")";
    }
    return ids;
}

void ClusterIds::bind(Statement& select) const {
    for (const std::string& status : statuses_) {
        select << status;
        if (!query_.all_tenants) select << caller_.tenant.id.value << owner_filter(caller_);
        if (!query_.cluster_template.empty()) select << query_.cluster_template;
        if (!query_.provider.empty()) select << query_.provider;
        if (!query_.text.empty()) {
            select << base::parse_number(query_.text).value_or(0);
            for (std::size_t i = 0; i < searched_columns(query_).size(); ++i) select << pattern_;
        }
        machine_.bind(select);
        if (query_.before.value > 0) select << query_.before.value;
        if (query_.from.value > 0) select << query_.from.value;
        if (query_.limit > 0) select << query_.limit;
    }
}

}  // namespace provisioner::store
