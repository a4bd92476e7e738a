#include "provisioner/store/machines/login_key_store.hpp"

#include <map>

#include "provisioner/store/database/columns.hpp"

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

/// Each live node with the current key that it is to have; conditions follow.
constexpr auto from_wanted_nodes = R"sql(
    FROM login_key
    STRAIGHT_JOIN cluster
        ON cluster.tenant_id = login_key.tenant_id AND cluster.status <> 'terminated' AND
           (login_key.provider = JSON_UNQUOTE(JSON_EXTRACT(cluster.headers, '$.provider.name')) OR
            (login_key.provider = '' AND
             COALESCE(JSON_UNQUOTE(JSON_EXTRACT(cluster.snapshot,
                          '$.provider.provisioner.ssh_key_resource')), '') = '' AND
             NOT EXISTS (
                 SELECT 1 FROM login_key AS nearer
                 WHERE nearer.tenant_id = cluster.tenant_id AND nearer.state = 'current' AND
                       nearer.provider =
                           JSON_UNQUOTE(JSON_EXTRACT(cluster.headers, '$.provider.name')) AND
                       nearer.provider <> '')))
    JOIN plugin_type
        ON plugin_type.kind = 'provider' AND plugin_type.name = cluster.provider_type AND
           JSON_UNQUOTE(JSON_EXTRACT(plugin_type.document, '$.loginKeys')) = 'true'
    JOIN node ON node.cluster_id = cluster.id
    LEFT JOIN job AS leaving ON leaving.id = node.leaves_job_id
    LEFT JOIN node_login_key AS state
        ON state.node_id = node.id AND state.key_id = login_key.id
    WHERE login_key.state = 'current' AND COALESCE(leaving.status, '') <> 'complete'
)sql";

constexpr auto node_login_columns = R"sql(
    SELECT node.id, node.uuid, node.hostname, node.cluster_id, login_key.id AS key_id,
           COALESCE(state.step, 'waiting') AS step, COALESCE(state.tries, 0) AS tries,
           COALESCE(state.message, '') AS message,
           COALESCE(state.held_until > UTC_TIMESTAMP(6), 0) AS is_held, state.retry_at,
           JSON_EXTRACT(node.addresses, '$.access_v4') IS NOT NULL AS has_machine
)sql";

constexpr auto count_login_progress = R"sql(
    SELECT COUNT(*) AS nodes, COALESCE(SUM(COALESCE(state.step, '') = 'done'), 0) AS done,
           COALESCE(SUM(COALESCE(state.step, '') <> 'done' AND COALESCE(state.tries, 0) > 0), 0)
               AS failed
)sql";

constexpr auto count_open_login_keys = R"sql(
    SELECT COUNT(*) AS due FROM login_key WHERE state <> 'retired'
)sql";

constexpr auto lock_current_keys = R"sql(
    SELECT id FROM login_key WHERE state = 'current' ORDER BY id LIMIT 100000 FOR UPDATE
)sql";

constexpr auto where_login_is_due = R"sql(
    AND COALESCE(state.step, '') <> 'done' AND
    JSON_EXTRACT(node.addresses, '$.access_v4') IS NOT NULL AND node.leaves_job_id IS NULL AND
    (state.held_until IS NULL OR state.held_until <= UTC_TIMESTAMP(6)) AND
    (state.retry_at IS NULL OR state.retry_at <= UTC_TIMESTAMP(6)) AND
    JSON_CONTAINS(?, JSON_QUOTE(cluster.provider_type))
    ORDER BY COALESCE(state.tries, 0), node.id LIMIT ?
)sql";

constexpr auto upsert_held_node = R"sql(
    INSERT INTO node_login_key (node_id, key_id, step, held_until, changed_at)
    VALUES (?, ?, 'waiting', UTC_TIMESTAMP(6) + INTERVAL ? SECOND, UTC_TIMESTAMP(6))
    ON DUPLICATE KEY UPDATE
        step = IF(key_id = VALUES(key_id), step, 'waiting'),
        tries = IF(key_id = VALUES(key_id), tries, 0),
        message = IF(key_id = VALUES(key_id), message, ''),
        retry_at = NULL, held_until = VALUES(held_until), key_id = VALUES(key_id)
)sql";

constexpr auto update_login_step = R"sql(
    UPDATE node_login_key
    SET step = ?, tries = IF(? = 'done', 0, tries), message = IF(? = 'done', '', message),
        held_until = IF(? = 'done', NULL, held_until), changed_at = UTC_TIMESTAMP(6)
    WHERE node_id = ? AND key_id = ?
)sql";

