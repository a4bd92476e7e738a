#include "provisioner/store/tenants/user_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_user = R"sql(
    SELECT id AS user_id, tenant_id, name AS user_name, role, password_hash
    FROM user
    WHERE tenant_id = ? AND name = ?
)sql";

constexpr auto select_users = R"sql(
    SELECT id AS user_id, tenant_id, name AS user_name, role, password_hash
    FROM user
    WHERE tenant_id = ?
    ORDER BY name
    LIMIT 100000
)sql";

constexpr auto insert_user_row = R"sql(
    INSERT INTO user (tenant_id, name, role, password_hash, created_at)
    VALUES (?, ?, ?, ?, ?)
)sql";

constexpr auto update_hash = R"sql(
    UPDATE user SET password_hash = ? WHERE id = ?
)sql";

constexpr auto select_by_key = R"sql(
    SELECT user.id AS user_id, user.tenant_id, user.name AS user_name, user.role,
           user.password_hash, api_key.scope
    FROM api_key
    JOIN user ON user.id = api_key.user_id
    WHERE api_key.key_hash = ? AND (api_key.expires_at IS NULL OR api_key.expires_at > ?)
)sql";

constexpr auto insert_key = R"sql(
    INSERT INTO api_key (user_id, name, key_hash, scope, created_at, expires_at)
    VALUES (?, ?, ?, ?, ?, NULLIF(?, ''))
)sql";

constexpr auto select_keys = R"sql(
    SELECT id, name, scope, created_at, expires_at
    FROM api_key
    WHERE user_id = ?
    ORDER BY id
    LIMIT 1000
)sql";

constexpr auto delete_key = R"sql(
    DELETE FROM api_key WHERE user_id = ? AND id = ?
)sql";

constexpr auto select_session = R"sql(
    SELECT user.id AS user_id, user.tenant_id, user.name AS user_name, user.role,
           user.password_hash, tenant.uid, tenant.name AS tenant_name, tenant.description,
           tenant.workers, tenant.max_clusters, tenant.max_nodes
    FROM session
    JOIN user ON user.id = session.user_id
    JOIN tenant ON tenant.id = user.tenant_id AND tenant.deleted_id = 0
    WHERE session.token_hash = ? AND session.expires_at > ?
)sql";

constexpr auto insert_session_row = R"sql(
    INSERT INTO session (token_hash, user_id, created_at, expires_at)
    VALUES (?, ?, ?, ?)
)sql";

constexpr auto delete_session_row = R"sql(
    DELETE FROM session WHERE token_hash = ?
)sql";

model::User read_user(Rows& row) {
    return {
        .id = model::UserId{row.get<long long>("user_id")},
        .tenant = model::TenantId{row.get<long long>("tenant_id")},
        .name = row.get<std::string>("user_name"),
        .role = base::stored_word<model::Role>(row.get<std::string>("role")),
        .password_hash = row.get<std::string>("password_hash"),
    };
}

model::Tenant read_tenant_of_user(Rows& row) {
    return {
        .id = model::TenantId{row.get<long long>("tenant_id")},
        .uid = row.get<std::string>("uid"),
        .name = row.get<std::string>("tenant_name"),
        .description = row.get<std::string>("description"),
        .workers = row.get<int>("workers"),
        .max_clusters = row.get<int>("max_clusters"),
        .max_nodes = row.get<int>("max_nodes"),
    };
}

}  // namespace

std::optional<model::User> find_user(Connection& connection, model::TenantId tenant,
                                     const std::string& name) {
    Rows row = connection.sql(select_user) << tenant.value << name;
    if (!row.next()) return std::nullopt;
    return read_user(row);
}

std::vector<model::User> list_users(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(select_users) << tenant.value;
    std::vector<model::User> users;
    while (row.next()) users.push_back(read_user(row));
    return users;
}

void delete_user(Connection& connection, model::UserId user) {
    connection.sql("DELETE FROM user WHERE id = ?") << user.value << exec;
}

model::UserId insert_user(Connection& connection, const model::User& user, base::Timestamp now) {
    const std::string role = base::to_word(user.role);
    const std::string created_at = base::to_sql(now);
    Statement insert = connection.sql(insert_user_row) << user.tenant.value << user.name << role
                                                       << user.password_hash << created_at;
    insert.exec();
    return model::UserId{insert.last_insert_id()};
}

void update_password(Connection& connection, model::UserId user, const std::string& password_hash) {
    connection.sql(update_hash) << password_hash << user.value << exec;
}

std::optional<KeyOwner> find_key_owner(Connection& connection, const std::string& key_hash,
                                       base::Timestamp now) {
    Rows row = connection.sql(select_by_key) << key_hash << base::to_sql(now);
    if (!row.next()) return std::nullopt;
    return KeyOwner{.user = read_user(row),
                    .scope = base::stored_word<model::KeyScope>(row.get<std::string>("scope"))};
}

std::vector<model::ApiKey> list_api_keys(Connection& connection, model::UserId user) {
    Rows row = connection.sql(select_keys) << user.value;
    std::vector<model::ApiKey> keys;
    while (row.next()) {
        keys.push_back({.id = row.get<long long>("id"),
                        .name = row.get<std::string>("name"),
                        .scope = base::stored_word<model::KeyScope>(row.get<std::string>("scope")),
                        .created_at = time_column(row, "created_at"),
                        .expires_at = optional_time_column(row, "expires_at")});
    }
    return keys;
}

std::int64_t insert_api_key(Connection& connection, model::UserId user, const model::ApiKey& key,
                            const std::string& key_hash) {
    const std::string scope = base::to_word(key.scope);
    const std::string created_at = base::to_sql(key.created_at);
    const std::string expires_at = sql_or_empty(key.expires_at);
    Statement insert = connection.sql(insert_key)
                       << user.value << key.name << key_hash << scope << created_at << expires_at;
    insert.exec();
    return insert.last_insert_id();
}

bool delete_api_key(Connection& connection, model::UserId user, std::int64_t id) {
    Statement statement = connection.sql(delete_key) << user.value << id;
    statement.exec();
    return statement.affected() > 0;
}

std::optional<model::Caller> find_session(Connection& connection, const std::string& token_hash,
                                          base::Timestamp now) {
    Rows row = connection.sql(select_session) << token_hash << base::to_sql(now);
    if (!row.next()) return std::nullopt;
    return model::Caller{.user = read_user(row), .tenant = read_tenant_of_user(row)};
}

void insert_session(Connection& connection, const std::string& token_hash, model::UserId user,
                    base::Timestamp now, base::Timestamp expires_at) {
    connection.sql(insert_session_row)
        << token_hash << user.value << base::to_sql(now) << base::to_sql(expires_at) << exec;
}

void delete_session(Connection& connection, const std::string& token_hash) {
    connection.sql(delete_session_row) << token_hash << exec;
}

}  // namespace provisioner::store
