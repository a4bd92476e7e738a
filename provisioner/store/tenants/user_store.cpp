#include "provisioner/store/tenants/user_store.hpp"

#include "provisioner/model/tenants/key_rights.hpp"
#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/tenants/user_rows.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_user = R"sql(
    SELECT id AS user_id, tenant_id, name AS user_name, role, password_hash,
           initial_until, disabled
    FROM user
    WHERE tenant_id = ? AND name = ?
)sql";

constexpr auto select_users = R"sql(
    SELECT id AS user_id, tenant_id, name AS user_name, role, password_hash,
           initial_until, disabled
    FROM user
    WHERE tenant_id = ?
    ORDER BY name
    LIMIT 100000
)sql";

constexpr auto insert_user_row = R"sql(
    INSERT INTO user (tenant_id, name, role, password_hash, initial_until, created_at)
    VALUES (?, ?, ?, ?, NULLIF(?, ''), ?)
)sql";

constexpr auto update_hash = R"sql(
    UPDATE user SET password_hash = ?, initial_until = NULLIF(?, '') WHERE id = ?
)sql";

constexpr auto select_by_key = R"sql(
    SELECT user.id AS user_id, user.tenant_id, user.name AS user_name, user.role,
           user.password_hash, user.initial_until, user.disabled, api_key.id AS key_id,
           api_key.scope, api_key.rights, api_key.clusters, api_key.expires_at,
           api_key.last_used_at
    FROM api_key
    JOIN user ON user.id = api_key.user_id AND user.disabled = 0
    WHERE api_key.key_hash = ? AND (api_key.expires_at IS NULL OR api_key.expires_at > ?) AND
          NOT EXISTS (SELECT 1
                      FROM external_user
                      JOIN identity_provider ON identity_provider.id = external_user.provider_id
                      WHERE external_user.user_id = user.id AND
                            JSON_UNQUOTE(JSON_EXTRACT(identity_provider.document, '$.enabled')) =
                                'false')
)sql";

constexpr auto insert_key = R"sql(
    INSERT INTO api_key (user_id, name, key_hash, scope, rights, clusters, created_at, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, NULLIF(?, ''))
)sql";

constexpr auto select_keys = R"sql(
    SELECT id, name, scope, rights, clusters, created_at, expires_at, last_used_at
    FROM api_key
    WHERE user_id = ?
    ORDER BY id
    LIMIT 1000
)sql";

constexpr auto delete_key = R"sql(
    DELETE FROM api_key WHERE user_id = ? AND id = ?
)sql";

base::Json array_of_rights(const model::KeyLimits& limits) {
    base::Json array = base::Json::array();
    for (const model::KeyRight& right : limits.rights) array.push_back(model::to_text(right));
    return array;
}

model::KeyLimits limits_columns(Rows& row) {
    model::KeyLimits limits{
        .scope = base::stored_word<model::KeyScope>(row.get<std::string>("scope")),
        .expires_at = optional_time_column(row, "expires_at")};
    for (const std::string& text : strings_column(row, "rights")) {
        // A right that a newer program knows is none here.
        if (const auto right = model::right_from(text)) limits.rights.insert(*right);
    }
    for (const base::Json& id : json_column(row, "clusters")) {
        limits.clusters.insert(id.get<std::int64_t>());
    }
    return limits;
}

}  // namespace

model::User user_columns(Rows& row) {
    return {
        .id = model::UserId{row.get<long long>("user_id")},
        .tenant = model::TenantId{row.get<long long>("tenant_id")},
        .name = row.get<std::string>("user_name"),
        .role = base::stored_word<model::Role>(row.get<std::string>("role")),
        .password_hash = row.get<std::string>("password_hash"),
        .initial_until = optional_time_column(row, "initial_until"),
        .disabled = row.get<int>("disabled") != 0,
    };
}

