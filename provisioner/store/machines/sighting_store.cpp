#include "provisioner/store/machines/sighting_store.hpp"

#include <span>

#include "provisioner/base/words.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

/// Looks in a row that do not list a machine until it counts as lost.
constexpr int misses_of_lost = 2;

constexpr auto select_sightings = R"sql(
    SELECT machine_sighting.node_id, machine_sighting.machine_id, machine_sighting.misses,
           cluster.status = 'pending' AS in_work,
           cluster.status = 'terminated' OR node.leaves_job_id IS NOT NULL OR
               COALESCE(JSON_UNQUOTE(JSON_EXTRACT(node.results, '$.providerid')), '') <>
                   machine_sighting.machine_id AS is_past
    FROM machine_sighting
    JOIN node ON node.id = machine_sighting.node_id
    JOIN cluster ON cluster.id = node.cluster_id
    WHERE machine_sighting.account_id = ?
)sql";

constexpr auto insert_sightings = R"sql(
    INSERT INTO machine_sighting (node_id, account_id, machine_id, misses)
    VALUES )sql";

constexpr auto on_sighted_again = R"sql(
    ON DUPLICATE KEY UPDATE account_id = VALUES(account_id), machine_id = VALUES(machine_id),
                            misses = 0, missing_since = NULL, replace_after = NULL
)sql";

constexpr auto update_missing = R"sql(
    UPDATE machine_sighting
    SET misses = misses + 1, missing_since = COALESCE(missing_since, UTC_TIMESTAMP(6))
    WHERE node_id IN ()sql";

constexpr auto delete_past = R"sql(
    DELETE FROM machine_sighting WHERE node_id IN ()sql";

constexpr auto select_lost = R"sql(
    SELECT node.id, node.uuid, node.nodenum, node.cluster_id, node.hostname, cluster.tenant_id,
           tenant.name AS tenant_name, machine_sighting.machine_id, machine_sighting.missing_since,
           COALESCE(JSON_EXTRACT(node.results, '$.may_be_reclaimed') = true, 0) AS may_be_reclaimed
    FROM machine_sighting
    JOIN node ON node.id = machine_sighting.node_id
    JOIN cluster ON cluster.id = node.cluster_id
    JOIN tenant ON tenant.id = cluster.tenant_id
    WHERE machine_sighting.misses >= 2 AND node.leaves_job_id IS NULL AND
          cluster.status <> 'terminated' AND
          JSON_UNQUOTE(JSON_EXTRACT(node.results, '$.providerid')) = machine_sighting.machine_id
)sql";

constexpr auto of_tenant_and_cluster = R"sql(
    AND ? IN (0, cluster.tenant_id) AND ? IN (0, cluster.id)
    ORDER BY node.cluster_id, node.nodenum LIMIT ?
)sql";

constexpr auto that_may_be_replaced = R"sql(
    AND cluster.status = 'active' AND
    (machine_sighting.replace_after IS NULL OR machine_sighting.replace_after <= UTC_TIMESTAMP(6))
    ORDER BY node.cluster_id, node.nodenum LIMIT ?
)sql";

constexpr auto update_postponed = R"sql(
    UPDATE machine_sighting SET replace_after = UTC_TIMESTAMP(6) + INTERVAL ? SECOND
    WHERE node_id IN ()sql";

/// What is stored of an account, against a look at it.
struct Changes {
    std::vector<std::pair<model::NodeId, std::string>> seen;
    std::vector<model::NodeId> missing;
    /// Those of `missing` that are lost by that.
    std::set<model::NodeId> lost;
    /// Rows about machines that their nodes have no more.
    std::vector<model::NodeId> past;
};

Changes compare(Connection& connection, model::ProviderAccountId account, const Look& look) {
    Changes changes;
    std::set<model::NodeId> as_stored;
    Rows row = connection.sql(select_sightings) << account.value;
    while (row.next()) {
        const model::NodeId node{row.get<long long>("node_id")};
        const auto machine = row.get<std::string>("machine_id");
        const int misses = row.get<int>("misses");
        const auto now = look.of_nodes.find(node);
        const bool is_listed = look.listed.contains(machine);
        if (now != look.of_nodes.end()) {
            if (now->second == machine && misses == 0) as_stored.insert(node);
        } else if (row.get<int>("is_past") != 0) {
            changes.past.push_back(node);
        } else if (!is_listed && row.get<int>("in_work") == 0 && misses < misses_of_lost) {
            changes.missing.push_back(node);
            if (misses + 1 == misses_of_lost) changes.lost.insert(node);
        } else if (is_listed && misses > 0) {
            changes.seen.emplace_back(node, machine);
        }
    }
    for (const auto& [node, machine] : look.of_nodes) {
        if (!as_stored.contains(node)) changes.seen.emplace_back(node, machine);
    }
    return changes;
}

