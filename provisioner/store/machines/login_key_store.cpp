#include "provisioner/store/machines/login_key_store.hpp"

#include <map>

#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/machines/node_login_store.hpp"

namespace provisioner::store {

namespace {

constexpr int most_login_keys = 1000;

constexpr auto replace_current_key = R"sql(
    UPDATE login_key SET state = 'replaced'
    WHERE tenant_id = ? AND provider = ? AND state = 'current'
)sql";

constexpr auto insert_login_key_row = R"sql(
    INSERT INTO login_key (tenant_id, provider, public_key, private_key, state, made_at, made_by)
    VALUES (?, ?, ?, ?, 'current', ?, ?)
)sql";

constexpr auto select_login_keys = R"sql(
    SELECT id, tenant_id, provider, public_key, private_key, state, made_at, made_by, spread_at,
           retired_at
    FROM login_key
    WHERE tenant_id = ? AND (? = 1 OR state <> 'retired')
    ORDER BY id DESC LIMIT ?
)sql";

constexpr auto select_login_key = R"sql(
    SELECT id, tenant_id, provider, public_key, private_key, state, made_at, made_by, spread_at,
           retired_at
    FROM login_key
    WHERE tenant_id = ? AND id = ?
)sql";

constexpr auto exists_unsettled_key = R"sql(
    SELECT EXISTS (SELECT 1 FROM login_key WHERE state = 'replaced') OR
           EXISTS (SELECT 1 FROM login_key WHERE state = 'current' AND spread_at IS NULL) AS found
)sql";

/// All keys of tenants in which one is to be settled.
constexpr auto select_unsettled_keys = R"sql(
    SELECT id, tenant_id, provider, public_key, private_key, state, made_at, made_by, spread_at,
           retired_at
    FROM login_key
    WHERE state <> 'retired' AND tenant_id IN (
        SELECT tenant_id FROM (
            SELECT tenant_id FROM login_key WHERE state = 'replaced'
            UNION SELECT tenant_id FROM login_key WHERE state = 'current' AND spread_at IS NULL
        ) AS unsettled)
    ORDER BY id LIMIT 100000
    FOR UPDATE
)sql";

constexpr auto select_open_login_keys = R"sql(
    SELECT id, tenant_id, provider, public_key, private_key, state, made_at, made_by, spread_at,
           retired_at
    FROM login_key
    WHERE state <> 'retired'
    ORDER BY id LIMIT 100000
    FOR UPDATE
)sql";

/// Machines of a tenant that may have nothing but older keys: all that are not known to have a
/// current one, whatever else is or is not known of them. Types whose machines never get a key of
/// the vault do not count, nor do nodes for which an administrator gave the older keys up.
constexpr auto count_in_need_of_older_keys = R"sql(
    SELECT COUNT(*) AS machines
    FROM cluster
    JOIN node ON node.cluster_id = cluster.id
    WHERE cluster.tenant_id = ? AND cluster.status <> 'terminated' AND
          cluster.provider_type NOT IN ('existing', 'google', 'joyent', 'metal', 'simulated') AND
          NOT node.has_left AND
          (JSON_EXTRACT(node.addresses, '$.access_v4') IS NOT NULL OR
           JSON_EXTRACT(node.results, '$.providerid') IS NOT NULL) AND
          NOT EXISTS (
              SELECT 1 FROM node_login_key AS state
              JOIN login_key AS present ON present.id = state.key_id
              WHERE state.node_id = node.id AND present.state = 'current' AND
                    (state.step = 'done' OR state.given_up_at IS NOT NULL))
)sql";

constexpr auto update_spread_key = R"sql(
    UPDATE login_key SET spread_at = UTC_TIMESTAMP(6) WHERE id = ?
)sql";

constexpr auto update_retired_key = R"sql(
    UPDATE login_key SET state = 'retired', private_key = '', retired_at = UTC_TIMESTAMP(6)
    WHERE id = ?
)sql";

constexpr auto update_sealed_login_key = R"sql(
    UPDATE login_key SET private_key = ? WHERE id = ?
)sql";

