#include "provisioner/store/clusters/service_states.hpp"

#include <limits>

#include "provisioner/statements/shown_state.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_newest_jobs = R"sql(
    SELECT id FROM job WHERE cluster_id = ? AND id < ? ORDER BY id DESC LIMIT ?
)sql";

constexpr int jobs_one_by_one = 8;

/// A service that was removed is not there, whatever was done with it before.
const std::string says_state =
    "task.state IN ('claimed', 'done', 'failed') AND"
    " (task.action IN ('start', 'stop') OR (task.action = 'remove' AND task.state = 'done')) AND"
    " NOT (task.attempt = 0 AND" +
    std::string(statements::is_replaced) + ")";

/// What has put it where it is: what stopped it since counts no more.
const std::string says_presence =
    "task.state = 'done' AND task.action IN ('start', 'remove') AND NOT" +
    std::string(statements::is_replaced);

/// What is read of the tasks of one job, or of all jobs before one.
struct StateStatements {
    std::string of_job;
    std::string before;
};

/// `which`: a condition on tasks.
StateStatements states_where(const std::string& which) {
    const std::string columns = " SELECT task.node_id, task.service, task.action, " +
                                std::string(statements::shown_state) + " AS state ";
    return {.of_job = columns + "FROM task WHERE job_id = ? AND " + which +
                      " ORDER BY id DESC LIMIT 10000000",
            .before = columns + R"sql(
    FROM (SELECT MAX(task.id) AS id
          FROM node
          JOIN task ON task.node_id = node.id
          WHERE node.cluster_id = ? AND task.job_id < ? AND )sql" +
                      which + R"sql(
          GROUP BY task.node_id, task.service) AS last
    JOIN task ON task.id = last.id
    LIMIT 10000000
)sql"};
}

const StateStatements select_last_states = states_where(says_state);

const StateStatements select_last_starts = states_where(says_presence);

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

/// Later than all jobs.
constexpr model::JobId no_job_yet{std::numeric_limits<long long>::max()};

std::vector<model::JobId> newest_jobs(Connection& connection, model::ClusterId cluster,
                                      model::JobId before) {
    Rows row = connection.sql(select_newest_jobs)
               << cluster.value << before.value << jobs_one_by_one;
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

/// The last tasks of these services in the jobs before one.
std::vector<ServiceState> last_states(Connection& connection, const StateStatements& select,
                                      model::ClusterId cluster, model::JobId before,
                                      ServicePlaces& wanted) {
    std::vector<ServiceState> states;
    const auto jobs = newest_jobs(connection, cluster, before);
    for (const model::JobId job : jobs) {
        if (wanted.empty()) return states;
        add_wanted(connection.sql(select.of_job) << job.value, wanted, states);
    }
    if (!wanted.empty() && std::ssize(jobs) == jobs_one_by_one) {
        add_wanted(connection.sql(select.before) << cluster.value << jobs.back().value, wanted,
                   states);
    }
    return states;
}

/// `#` of the statement is the ids.
Rows select_of(Connection& connection, const std::string& statement,
               const std::vector<model::ClusterId>& clusters) {
    Statement select = connection.sql(with_list(statement, clusters.size()));
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

std::vector<ServiceState> service_states(Connection& connection, model::ClusterId cluster,
                                         ServicePlaces wanted) {
    auto states = last_states(connection, select_last_states, cluster, no_job_yet, wanted);
    if (wanted.empty()) return states;
    add_wanted(connection.sql(select_stopped) << cluster.value, wanted, states);
    return states;
}

ServicePlaces started_before(Connection& connection, model::ClusterId cluster, model::JobId job,
                             ServicePlaces wanted) {
    ServicePlaces started;
    for (auto& state : last_states(connection, select_last_starts, cluster, job, wanted)) {
        started.emplace(state.node, std::move(state.service));
    }
    return started;
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

ServicePlaces stopped_places(Connection& connection, model::ClusterId cluster) {
    Rows row = connection.sql(select_stopped) << cluster.value;
    ServicePlaces places;
    while (row.next()) {
        places.emplace(model::NodeId{row.get<long long>("node_id")},
                       row.get<std::string>("service"));
    }
    return places;
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