constexpr auto update_login_failure = R"sql(
    UPDATE node_login_key
    SET tries = tries + 1, message = ?, held_until = NULL,
        retry_at = UTC_TIMESTAMP(6) + INTERVAL ? SECOND, changed_at = UTC_TIMESTAMP(6)
    WHERE node_id = ? AND key_id = ? AND step <> 'done'
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
/// the vault do not count.
constexpr auto count_in_need_of_older_keys = R"sql(
    SELECT COUNT(*) AS machines
    FROM cluster
    JOIN node ON node.cluster_id = cluster.id
    LEFT JOIN job AS leaving ON leaving.id = node.leaves_job_id
    WHERE cluster.tenant_id = ? AND cluster.status <> 'terminated' AND
          cluster.provider_type NOT IN ('existing', 'google', 'joyent', 'metal', 'simulated') AND
          COALESCE(leaving.status, '') <> 'complete' AND
          (JSON_EXTRACT(node.addresses, '$.access_v4') IS NOT NULL OR
           JSON_EXTRACT(node.results, '$.providerid') IS NOT NULL) AND
          NOT EXISTS (
              SELECT 1 FROM node_login_key AS state
              JOIN login_key AS present ON present.id = state.key_id
              WHERE state.node_id = node.id AND state.step = 'done' AND present.state = 'current')
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

std::vector<model::NodeLogin> read_node_logins(Rows row) {
    std::vector<model::NodeLogin> nodes;
    while (row.next()) {
        nodes.push_back({.node = model::NodeId{row.get<long long>("id")},
                         .uuid = row.get<std::string>("uuid"),
                         .hostname = row.get<std::string>("hostname"),
                         .cluster = model::ClusterId{row.get<long long>("cluster_id")},
                         .key = model::LoginKeyId{row.get<long long>("key_id")},
                         .step = *base::from_word<model::LoginStep>(row.get<std::string>("step")),
                         .tries = row.get<int>("tries"),
                         .message = row.get<std::string>("message"),
                         .is_held = row.get<int>("is_held") != 0,
                         .retry_at = optional_time_column(row, "retry_at"),
                         .has_machine = row.get<int>("has_machine") != 0});
    }
    return nodes;
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

model::LoginProgress login_progress(Connection& connection, model::LoginKeyId key) {
    Rows row = connection.sql(std::string(count_login_progress) + from_wanted_nodes +
                              " AND login_key.id = ?")
               << key.value << one_row;
    return {.nodes = row.get<int>("nodes"),
            .done = row.get<int>("done"),
            .failed = row.get<int>("failed")};
}

std::vector<model::NodeLogin> nodes_for_key(Connection& connection, model::LoginKeyId key,
                                            int limit) {
    return read_node_logins(
        connection.sql(std::string(node_login_columns) + from_wanted_nodes +
                       " AND login_key.id = ? ORDER BY COALESCE(state.step, '') = "
                       "'done', node.id LIMIT ?")
        << key.value << limit);
}

bool is_login_key_due(Connection& connection) {
    Rows row = connection.sql(count_open_login_keys) << one_row;
    return row.get<long long>("due") > 0;
}

// The locks make daemons choose one after the other, and wait for a key that is just being made.
std::vector<model::NodeLogin> take_node_logins(Connection& connection,
                                               const std::vector<std::string>& provider_types,
                                               int most, std::chrono::seconds hold) {
    Rows current = connection.sql(lock_current_keys);
    while (current.next()) continue;
    auto nodes = read_node_logins(
        connection.sql(std::string(node_login_columns) + from_wanted_nodes + where_login_is_due)
        << base::to_text(base::Json(provider_types)) << most);
    for (model::NodeLogin& node : nodes) {
        connection.sql(upsert_held_node)
            << node.node.value << node.key.value << static_cast<long long>(hold.count()) << exec;
        node.is_held = true;
    }
    return nodes;
}

void save_login_step(Connection& connection, const model::NodeLogin& node) {
    const std::string step(base::to_word(node.step));
    connection.sql(update_login_step)
        << step << step << step << step << node.node.value << node.key.value << exec;
}

void save_login_failure(Connection& connection, const model::NodeLogin& node,
                        std::chrono::seconds pause) {
    connection.sql(update_login_failure)
        << fitting_text(node.message).substr(0, 1000) << static_cast<long long>(pause.count())
        << node.node.value << node.key.value << exec;
}

/// A key is gone for good when it is retired, so it needs evidence: rows of other tables may be
/// missing, or may have been written by a daemon of an earlier version.
bool needs_older_keys(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(count_in_need_of_older_keys) << tenant.value << one_row;
    return row.get<long long>("machines") > 0;
}

// All keys are locked, so no daemon takes a node and no key is made meanwhile. A replaced key of a
// tenant may be the only one that a node of any of its providers has.
std::vector<model::LoginKeyRow> settle_login_keys(Connection& connection) {
    std::vector<model::LoginKeyRow> settled;
    auto keys = read_login_keys(connection.sql(select_open_login_keys));
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
