#include "provisioner/store/machines/node_login_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

/// Each live node with the current key that it is to have; conditions follow.
constexpr auto from_wanted_nodes = R"sql(
    FROM login_key
    STRAIGHT_JOIN cluster
        ON cluster.tenant_id = login_key.tenant_id AND cluster.status <> 'terminated' AND
           (login_key.provider = cluster.provider_name OR
            (login_key.provider = '' AND
             COALESCE(JSON_UNQUOTE(JSON_EXTRACT(cluster.snapshot,
                          '$.provider.provisioner.ssh_key_resource')), '') = '' AND
             NOT EXISTS (
                 SELECT 1 FROM login_key AS nearer
                 WHERE nearer.tenant_id = cluster.tenant_id AND nearer.state = 'current' AND
                       nearer.provider =
                           cluster.provider_name AND
                       nearer.provider <> '')))
    JOIN plugin_type
        ON plugin_type.kind = 'provider' AND plugin_type.name = cluster.provider_type AND
           JSON_UNQUOTE(JSON_EXTRACT(plugin_type.document, '$.loginKeys')) = 'true'
    JOIN node ON node.cluster_id = cluster.id
    LEFT JOIN job AS leaving ON leaving.id = node.leaves_job_id
    LEFT JOIN node_login_key AS state
        ON state.node_id = node.id AND state.key_id = login_key.id
    WHERE login_key.state = 'current' AND NOT node.has_left
)sql";

/// A node without machine counts while a job may be making one, which may have an older key.
constexpr auto standing_column = R"sql(
    CASE WHEN state.step = 'done' THEN 'has_key'
         WHEN state.given_up_at IS NOT NULL THEN 'given_up'
         WHEN JSON_EXTRACT(node.addresses, '$.access_v4') IS NULL AND
              JSON_EXTRACT(node.results, '$.providerid') IS NULL AND
              cluster.status <> 'pending' THEN 'without_machine'
         WHEN JSON_EXTRACT(node.addresses, '$.access_v4') IS NULL THEN 'without_address'
         WHEN COALESCE(leaving.status, 'failed') <> 'failed' THEN 'leaving'
         ELSE 'on_its_way' END AS standing
)sql";

constexpr auto node_login_columns = R"sql(
    SELECT node.id, node.uuid, node.hostname, node.cluster_id, login_key.id AS key_id,
           COALESCE(state.step, 'waiting') AS step, COALESCE(state.tries, 0) AS tries,
           COALESCE(state.message, '') AS message,
           COALESCE(state.held_until > UTC_TIMESTAMP(6), 0) AS is_held, state.retry_at,
           COALESCE(state.given_up_by, '') AS given_up_by, COALESCE(state.fence, 0) AS fence,
)sql";

constexpr auto count_standings = R"sql(
    SELECT COUNT(*) AS nodes, standing, COALESCE(SUM(tries > 0), 0) AS failed
    FROM (SELECT COALESCE(state.tries, 0) AS tries,
)sql";

/// MIN and not EXISTS: both servers read it off the end of the index.
constexpr auto ask_if_due = R"sql(
    SELECT COALESCE((SELECT MIN(due_at) FROM node_login_key) <= UTC_TIMESTAMP(6), 0) OR
           EXISTS (SELECT 1 FROM login_key
                   WHERE state = 'current' AND enlisted_at IS NULL) AS is_due
)sql";

constexpr auto ask_if_unlisted = R"sql(
    SELECT EXISTS (SELECT 1 FROM login_key
                   WHERE state = 'current' AND enlisted_at IS NULL) AS is_unlisted
)sql";

constexpr auto where_not_enlisted = R"sql(
    AND JSON_EXTRACT(node.addresses, '$.access_v4') IS NOT NULL AND
    COALESCE(state.step, '') <> 'done' AND state.due_at IS NULL
    ORDER BY node.id LIMIT ?
)sql";

