#include "provisioner/store/catalogue/size_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_sizes = R"sql(
    SELECT digest, answer
    FROM template_sizes
    WHERE tenant_id = ?
    ORDER BY digest
    LIMIT 100000
)sql";

constexpr auto select_sizes_of_digest = R"sql(
    SELECT digest FROM template_sizes WHERE tenant_id = ? AND digest = ?
)sql";

constexpr auto insert_sizes = R"sql(
    INSERT INTO template_sizes (tenant_id, digest, answer, worked_out_at)
    VALUES (?, ?, ?, UTC_TIMESTAMP(6))
    ON DUPLICATE KEY UPDATE worked_out_at = UTC_TIMESTAMP(6)
)sql";

constexpr auto select_old_sizes = R"sql(
    SELECT digest
    FROM template_sizes
    WHERE tenant_id = ? AND worked_out_at < UTC_TIMESTAMP(6) - INTERVAL 1 DAY
    ORDER BY digest
    LIMIT 100000
)sql";

constexpr auto delete_sizes = R"sql(
    DELETE FROM template_sizes WHERE tenant_id = ? AND digest = ?
)sql";

constexpr auto select_newest_line = R"sql(
    SELECT COALESCE(MAX(id), 0) AS id FROM catalogue_version
)sql";

constexpr auto select_changed_tenants = R"sql(
    SELECT DISTINCT tenant_id
    FROM catalogue_version
    WHERE id > ?
    ORDER BY tenant_id
    LIMIT 100000
)sql";

}  // namespace

std::map<std::string, base::Json> list_template_sizes(Connection& connection,
                                                      model::TenantId tenant) {
    Rows row = connection.sql(select_sizes) << tenant.value;
    std::map<std::string, base::Json> answers;
    while (row.next()) {
        answers.try_emplace(row.get<std::string>("digest"), json_column(row, "answer"));
    }
    return answers;
}

bool has_template_sizes(Connection& connection, model::TenantId tenant, const std::string& digest) {
    Rows row = connection.sql(select_sizes_of_digest) << tenant.value << digest;
    return row.next();
}

void put_template_sizes(Connection& connection, model::TenantId tenant, const std::string& digest,
                        const base::Json& answer) {
    const std::string text = base::to_text(answer);
    connection.sql(insert_sizes) << tenant.value << digest << text << exec;
}

std::vector<std::string> old_template_sizes(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(select_old_sizes) << tenant.value;
    std::vector<std::string> digests;
    while (row.next()) digests.push_back(row.get<std::string>("digest"));
    return digests;
}

void delete_template_sizes(Connection& connection, model::TenantId tenant,
                           const std::vector<std::string>& digests) {
    for (const std::string& digest : digests) {
        connection.sql(delete_sizes) << tenant.value << digest << exec;
    }
}

long long newest_catalogue_line(Connection& connection) {
    Rows row = connection.sql(select_newest_line) << one_row;
    return row.get<long long>("id");
}

std::set<model::TenantId> tenants_changed_after(Connection& connection, long long line) {
    Rows row = connection.sql(select_changed_tenants) << line;
    std::set<model::TenantId> tenants;
    while (row.next()) tenants.insert(model::TenantId{row.get<long long>("tenant_id")});
    return tenants;
}

}  // namespace provisioner::store
