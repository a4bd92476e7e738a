#include "provisioner/store/clusters/machine_list.hpp"

#include <algorithm>

#include "provisioner/statements/shown_state.hpp"
#include "provisioner/store/clusters/cluster_query.hpp"
#include "provisioner/store/clusters/node_condition.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// A group of tasks is sorted by its
// node, so that the join finds it by a key. # is a list of `?`.
const std::string select_listed = std::string(R"sql(
    SELECT node.id, node.cluster_id, node.nodenum, node.hostname, node.hardware_type, node.services,
           COALESCE(JSON_UNQUOTE(JSON_EXTRACT(node.addresses, '$.access_v4')), '') AS address,
           COALESCE(work.tasks, 0) AS tasks, COALESCE(work.done, 0) AS done,
           COALESCE(work.running, 0) AS running, COALESCE(work.failed, 0) AS failed,
           COALESCE(work.cancelled, 0) AS cancelled,
           COALESCE(work.own_tasks, 0) AS own_tasks, COALESCE(work.own_done, 0) AS own_done,
           COALESCE(work.own_running, 0) AS own_running, COALESCE(work.own_failed, 0) AS own_failed,
           COALESCE(work.own_cancelled, 0) AS own_cancelled,
           COALESCE(work.ends_left, 0) AS ends_left,
           node.was_set_up, node.leaves_job_id IS NOT NULL AS leaves,
           node.leaves_job_id IS NOT NULL AND COALESCE(work.deletions, 0) > 0 AS is_deleted,
           COALESCE(at_work.action, 'create') AS action, COALESCE(at_work.service, '') AS service
    FROM node
    LEFT JOIN (SELECT node_id, COUNT(*) AS tasks, SUM(state = 'done') AS done,
                      SUM(state = 'claimed') AS running, SUM(state = 'failed') AS failed,
                      SUM(state = 'cancelled') AS cancelled, SUM(is_own) AS own_tasks,
                      SUM(is_own AND state = 'done') AS own_done,
                      SUM(is_own AND state = 'claimed') AS own_running,
                      SUM(is_own AND state = 'failed') AS own_failed,
                      SUM(is_own AND state = 'cancelled') AS own_cancelled,
                      SUM(state = 'done' AND action = 'delete') AS deletions,
                      SUM(state IN ('failed', 'cancelled') AND action IN ('stop', 'remove')) AS ends_left,
                      MAX(CASE WHEN state = 'claimed' THEN id END) AS running_id
               FROM (SELECT task.id, task.node_id, task.action, task.service = '' AS is_own, )sql") +
                                  statements::shown_state + R"sql( AS state
                     FROM task
                     WHERE task.job_id IN # AND NOT)sql" +
                                  statements::is_replaced + R"sql() AS shown
               GROUP BY node_id) AS work ON work.node_id = node.id
    LEFT JOIN task AS at_work ON at_work.id = work.running_id
    WHERE node.cluster_id IN # AND NOT node.has_left
)sql";

constexpr auto by_cluster_and_number = R"sql(
    ORDER BY node.cluster_id DESC, node.nodenum
    LIMIT 1000000
)sql";

const std::string select_left_behind = std::string(R"sql(
    SELECT task.node_id, task.service, SUM()sql") +
                                       statements::shown_state + R"sql( = 'failed') AS failed
    FROM task
    JOIN node ON node.id = task.node_id AND node.leaves_job_id IS NULL
    WHERE task.job_id IN # AND task.action IN ('stop', 'remove') AND task.state <> 'done' AND
          NOT JSON_CONTAINS(node.services, JSON_QUOTE(task.service))
    GROUP BY task.node_id, task.service
    LIMIT 10000000
)sql";

// The clusters come first: only a few of all machines are theirs. # is the statement of their ids.
constexpr auto select_counts = R"sql(
    SELECT node.cluster_id AS id, COUNT(*) AS machines
    FROM (#) AS listed
    STRAIGHT_JOIN node ON node.cluster_id = listed.id
    WHERE NOT node.has_left
)sql";

constexpr auto by_cluster = R"sql(
    GROUP BY node.cluster_id
    ORDER BY node.cluster_id DESC
    LIMIT 1000000
)sql";

const std::string select_tasks_of_services = std::string(R"sql(
    SELECT node_id, service, COUNT(*) AS tasks, SUM(state = 'done') AS done,
           SUM(state = 'claimed') AS running, SUM(state = 'failed') AS failed,
           SUM(state = 'cancelled') AS cancelled
    FROM (SELECT task.node_id, task.service, )sql") +
                                             statements::shown_state +
                                             R"sql( AS state
          FROM task
          WHERE task.job_id IN # AND task.service <> '' AND NOT)sql" +
                                             statements::is_replaced + R"sql() AS shown
    GROUP BY node_id, service
    LIMIT 10000000
)sql";