/// What was stored of the way to another key is forgotten, but not who works on the node.
constexpr auto upsert_enlisted_node = R"sql(
    INSERT INTO node_login_key (node_id, key_id, step, due_at, changed_at)
    VALUES (?, ?, 'waiting', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))
    ON DUPLICATE KEY UPDATE
        step = IF(key_id = VALUES(key_id), step, 'waiting'),
        tries = IF(key_id = VALUES(key_id), tries, 0),
        message = IF(key_id = VALUES(key_id), message, ''),
        given_up_at = IF(key_id = VALUES(key_id), given_up_at, NULL),
        given_up_by = IF(key_id = VALUES(key_id), given_up_by, ''),
        retry_at = NULL, due_at = GREATEST(COALESCE(held_until, VALUES(due_at)), VALUES(due_at)),
        key_id = VALUES(key_id)
)sql";

/// Nodes that are gone, or are to have another key, are due no more.
constexpr auto update_gone_nodes = R"sql(
    UPDATE node_login_key SET due_at = NULL
    WHERE due_at <= UTC_TIMESTAMP(6) AND NOT EXISTS (
        SELECT 1 FROM node
        JOIN cluster ON cluster.id = node.cluster_id
        JOIN login_key ON login_key.tenant_id = cluster.tenant_id AND login_key.state = 'current'
        WHERE node.id = node_login_key.node_id AND login_key.id = node_login_key.key_id AND
              cluster.status <> 'terminated' AND NOT node.has_left)
)sql";

constexpr auto update_enlisted_keys = R"sql(
    UPDATE login_key SET enlisted_at = UTC_TIMESTAMP(6)
    WHERE state = 'current' AND enlisted_at IS NULL
)sql";

constexpr auto update_unlisted_key = R"sql(
    UPDATE login_key SET enlisted_at = NULL WHERE id = ?
)sql";

constexpr auto where_node_can_be_tried = R"sql(
    cluster.status <> 'terminated' AND
    JSON_EXTRACT(node.addresses, '$.access_v4') IS NOT NULL AND
    NOT node.has_left AND COALESCE(leaving.status, 'failed') = 'failed'
)sql";

constexpr auto select_due_nodes = R"sql(
    SELECT node_id, tenant_id
    FROM (SELECT state.node_id, cluster.tenant_id, state.tries,
                 ROW_NUMBER() OVER (PARTITION BY cluster.tenant_id
                                    ORDER BY state.tries, state.due_at, state.node_id) AS place
          FROM node_login_key AS state
          JOIN node ON node.id = state.node_id
          JOIN cluster ON cluster.id = node.cluster_id
          JOIN login_key ON login_key.id = state.key_id AND login_key.state = 'current'
          LEFT JOIN job AS leaving ON leaving.id = node.leaves_job_id
          WHERE state.due_at <= UTC_TIMESTAMP(6) AND
                JSON_CONTAINS(?, JSON_QUOTE(cluster.provider_type)) AND
)sql";

constexpr auto order_of_due_nodes = R"sql(
    ) AS due WHERE place <= ? ORDER BY place, tries, node_id LIMIT ?
)sql";

/// By the time, so that fences grow also when the database is put back to an earlier state.
constexpr auto hold_node = R"sql(
    UPDATE node_login_key
    SET held_until = UTC_TIMESTAMP(6) + INTERVAL ? SECOND, due_at = held_until, retry_at = NULL,
        fence = GREATEST(fence + 1, FLOOR(UNIX_TIMESTAMP(NOW(6)) * 1000000))
    WHERE node_id = ? AND due_at <= UTC_TIMESTAMP(6)
)sql";

constexpr auto select_held_node = R"sql(
    FROM node_login_key AS state
    JOIN node ON node.id = state.node_id
    JOIN cluster ON cluster.id = node.cluster_id
    JOIN login_key ON login_key.id = state.key_id
    LEFT JOIN job AS leaving ON leaving.id = node.leaves_job_id
    WHERE state.node_id = ? AND
)sql";

