#include "provisioner/store/clusters/machine_list.hpp"

#include "provisioner/statements/shown_state.hpp"
#include "provisioner/store/clusters/cluster_query.hpp"
#include "provisioner/store/clusters/node_condition.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// A node leaves with a job; when that is complete it is gone. A group of tasks is sorted by its
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
           COALESCE(at_work.action, 'create') AS action, COALESCE(at_work.service, '') AS service
    FROM node
    LEFT JOIN job AS leaving ON leaving.id = node.leaves_job_id
    LEFT JOIN (SELECT node_id, COUNT(*) AS tasks, SUM(state = 'done') AS done,
                      SUM(state = 'claimed') AS running, SUM(state = 'failed') AS failed,
                      SUM(state = 'cancelled') AS cancelled, SUM(is_own) AS own_tasks,
                      SUM(is_own AND state = 'done') AS own_done,
                      SUM(is_own AND state = 'claimed') AS own_running,
                      SUM(is_own AND state = 'failed') AS own_failed,
                      SUM(is_own AND state = 'cancelled') AS own_cancelled,
                      MAX(CASE WHEN state = 'claimed' THEN id END) AS running_id
               FROM (SELECT task.id, task.node_id, task.service = '' AS is_own, )sql") +
                                  statements::shown_state + R"sql( AS state
                     FROM task
                     WHERE task.job_id IN # AND NOT)sql" +
                                  statements::is_replaced + R"sql() AS shown
               GROUP BY node_id) AS work ON work.node_id = node.id
    LEFT JOIN task AS at_work ON at_work.id = work.running_id
    WHERE node.cluster_id IN # AND COALESCE(leaving.status, '') <> 'complete'
)sql";

constexpr auto by_cluster_and_number = R"sql(
    ORDER BY node.cluster_id DESC, node.nodenum
    LIMIT 1000000
)sql";

// The clusters come first: only a few of all machines are theirs. # is the statement of their ids.
constexpr auto select_counts = R"sql(
    SELECT node.cluster_id AS id, COUNT(*) AS machines
    FROM (#) AS listed
    STRAIGHT_JOIN node ON node.cluster_id = listed.id
    LEFT JOIN job AS leaving ON leaving.id = node.leaves_job_id
    WHERE COALESCE(leaving.status, '') <> 'complete'
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

constexpr auto select_newest_jobs = R"sql(
    SELECT id FROM job WHERE cluster_id = ? ORDER BY id DESC LIMIT ?
)sql";

constexpr int jobs_one_by_one = 8;

/// A service that was removed is not there, whatever was done with it before.
const std::string says_state =
    "task.state IN ('claimed', 'done', 'failed') AND"
    " (task.action IN ('start', 'stop') OR (task.action = 'remove' AND task.state = 'done')) AND"
    " NOT (task.attempt = 0 AND" +
    std::string(statements::is_replaced) + ")";

const std::string select_states_of_job = std::string(R"sql(
    SELECT task.node_id, task.service, task.action, )sql") +
                                         statements::shown_state + R"sql( AS state
    FROM task
    WHERE job_id = ? AND )sql" + says_state +
                                         R"sql(
    ORDER BY id DESC
    LIMIT 10000000
)sql";

const std::string select_states_before = std::string(R"sql(
    SELECT task.node_id, task.service, task.action, )sql") +
                                         statements::shown_state + R"sql( AS state
    FROM (SELECT MAX(task.id) AS id
          FROM node
          JOIN task ON task.node_id = node.id
          WHERE node.cluster_id = ? AND task.job_id < ? AND )sql" +
                                         says_state + R"sql(
          GROUP BY task.node_id, task.service) AS last
    JOIN task ON task.id = last.id
    LIMIT 10000000
)sql";

// Of jobs whose tasks are not stored any more.
constexpr auto select_stopped = R"sql(
    SELECT stopped_service.node_id, stopped_service.service, 'stop' AS action, 'done' AS state
    FROM node
    JOIN stopped_service ON stopped_service.node_id = node.id
    WHERE node.cluster_id = ?
    LIMIT 10000000
)sql";

constexpr auto select_stopped_of = R"sql(
    SELECT node.cluster_id AS id, stopped_service.node_id, stopped_service.service AS name
    FROM node
    JOIN stopped_service ON stopped_service.node_id = node.id
    WHERE node.cluster_id IN #
    LIMIT 10000000
)sql";

constexpr auto select_that_run = R"sql(
    SELECT cluster.id, service.name
    FROM cluster
    JOIN JSON_TABLE(cluster.snapshot, '$.services[*]' COLUMNS (
             name VARCHAR(255) PATH '$.name',
             starts INT EXISTS PATH '$.provisioner.actions.start',
             stops INT EXISTS PATH '$.provisioner.actions.stop')) AS service
    WHERE cluster.id IN # AND (service.starts OR service.stops)
    LIMIT 1000000
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
            .action = base::stored_word<model::Action>(row.get<std::string>("action")),
            .service = row.get<std::string>("service")};
}

