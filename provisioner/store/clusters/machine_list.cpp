#include "provisioner/store/clusters/machine_list.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// A node leaves with a job; when that is complete it is gone. A group of tasks is sorted by its
// node, so that the join finds it by a key.
constexpr auto select_listed = R"sql(
    SELECT node.id, node.nodenum, node.hostname, node.hardware_type, node.services,
           COALESCE(JSON_UNQUOTE(JSON_EXTRACT(node.addresses, '$.access_v4')), '') AS address,
           COALESCE(work.tasks, 0) AS tasks, COALESCE(work.done, 0) AS done,
           COALESCE(work.running, 0) AS running, COALESCE(work.failed, 0) AS failed,
           COALESCE(at_work.action, 'create') AS action, COALESCE(at_work.service, '') AS service
    FROM node
    LEFT JOIN job AS leaving ON leaving.id = node.leaves_job_id
    LEFT JOIN (SELECT task.node_id, COUNT(*) AS tasks, SUM(task.state = 'done') AS done,
                      SUM(task.state = 'claimed') AS running, SUM(task.state = 'failed') AS failed,
                      MAX(CASE WHEN task.state = 'claimed' THEN task.id END) AS running_id
               FROM task
               WHERE task.job_id = ?
               GROUP BY task.node_id) AS work ON work.node_id = node.id
    LEFT JOIN task AS at_work ON at_work.id = work.running_id
    WHERE node.cluster_id = ? AND COALESCE(leaving.status, '') <> 'complete'
    ORDER BY node.nodenum
    LIMIT 1000000
)sql";

constexpr auto select_service_states = R"sql(
    SELECT task.node_id, task.service, task.action, task.state
    FROM (SELECT MAX(task.id) AS id
          FROM node
          LEFT JOIN job AS leaving ON leaving.id = node.leaves_job_id
          JOIN task ON task.node_id = node.id
          WHERE node.cluster_id = ? AND COALESCE(leaving.status, '') <> 'complete' AND
                task.action IN ('start', 'stop') AND
                task.state IN ('claimed', 'done', 'failed')
          GROUP BY task.node_id, task.service) AS last
    JOIN task ON task.id = last.id
    LIMIT 10000000
)sql";

ListedMachine read_machine(Rows& row) {
    return {.node = model::NodeId{row.get<long long>("id")},
            .nodenum = row.get<int>("nodenum"),
            .hostname = row.get<std::string>("hostname"),
            .hardware_type = row.get<std::string>("hardware_type"),
            .services = strings_column(row, "services"),
            .address = row.get<std::string>("address"),
            .tasks = row.get<int>("tasks"),
            .done = row.get<int>("done"),
            .running = row.get<int>("running"),
            .failed = row.get<int>("failed"),
            .action = base::stored_word<model::Action>(row.get<std::string>("action")),
            .service = row.get<std::string>("service")};
}

}  // namespace

std::vector<ListedMachine> list_machines(Connection& connection, model::ClusterId cluster,
                                         model::JobId job) {
    Rows row = connection.sql(select_listed) << job.value << cluster.value;
    std::vector<ListedMachine> machines;
    while (row.next()) machines.push_back(read_machine(row));
    return machines;
}

std::vector<ServiceState> service_states(Connection& connection, model::ClusterId cluster) {
    Rows row = connection.sql(select_service_states) << cluster.value;
    std::vector<ServiceState> states;
    while (row.next()) {
        states.push_back(
            {.node = model::NodeId{row.get<long long>("node_id")},
             .service = row.get<std::string>("service"),
             .action = base::stored_word<model::Action>(row.get<std::string>("action")),
             .state = base::stored_word<model::TaskState>(row.get<std::string>("state"))});
    }
    return states;
}

}  // namespace provisioner::store