constexpr auto update_login_step = R"sql(
    UPDATE node_login_key
    SET step = ?, held_until = UTC_TIMESTAMP(6) + INTERVAL ? SECOND, due_at = held_until,
        changed_at = UTC_TIMESTAMP(6)
    WHERE node_id = ? AND key_id = ? AND fence = ?
)sql";

constexpr auto update_login_done = R"sql(
    UPDATE node_login_key
    SET step = 'done', tries = 0, message = '', held_until = NULL, retry_at = NULL, due_at = NULL,
        given_up_at = NULL, given_up_by = '', changed_at = UTC_TIMESTAMP(6)
    WHERE node_id = ? AND key_id = ? AND fence = ?
)sql";

constexpr auto update_login_failure = R"sql(
    UPDATE node_login_key
    SET tries = tries + 1, message = ?, held_until = NULL,
        retry_at = UTC_TIMESTAMP(6) + INTERVAL ? SECOND, due_at = retry_at,
        changed_at = UTC_TIMESTAMP(6)
    WHERE node_id = ? AND key_id = ? AND fence = ? AND step <> 'done'
)sql";

constexpr auto upsert_given_up = R"sql(
    INSERT INTO node_login_key (node_id, key_id, step, given_up_at, given_up_by, changed_at)
    VALUES (?, ?, 'waiting', UTC_TIMESTAMP(6), ?, UTC_TIMESTAMP(6))
    ON DUPLICATE KEY UPDATE
        step = IF(key_id = VALUES(key_id), step, 'waiting'),
        tries = IF(key_id = VALUES(key_id), tries, 0),
        message = IF(key_id = VALUES(key_id), message, ''),
        due_at = IF(key_id = VALUES(key_id), due_at, held_until),
        given_up_at = VALUES(given_up_at), given_up_by = VALUES(given_up_by),
        key_id = VALUES(key_id)
)sql";

std::vector<model::NodeLogin> read_node_logins(Rows row) {
    std::vector<model::NodeLogin> nodes;
    while (row.next()) {
        const auto step = base::from_word<model::LoginStep>(row.get<std::string>("step"));
        const auto standing =
            base::from_word<model::LoginStanding>(row.get<std::string>("standing"));
        nodes.push_back({.node = model::NodeId{row.get<long long>("id")},
                         .uuid = row.get<std::string>("uuid"),
                         .hostname = row.get<std::string>("hostname"),
                         .cluster = model::ClusterId{row.get<long long>("cluster_id")},
                         .key = model::LoginKeyId{row.get<long long>("key_id")},
                         .step = step.value_or(model::LoginStep::waiting),
                         .tries = row.get<int>("tries"),
                         .message = row.get<std::string>("message"),
                         .is_held = row.get<int>("is_held") != 0,
                         .retry_at = optional_time_column(row, "retry_at"),
                         .standing = standing.value_or(model::LoginStanding::on_its_way),
                         .given_up_by = row.get<std::string>("given_up_by"),
                         .fence = row.get<long long>("fence")});
    }
    return nodes;
}

}  // namespace

model::LoginProgress login_progress(Connection& connection, model::LoginKeyId key) {
    Rows row = connection.sql(std::string(count_standings) + standing_column + from_wanted_nodes +
                              " AND login_key.id = ?) AS wanted GROUP BY standing")
               << key.value;
    model::LoginProgress progress;
    while (row.next()) {
        const int nodes = row.get<int>("nodes");
        const auto standing =
            base::from_word<model::LoginStanding>(row.get<std::string>("standing"));
        if (standing == model::LoginStanding::given_up) {
            progress.given_up += nodes;
        } else if (standing == model::LoginStanding::without_machine) {
            progress.without_machine += nodes;
        } else {
            const bool is_done = standing == model::LoginStanding::has_key;
            progress.nodes += nodes;
            (is_done ? progress.done : progress.failed) += is_done ? nodes : row.get<int>("failed");
        }
    }
    return progress;
}