std::vector<model::JobId> newest_jobs(Connection& connection, model::ClusterId cluster) {
    Rows row = connection.sql(select_newest_jobs) << cluster.value << jobs_one_by_one;
    std::vector<model::JobId> jobs;
    while (row.next()) jobs.push_back(model::JobId{row.get<long long>("id")});
    return jobs;
}

/// Takes the first row of each wanted service; it is not wanted any more. Of one whose start or
/// stop an abort has cut short nothing is known.
void add_wanted(Rows row, ServicePlaces& wanted, std::vector<ServiceState>& states) {
    while (!wanted.empty() && row.next()) {
        std::pair place{model::NodeId{row.get<long long>("node_id")},
                        row.get<std::string>("service")};
        if (wanted.erase(place) == 0) continue;
        const auto state = base::stored_word<model::TaskState>(row.get<std::string>("state"));
        const auto action = base::stored_word<model::Action>(row.get<std::string>("action"));
        if (state == model::TaskState::cancelled || action == model::Action::remove) continue;
        states.push_back({.node = place.first,
                          .service = std::move(place.second),
                          .action = action,
                          .state = state});
    }
}

/// `#` of the statement is the ids.
Rows select_of(Connection& connection, std::string statement,
               const std::vector<model::ClusterId>& clusters) {
    statement.replace(statement.find('#'), 1, "(" + repeated("?", clusters.size()) + ")");
    Statement select = connection.sql(statement);
    for (const model::ClusterId cluster : clusters) select << cluster.value;
    return select.query();
}

std::map<model::ClusterId, std::set<std::string>> names_by_cluster(
    Connection& connection, const std::string& statement,
    const std::vector<model::ClusterId>& clusters) {
    std::map<model::ClusterId, std::set<std::string>> names;
    if (clusters.empty()) return names;
    Rows row = select_of(connection, statement, clusters);
    while (row.next()) {
        names[model::ClusterId{row.get<long long>("id")}].insert(row.get<std::string>("name"));
    }
    return names;
}

}  // namespace

std::vector<ListedMachine> list_machines(Connection& connection,
                                         const std::vector<ListedCluster>& clusters,
                                         const std::string& text) {
    if (clusters.empty()) return {};
    std::string statement = select_listed;
    const std::string list = "(" + repeated("?", clusters.size()) + ")";
    for (auto at = statement.find('#'); at != std::string::npos; at = statement.find('#', at)) {
        statement.replace(at, 1, list);
    }
    const NodeCondition called(text);
    Statement select = connection.sql(statement + called.sql() + by_cluster_and_number);
    for (const ListedCluster& of : clusters) select << of.job.value;
    for (const ListedCluster& of : clusters) select << of.cluster.value;
    called.bind(select);
    Rows row = select.query();
    std::vector<ListedMachine> machines;
    while (row.next()) machines.push_back(read_machine(row));
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
    std::string statement = select_tasks_of_services;
    statement.replace(statement.find('#'), 1, "(" + repeated("?", jobs.size()) + ")");
    Statement select = connection.sql(statement);
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

std::vector<ServiceState> service_states(Connection& connection, model::ClusterId cluster,
                                         ServicePlaces wanted) {
    std::vector<ServiceState> states;
    const auto jobs = newest_jobs(connection, cluster);
    for (const model::JobId job : jobs) {
        if (wanted.empty()) return states;
        add_wanted(connection.sql(select_states_of_job) << job.value, wanted, states);
    }
    if (wanted.empty()) return states;
    if (std::ssize(jobs) == jobs_one_by_one) {
        add_wanted(connection.sql(select_states_before) << cluster.value << jobs.back().value,
                   wanted, states);
    }
    if (wanted.empty()) return states;
    add_wanted(connection.sql(select_stopped) << cluster.value, wanted, states);
    return states;
}

std::vector<ServiceState> states_of_active(Connection& connection,
                                           const std::vector<model::ClusterId>& clusters,
                                           const ServicePlaces& wanted) {
    ServicePlaces stopped;
    if (!clusters.empty() && !wanted.empty()) {
        Rows row = select_of(connection, select_stopped_of, clusters);
        while (row.next()) {
            stopped.emplace(model::NodeId{row.get<long long>("node_id")},
                            row.get<std::string>("name"));
        }
    }
    std::vector<ServiceState> states;
    for (const auto& place : wanted) {
        states.push_back(
            {.node = place.first,
             .service = place.second,
             .action = stopped.contains(place) ? model::Action::stop : model::Action::start});
    }
    return states;
}

std::map<model::ClusterId, std::set<std::string>> stopped_services(
    Connection& connection, const std::vector<model::ClusterId>& clusters) {
    return names_by_cluster(connection, select_stopped_of, clusters);
}

std::map<model::ClusterId, std::set<std::string>> services_that_run(
    Connection& connection, const std::vector<model::ClusterId>& clusters) {
    return names_by_cluster(connection, select_that_run, clusters);
}

}  // namespace provisioner::store