model::LoginKeyRow read_login_key(Rows& row) {
    return {.id = model::LoginKeyId{row.get<long long>("id")},
            .tenant = model::TenantId{row.get<long long>("tenant_id")},
            .provider = row.get<std::string>("provider"),
            .public_key = row.get<std::string>("public_key"),
            .sealed = row.get<std::string>("private_key"),
            .state = *base::from_word<model::LoginKeyState>(row.get<std::string>("state")),
            .made_at = time_column(row, "made_at"),
            .made_by = row.get<std::string>("made_by"),
            .spread_at = optional_time_column(row, "spread_at"),
            .retired_at = optional_time_column(row, "retired_at")};
}

std::vector<model::LoginKeyRow> read_login_keys(Rows row) {
    std::vector<model::LoginKeyRow> keys;
    while (row.next()) keys.push_back(read_login_key(row));
    return keys;
}

}  // namespace

model::LoginKeyId insert_login_key(Connection& connection, const model::LoginKeyRow& key,
                                   base::Timestamp now) {
    connection.sql(replace_current_key) << key.tenant.value << key.provider << exec;
    Statement insert = connection.sql(insert_login_key_row);
    insert << key.tenant.value << key.provider << key.public_key << key.sealed << base::to_sql(now)
           << key.made_by;
    insert.exec();
    return model::LoginKeyId{insert.last_insert_id()};
}

std::vector<model::LoginKeyRow> list_login_keys(Connection& connection, model::TenantId tenant,
                                                bool with_retired) {
    return read_login_keys(connection.sql(select_login_keys)
                           << tenant.value << (with_retired ? 1 : 0) << most_login_keys);
}

std::optional<model::LoginKeyRow> find_login_key(Connection& connection, model::TenantId tenant,
                                                 model::LoginKeyId id) {
    auto keys = read_login_keys(connection.sql(select_login_key) << tenant.value << id.value);
    if (keys.empty()) return std::nullopt;
    return std::move(keys.front());
}

/// A key is gone for good when it is retired, so it needs evidence: rows of other tables may be
/// missing, or may have been written by a daemon of an earlier version.
bool needs_older_keys(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(count_in_need_of_older_keys) << tenant.value << one_row;
    return row.get<long long>("machines") > 0;
}

// The keys are locked, so none is made meanwhile. A replaced key of a tenant may be the only one
// that a node of any of its providers has.
std::vector<model::LoginKeyRow> settle_login_keys(Connection& connection) {
    std::vector<model::LoginKeyRow> settled;
    Rows unsettled = connection.sql(exists_unsettled_key) << one_row;
    if (unsettled.get<int>("found") == 0) return settled;
    auto keys = read_login_keys(connection.sql(select_unsettled_keys));
    std::map<model::TenantId, bool> is_underway;
    for (model::LoginKeyRow& key : keys) {
        if (key.state != model::LoginKeyState::current) continue;
        const auto progress = login_progress(connection, key.id);
        if (progress.done < progress.nodes) {
            is_underway[key.tenant] = true;
        } else if (!key.spread_at) {
            connection.sql(update_spread_key) << key.id.value << exec;
            settled.push_back(key);
        }
    }
    for (model::LoginKeyRow& key : keys) {
        if (key.state != model::LoginKeyState::replaced || is_underway[key.tenant]) continue;
        if (needs_older_keys(connection, key.tenant)) continue;
        connection.sql(update_retired_key) << key.id.value << exec;
        key.state = model::LoginKeyState::retired;
        key.sealed.clear();
        settled.push_back(key);
    }
    return settled;
}

int change_login_key_secrets(
    Connection& connection,
    const std::function<std::optional<std::string>(const std::string&)>& change) {
    int changed = 0;
    for (const model::LoginKeyRow& key : read_login_keys(connection.sql(select_open_login_keys))) {
        const auto fresh = change(key.sealed);
        if (!fresh) continue;
        connection.sql(update_sealed_login_key) << *fresh << key.id.value << exec;
        ++changed;
    }
    return changed;
}

}  // namespace provisioner::store