std::vector<model::NodeLogin> nodes_for_key(Connection& connection, model::LoginKeyId key,
                                            int limit) {
    return read_node_logins(connection.sql(std::string(node_login_columns) + standing_column +
                                           from_wanted_nodes +
                                           " AND login_key.id = ? ORDER BY COALESCE(state.step, "
                                           "'') = 'done', node.id LIMIT ?")
                            << key.value << limit);
}

bool is_login_key_due(Connection& connection) {
    Rows row = connection.sql(ask_if_due) << one_row;
    return row.get<int>("is_due") != 0;
}

bool has_unlisted_login_key(Connection& connection) {
    Rows row = connection.sql(ask_if_unlisted) << one_row;
    return row.get<int>("is_unlisted") != 0;
}

// The keys are marked before nodes are looked for: one that is made meanwhile stays unmarked. When
// a daemon dies between two calls, the next look at all nodes finds the rest.
int enlist_login_nodes(Connection& connection, int most) {
    connection.sql(update_enlisted_keys) << exec;
    connection.sql(update_gone_nodes) << exec;
    const auto nodes =
        read_node_logins(connection.sql(std::string(node_login_columns) + standing_column +
                                        from_wanted_nodes + where_not_enlisted)
                         << most);
    for (const model::NodeLogin& node : nodes) {
        connection.sql(upsert_enlisted_node) << node.node.value << node.key.value << exec;
    }
    return static_cast<int>(nodes.size());
}

std::vector<DueLogin> due_node_logins(Connection& connection,
                                      const std::vector<std::string>& provider_types, int of_tenant,
                                      int most) {
    Rows row =
        connection.sql(std::string(select_due_nodes) + where_node_can_be_tried + order_of_due_nodes)
        << base::to_text(base::Json(provider_types)) << of_tenant << most;
    std::vector<DueLogin> due;
    while (row.next()) {
        due.push_back({.node = model::NodeId{row.get<long long>("node_id")},
                       .tenant = model::TenantId{row.get<long long>("tenant_id")}});
    }
    return due;
}

std::optional<model::NodeLogin> take_node_login(Connection& connection, model::NodeId node,
                                                std::chrono::seconds hold) {
    Statement holding = connection.sql(hold_node);
    holding << static_cast<long long>(hold.count()) << node.value;
    holding.exec();
    if (holding.affected() == 0) return std::nullopt;
    auto nodes = read_node_logins(connection.sql(std::string(node_login_columns) + standing_column +
                                                 select_held_node + where_node_can_be_tried)
                                  << node.value);
    if (nodes.empty()) return std::nullopt;
    return std::move(nodes.front());
}

bool save_login_step(Connection& connection, const model::NodeLogin& node,
                     std::chrono::seconds hold) {
    const bool is_done = node.step == model::LoginStep::done;
    Statement update = connection.sql(is_done ? update_login_done : update_login_step);
    if (!is_done) {
        update << std::string(base::to_word(node.step)) << static_cast<long long>(hold.count());
    }
    update << node.node.value << node.key.value << node.fence;
    update.exec();
    return update.affected() > 0;
}

void save_login_failure(Connection& connection, const model::NodeLogin& node,
                        std::chrono::seconds pause) {
    connection.sql(update_login_failure)
        << fitting_text(node.message).substr(0, 1000) << static_cast<long long>(pause.count())
        << node.node.value << node.key.value << node.fence << exec;
}

void give_up_older_keys(Connection& connection, const model::NodeLogin& node,
                        const std::string& by) {
    connection.sql(upsert_given_up) << node.node.value << node.key.value << by << exec;
}

void unlist_login_key(Connection& connection, model::LoginKeyId key) {
    connection.sql(update_unlisted_key) << key.value << exec;
}

}  // namespace provisioner::store
