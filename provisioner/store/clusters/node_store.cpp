#include "provisioner/store/clusters/node_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_cluster_of = R"sql(
    SELECT cluster_id FROM node WHERE uuid = ?
)sql";

// The `?` is [[cluster, nodenum], ...].
constexpr auto select_named = R"sql(
    SELECT asked.cluster_id, asked.nodenum, cluster.tenant_id, COALESCE(node.id, 0) AS node_id,
           cluster.status = 'terminated' OR COALESCE(node.has_left, FALSE) AS gone,
           cluster.status = 'pending' AS in_work,
           COALESCE(JSON_UNQUOTE(JSON_EXTRACT(node.results, '$.providerid')), '') AS machine
    FROM JSON_TABLE(?, '$[*]' COLUMNS (
             cluster_id BIGINT PATH '$[0]', nodenum INT PATH '$[1]')) AS asked
    STRAIGHT_JOIN cluster ON cluster.id = asked.cluster_id
    LEFT JOIN node ON node.cluster_id = asked.cluster_id AND node.nodenum = asked.nodenum
)sql";

// The `?` is [cluster, ...].
constexpr auto select_ended_among = R"sql(
    SELECT cluster.id, cluster.status = 'terminated' AS is_terminated
    FROM JSON_TABLE(?, '$[*]' COLUMNS (cluster_id BIGINT PATH '$')) AS asked
    STRAIGHT_JOIN cluster ON cluster.id = asked.cluster_id
)sql";

constexpr auto update_node_row = R"sql(
    UPDATE node
    SET hostname = ?, hardware_type = ?, image_type = ?, flavor = ?, image = ?, ssh_user = ?,
        services = ?, automators = ?, addresses = ?, results = ?,
        changed_in = (SELECT job.node_changes + 1
                      FROM cluster
                      JOIN job ON job.id = cluster.latest_job_id
                      WHERE cluster.id = node.cluster_id)
    WHERE id = ?
)sql";

constexpr auto count_tasks = R"sql(
    SELECT COUNT(*) AS tasks FROM task WHERE node_id = ?
)sql";

constexpr auto delete_node_row = R"sql(
    DELETE FROM node WHERE id = ?
)sql";

}  // namespace

std::optional<model::ClusterId> cluster_of_node(Connection& connection, const std::string& uuid) {
    Rows row = connection.sql(select_cluster_of) << uuid;
    if (!row.next()) return std::nullopt;
    return model::ClusterId{row.get<long long>("cluster_id")};
}

std::map<model::MachineName, NamedNode> named_nodes(Connection& connection,
                                                    const std::set<model::MachineName>& names) {
    base::Json asked = base::Json::array();
    for (const model::MachineName& name : names)
        asked.push_back({name.cluster.value, name.nodenum});
    const std::string text = base::to_text(asked);
    Rows row = connection.sql(select_named) << text;
    std::map<model::MachineName, NamedNode> nodes;
    while (row.next()) {
        const model::MachineName name{model::ClusterId{row.get<long long>("cluster_id")},
                                      row.get<int>("nodenum")};
        const model::NodeId id{row.get<long long>("node_id")};
        const bool existed = id.value != 0;
        nodes[name] = {.id = id,
                       .tenant = model::TenantId{row.get<long long>("tenant_id")},
                       .existed = existed,
                       .gone = existed && row.get<int>("gone") != 0,
                       .in_work = row.get<int>("in_work") != 0,
                       .machine = row.get<std::string>("machine")};
    }
    return nodes;
}

std::map<model::ClusterId, bool> terminated_clusters(Connection& connection,
                                                     const std::set<model::ClusterId>& clusters) {
    base::Json asked = base::Json::array();
    for (const model::ClusterId cluster : clusters) asked.push_back(cluster.value);
    const std::string text = base::to_text(asked);
    Rows row = connection.sql(select_ended_among) << text;
    std::map<model::ClusterId, bool> terminated;
    while (row.next()) {
        terminated[model::ClusterId{row.get<long long>("id")}] = row.get<int>("is_terminated") != 0;
    }
    return terminated;
}

void update_node(Connection& connection, const model::Node& node) {
    const std::string services = base::to_text(node.services);
    const std::string automators = base::to_text(node.automators);
    const std::string addresses = base::to_text(node.addresses);
    const std::string results = base::to_text(node.results);
    connection.sql(update_node_row)
        << node.hostname << node.hardware_type << node.image_type << node.flavor << node.image
        << node.ssh_user << services << automators << addresses << results << node.id.value << exec;
}

bool has_tasks(Connection& connection, model::NodeId node) {
    Rows row = connection.sql(count_tasks) << node.value << one_row;
    return row.get<int>("tasks") > 0;
}

void delete_node(Connection& connection, model::NodeId node) {
    connection.sql(delete_node_row) << node.value << exec;
}

}  // namespace provisioner::store
