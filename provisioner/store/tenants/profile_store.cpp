#include "provisioner/store/tenants/profile_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_document = R"sql(
    SELECT document FROM profile WHERE user_id = ?
)sql";

constexpr auto replace_document = R"sql(
    INSERT INTO profile (user_id, document)
    VALUES (?, ?)
    ON DUPLICATE KEY UPDATE document = VALUES(document)
)sql";

constexpr auto delete_profile_row = R"sql(
    DELETE FROM profile WHERE user_id = ?
)sql";

}  // namespace

std::optional<base::Json> find_profile(Connection& connection, model::UserId user) {
    Rows row = connection.sql(select_document) << user.value;
    if (!row.next()) return std::nullopt;
    return json_column(row, "document");
}

void save_profile(Connection& connection, model::UserId user, const base::Json& profile) {
    const std::string document = base::to_text(profile);
    connection.sql(replace_document) << user.value << document << exec;
}

void delete_profile(Connection& connection, model::UserId user) {
    connection.sql(delete_profile_row) << user.value << exec;
}

}  // namespace provisioner::store