/// Calls `write` with parts of `all` that one statement takes.
template <class Item, class Write>
void in_parts(const std::vector<Item>& all, Write&& write) {
    const std::span whole(all);
    for (std::size_t at = 0; at < whole.size(); at += rows_per_statement) {
        write(whole.subspan(at, std::min(rows_per_statement, whole.size() - at)));
    }
}

/// Runs a statement that ends with "IN (" for these nodes.
void for_nodes(Connection& connection, const std::string& statement,
               const std::vector<model::NodeId>& nodes) {
    in_parts(nodes, [&](std::span<const model::NodeId> part) {
        Statement change = connection.sql(statement + repeated("?", part.size()) + ")");
        for (const model::NodeId node : part) change << node.value;
        change.exec();
    });
}

std::vector<model::LostMachine> read_lost(Rows row) {
    std::vector<model::LostMachine> machines;
    while (row.next()) {
        machines.push_back({.node = model::NodeId{row.get<long long>("id")},
                            .uuid = row.get<std::string>("uuid"),
                            .nodenum = row.get<int>("nodenum"),
                            .cluster = model::ClusterId{row.get<long long>("cluster_id")},
                            .tenant = model::TenantId{row.get<long long>("tenant_id")},
                            .tenant_name = row.get<std::string>("tenant_name"),
                            .hostname = row.get<std::string>("hostname"),
                            .machine = row.get<std::string>("machine_id"),
                            .missing_since = time_column(row, "missing_since"),
                            .may_be_reclaimed = row.get<int>("may_be_reclaimed") != 0});
    }
    return machines;
}

}  // namespace

std::vector<model::LostMachine> save_sightings(Connection& connection,
                                               model::ProviderAccountId account, const Look& look) {
    const Changes changes = compare(connection, account, look);
    in_parts(changes.seen, [&](auto part) {
        Statement insert = connection.sql(insert_sightings + repeated("(?, ?, ?, 0)", part.size()) +
                                          on_sighted_again);
        for (const auto& [node, machine] : part) insert << node.value << account.value << machine;
        insert.exec();
    });
    for_nodes(connection, delete_past, changes.past);
    for_nodes(connection, update_missing, changes.missing);
    if (changes.lost.empty()) return {};
    auto lost = read_lost(connection.sql(std::string(select_lost) + of_tenant_and_cluster)
                          << 0 << 0 << std::numeric_limits<int>::max());
    std::erase_if(lost, [&](const auto& machine) { return !changes.lost.contains(machine.node); });
    return lost;
}

std::vector<model::LostMachine> list_lost_machines(Connection& connection, model::TenantId tenant,
                                                   model::ClusterId cluster, int limit) {
    return read_lost(connection.sql(std::string(select_lost) + of_tenant_and_cluster)
                     << tenant.value << cluster.value << limit);
}

std::map<model::NodeId, base::Timestamp> lost_machines_of(
    Connection& connection, const std::vector<model::ClusterId>& clusters) {
    if (clusters.empty()) return {};
    Statement select =
        connection.sql(std::string(select_lost) + " AND cluster.id IN (" +
                       repeated("?", clusters.size()) + ") ORDER BY node.id LIMIT 1000000");
    for (const model::ClusterId cluster : clusters) select << cluster.value;
    std::map<model::NodeId, base::Timestamp> lost;
    for (const auto& machine : read_lost(select.query()))
        lost[machine.node] = machine.missing_since;
    return lost;
}

std::vector<model::LostMachine> replaceable_machines(Connection& connection, int limit) {
    return read_lost(connection.sql(std::string(select_lost) + that_may_be_replaced) << limit);
}

void postpone_replacement(Connection& connection, const std::vector<model::NodeId>& nodes,
                          std::chrono::seconds pause) {
    in_parts(nodes, [&](std::span<const model::NodeId> part) {
        Statement change = connection.sql(update_postponed + repeated("?", part.size()) + ")");
        change << static_cast<long long>(pause.count());
        for (const model::NodeId node : part) change << node.value;
        change.exec();
    });
}

}  // namespace provisioner::store
