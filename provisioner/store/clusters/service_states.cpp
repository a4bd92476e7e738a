#include "provisioner/store/clusters/service_states.hpp"

#include <limits>

#include "provisioner/statements/shown_state.hpp"
#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/database/tasks_of_jobs.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_newest_jobs = R"sql(
    SELECT id FROM job WHERE cluster_id = ? AND id < ? ORDER BY id DESC LIMIT ?
)sql";

constexpr int jobs_one_by_one = 8;

/// A service that was removed is not there, whatever was done with it before. A task that was
/// cancelled after an attempt that failed has failed.
const std::string says_state =
    "(task.state IN ('claimed', 'done', 'failed') OR task.state = 'cancelled' AND " +
    std::string(statements::shown_state) +
    " = 'failed') AND"
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
    return {.of_job = columns + "FROM @tasks WHERE @jobs AND " + which +
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

ServiceState read_state(Rows& row) {
    return {.node = model::NodeId{row.get<long long>("node_id")},
            .service = row.get<std::string>("service"),
            .action = base::stored_word<model::Action>(row.get<std::string>("action")),
            .state = base::stored_word<model::TaskState>(row.get<std::string>("state"))};
}

/// The states of services of which some are still wanted.
struct FoundStates {
    ServicePlaces wanted{};
    /// Places whose last start an abort has cut short; they are still wanted, because only an
    /// earlier task tells whether they ran before.
    ServicePlaces cut_short{};
    std::vector<ServiceState> states{};
};

/// Whether a service was there before this start or stop, whatever became of it.
bool tells_that_it_was_there(const ServiceState& state) {
    return state.action == model::Action::stop || state.state == model::TaskState::done;
}

/// Takes the first row of each wanted service; it is not wanted any more.
void add_wanted(Rows row, FoundStates& found) {
    while (!found.wanted.empty() && row.next()) {
        ServiceState state = read_state(row);
        const std::pair place{state.node, state.service};
        if (!found.wanted.contains(place)) continue;
        const bool is_removed = state.action == model::Action::remove;
        const bool is_cut_short = state.state == model::TaskState::cancelled;
        const bool is_over = is_removed || tells_that_it_was_there(state);
        if (found.cut_short.contains(place) || is_cut_short) {
            found.cut_short.insert(place);
            if (!is_over) continue;
            if (!is_cut_short) state.action = model::Action::start;
            state.state = model::TaskState::cancelled;
        }
        found.wanted.erase(place);
        if (!is_removed) found.states.push_back(std::move(state));
    }
}

/// The last tasks of these services in the jobs before one.
FoundStates last_states(Connection& connection, const StateStatements& select,
                        model::ClusterId cluster, model::JobId before, ServicePlaces wanted) {
    FoundStates found{.wanted = std::move(wanted)};
    const auto jobs = newest_jobs(connection, cluster, before);
    for (const model::JobId job : jobs) {
        if (found.wanted.empty()) return found;
        add_wanted(connection.sql(TasksOfJobs(connection, job).in(select.of_job)), found);
    }
    if (!found.wanted.empty() && std::ssize(jobs) == jobs_one_by_one) {
        add_wanted(connection.sql(select.before) << cluster.value << jobs.back().value, found);
    }
    return found;
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
    auto found =
        last_states(connection, select_last_states, cluster, no_job_yet, std::move(wanted));
    if (!found.wanted.empty()) {
        add_wanted(connection.sql(select_stopped) << cluster.value, found);
    }
    return std::move(found.states);
}

ServicePlaces started_before(Connection& connection, model::ClusterId cluster, model::JobId job,
                             ServicePlaces wanted) {
    ServicePlaces started;
    auto found = last_states(connection, select_last_starts, cluster, job, std::move(wanted));
    for (ServiceState& state : found.states) {
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
