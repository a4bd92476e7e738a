#include "provisioner/store/clusters/idempotency_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// The user may have been deleted after the request was authenticated; then nothing is stored.
constexpr auto insert_key_row = R"sql(
    INSERT INTO idempotency_key (user_id, name, fingerprint, cluster_id, created_at)
    SELECT id, ?, ?, ?, ? FROM user WHERE id = ?
)sql";

}  // namespace

std::optional<KeptAnswer> find_answer(Connection& connection, model::UserId user,
                                      const std::string& name) {
    Rows row =
        connection.sql(
            "SELECT fingerprint, cluster_id FROM idempotency_key WHERE user_id = ? AND name = ?")
        << user.value << name;
    if (!row.next()) return std::nullopt;
    return KeptAnswer{.fingerprint = row.get<std::string>("fingerprint"),
                      .cluster = model::ClusterId{row.get<long long>("cluster_id")}};
}

void keep_answer(Connection& connection, model::UserId user, const IdempotencyKey& key,
                 model::ClusterId cluster, base::Timestamp now) {
    const std::string moment = base::to_sql(now);
    connection.sql(insert_key_row)
        << key.name << key.fingerprint << cluster.value << moment << user.value << exec;
}

}  // namespace provisioner::store