ListedMachine read_machine(Rows& row) {
    return {.node = model::NodeId{row.get<long long>("id")},
            .cluster = model::ClusterId{row.get<long long>("cluster_id")},
            .nodenum = row.get<int>("nodenum"),
            .hostname = row.get<std::string>("hostname"),
            .hardware_type = row.get<std::string>("hardware_type"),
            .services = strings_column(row, "services"),
            .address = row.get<std::string>("address"),
            .tasks = row.get<int>("tasks"),
            .done = row.get<int>("done"),
            .running = row.get<int>("running"),
            .failed = row.get<int>("failed"),
            .cancelled = row.get<int>("cancelled"),
            .own = {.tasks = row.get<int>("own_tasks"),
                    .done = row.get<int>("own_done"),
                    .running = row.get<int>("own_running"),
                    .failed = row.get<int>("own_failed"),
                    .cancelled = row.get<int>("own_cancelled")},
            .was_set_up = row.get<int>("was_set_up") > 0,
            .leaves = row.get<int>("leaves") > 0,
            .is_deleted = row.get<int>("is_deleted") > 0,
            .action = base::stored_word<model::Action>(row.get<std::string>("action")),
            .service = row.get<std::string>("service")};
}

/// `may_be_left`: the machines on which a stop or a removal has failed or was cancelled. Asks only
/// about their jobs.
void add_left_behind(Connection& connection, const std::vector<ListedCluster>& clusters,
                     std::vector<ListedMachine>& machines,
                     const std::vector<std::size_t>& may_be_left) {
    std::map<model::ClusterId, model::JobId> jobs;
    for (const ListedCluster& of : clusters) jobs.emplace(of.cluster, of.job);
    std::map<model::NodeId, ListedMachine*> left;
    std::set<model::JobId> asked;
    for (const std::size_t at : may_be_left) {
        left[machines[at].node] = &machines[at];
        asked.insert(jobs.at(machines[at].cluster));
    }
    if (left.empty()) return;
    Statement select = connection.sql(with_list(select_left_behind, asked.size()));
    for (const model::JobId job : asked) select << job.value;
    Rows row = select.query();
    while (row.next()) {
        const auto machine = left.find(model::NodeId{row.get<long long>("node_id")});
        if (machine == left.end()) continue;
        machine->second->left_behind.push_back(row.get<std::string>("service"));
        machine->second->failed_removals += row.get<int>("failed");
    }
    for (auto& [node, machine] : left) std::ranges::sort(machine->left_behind);
}

}  // namespace

std::vector<ListedMachine> list_machines(Connection& connection,
                                         const std::vector<ListedCluster>& clusters,
                                         const std::string& text) {
    if (clusters.empty()) return {};
    const NodeCondition called(text);
    Statement select = connection.sql(with_list(select_listed, clusters.size()) + called.sql() +
                                      by_cluster_and_number);
    for (const ListedCluster& of : clusters) select << of.job.value;
    for (const ListedCluster& of : clusters) select << of.cluster.value;
    called.bind(select);
    Rows row = select.query();
    std::vector<ListedMachine> machines;
    std::vector<std::size_t> may_be_left;
    while (row.next()) {
        if (row.get<int>("ends_left") > 0) may_be_left.push_back(machines.size());
        machines.push_back(read_machine(row));
    }
    add_left_behind(connection, clusters, machines, may_be_left);
    return machines;
}

std::vector<ListedMachine> list_machines(Connection& connection, model::ClusterId cluster,
                                         model::JobId job) {
    return list_machines(connection, std::vector{ListedCluster{.cluster = cluster, .job = job}},
                         "");
}

std::vector<std::pair<model::ClusterId, int>> count_machines(Connection& connection,
                                                             const model::Caller& caller,
                                                             ClusterQuery query) {
    const bool is_allowed = !query.all_tenants || caller.is_superadmin();
    if (!is_allowed || query.statuses.empty()) return {};
    const NodeCondition called(query.machine_text);
    // Counting leaves out the clusters without such a machine by itself.
    query.machine_text.clear();
    const ClusterIds ids(caller, query);
    std::string statement = select_counts;
    statement.replace(statement.find('#'), 1, ids.sql());
    Statement select = connection.sql(statement + called.sql() + by_cluster).once();
    ids.bind(select);
    called.bind(select);
    Rows row = select.query();
    std::vector<std::pair<model::ClusterId, int>> counts;
    while (row.next()) {
        counts.emplace_back(model::ClusterId{row.get<long long>("id")}, row.get<int>("machines"));
    }
    return counts;
}

TasksOfServices tasks_of_services(Connection& connection, const std::vector<model::JobId>& jobs) {
    if (jobs.empty()) return {};
    Statement select = connection.sql(with_list(select_tasks_of_services, jobs.size()));
    for (const model::JobId job : jobs) select << job.value;
    Rows row = select.query();
    TasksOfServices work;
    while (row.next()) {
        work[{model::NodeId{row.get<long long>("node_id")}, row.get<std::string>("service")}] = {
            .tasks = row.get<int>("tasks"),
            .done = row.get<int>("done"),
            .running = row.get<int>("running"),
            .failed = row.get<int>("failed"),
            .cancelled = row.get<int>("cancelled")};
    }
    return work;
}

}  // namespace provisioner::store
