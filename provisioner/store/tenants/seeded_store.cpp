#include "provisioner/store/tenants/seeded_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_seeded = R"sql(
    SELECT item_id FROM seeded_item WHERE kind = ? AND tenant = ? AND name = ? FOR UPDATE
)sql";

constexpr auto save_seeded = R"sql(
    INSERT INTO seeded_item (kind, tenant, name, item_id) VALUES (?, ?, ?, ?)
    ON DUPLICATE KEY UPDATE item_id = ?
)sql";

}  // namespace

std::optional<std::int64_t> find_seeded(Connection& connection, const std::string& kind,
                                        const std::string& tenant, const std::string& name) {
    Rows row = connection.sql(select_seeded) << kind << tenant << name;
    if (!row.next()) return std::nullopt;
    return row.get<long long>("item_id");
}

void record_seeded(Connection& connection, const std::string& kind, const std::string& tenant,
                   const std::string& name, std::int64_t id) {
    connection.sql(save_seeded) << kind << tenant << name << id << id << exec;
}

}  // namespace provisioner::store