model::Tenant tenant_columns_of_user(Rows& row) {
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

std::optional<model::User> find_user(Connection& connection, model::TenantId tenant,
                                     const std::string& name) {
    Rows row = connection.sql(select_user) << tenant.value << name;
    if (!row.next()) return std::nullopt;
    auto user = user_columns(row);
    // The server ignores blanks at the end.
    if (user.name != name) return std::nullopt;
    return user;
}

bool lock_user(Connection& connection, model::UserId user) {
    Rows row = connection.sql("SELECT id FROM user WHERE id = ? FOR UPDATE") << user.value;
    return row.next();
}

std::vector<model::User> list_users(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(select_users) << tenant.value;
    std::vector<model::User> users;
    while (row.next()) users.push_back(user_columns(row));
    return users;
}

void delete_user(Connection& connection, model::UserId user) {
    connection.sql("DELETE FROM user WHERE id = ?") << user.value << exec;
}

model::UserId insert_user(Connection& connection, const model::User& user, base::Timestamp now) {
    const std::string role = base::to_word(user.role);
    const std::string created_at = base::to_sql(now);
    Statement insert = connection.sql(insert_user_row)
                       << user.tenant.value << user.name << role << user.password_hash
                       << sql_or_empty(user.initial_until) << created_at;
    insert.exec();
    return model::UserId{insert.last_insert_id()};
}

void update_password(Connection& connection, model::UserId user, const std::string& password_hash,
                     std::optional<base::Timestamp> initial_until) {
    connection.sql(update_hash) << password_hash << sql_or_empty(initial_until) << user.value
                                << exec;
}

void update_access(Connection& connection, model::UserId user, model::Role role, bool disabled) {
    const std::string word = base::to_word(role);
    connection.sql("UPDATE user SET role = ?, disabled = ? WHERE id = ?")
        << word << (disabled ? 1 : 0) << user.value << exec;
}

std::optional<KeyOwner> find_key_owner(Connection& connection, const std::string& key_hash,
                                       base::Timestamp now) {
    Rows row = connection.sql(select_by_key) << key_hash << base::to_sql(now);
    if (!row.next()) return std::nullopt;
    return KeyOwner{.user = user_columns(row),
                    .key = row.get<long long>("key_id"),
                    .limits = limits_columns(row),
                    .last_used_at = optional_time_column(row, "last_used_at")};
}

std::vector<model::ApiKey> list_api_keys(Connection& connection, model::UserId user) {
    Rows row = connection.sql(select_keys) << user.value;
    std::vector<model::ApiKey> keys;
    while (row.next()) {
        keys.push_back({.id = row.get<long long>("id"),
                        .name = row.get<std::string>("name"),
                        .limits = limits_columns(row),
                        .created_at = time_column(row, "created_at"),
                        .last_used_at = optional_time_column(row, "last_used_at")});
    }
    return keys;
}

std::int64_t insert_api_key(Connection& connection, model::UserId user, const model::ApiKey& key,
                            const std::string& key_hash) {
    const std::string scope = base::to_word(key.limits.scope);
    const std::string rights = array_of_rights(key.limits).dump();
    const std::string clusters = base::Json(key.limits.clusters).dump();
    const std::string created_at = base::to_sql(key.created_at);
    const std::string expires_at = sql_or_empty(key.limits.expires_at);
    Statement insert = connection.sql(insert_key) << user.value << key.name << key_hash << scope
                                                  << rights << clusters << created_at << expires_at;
    insert.exec();
    return insert.last_insert_id();
}

void touch_key(Connection& connection, std::int64_t key, base::Timestamp now) {
    const std::string moment = base::to_sql(now);
    connection.sql(
        "UPDATE api_key SET last_used_at = ? "
        "WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)")
        << moment << key << moment << exec;
}

bool delete_api_key(Connection& connection, model::UserId user, std::int64_t id) {
    Statement statement = connection.sql(delete_key) << user.value << id;
    statement.exec();
    return statement.affected() > 0;
}

}  // namespace provisioner::store
