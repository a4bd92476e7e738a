#include "provisioner/store/jobs/job_end_store.hpp"

#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/statements/shown_state.hpp"
#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/database/tasks_of_jobs.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_unrecorded = R"sql(
    SELECT id FROM job
    WHERE end_recorded = FALSE AND finished_at IS NOT NULL
    ORDER BY finished_at LIMIT ?
)sql";

constexpr auto select_wrong_configuration = R"sql(
    SELECT EXISTS (
        SELECT 1
        FROM @tasks
        STRAIGHT_JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt
        WHERE @jobs AND task.state = 'failed' AND attempt.status_code = ?) AS is_wrong
)sql";

const std::string where_failed = std::string(R"sql(
    FROM @tasks
    STRAIGHT_JOIN node AS present ON present.id = task.node_id AND present.leaves_job_id IS NULL
    WHERE @jobs AND task.state IN ('failed', 'cancelled') AND
          (task.service = '' OR JSON_CONTAINS(present.services, JSON_QUOTE(task.service))) AND )sql") +
                                 statements::shown_state + " = 'failed'";

// The set-up steps are those of model::is_set_up.
const std::string count_failed_serving_machines =
    "SELECT COUNT(DISTINCT task.node_id) AS machines" + where_failed + R"sql(
    AND NOT EXISTS (SELECT 1 FROM task AS part FORCE INDEX (task_node)
                    WHERE part.job_id = task.job_id AND part.node_id = task.node_id AND
                          (part.action = 'create' OR part.state <> 'done' AND
                           part.action IN ('confirm', 'bootstrap', 'install', 'initialize')))
)sql";

/// `failed` selects from the tasks of a job, the first `?`; the second one is its cluster.
std::string groups_with(const std::string& failed) {
    return R"sql(
    SELECT node.services, COUNT(*) AS machines, COUNT(odd.node_id) AS failed
    FROM node
    LEFT JOIN (SELECT DISTINCT task.node_id )sql" +
           failed + R"sql() AS odd ON odd.node_id = node.id
    WHERE node.cluster_id = ? AND node.leaves_job_id IS NULL
    GROUP BY node.services
    LIMIT 10000000
)sql";
}

constexpr auto select_groups_with_unfinished = R"sql(
    SELECT services, COUNT(*) AS machines, SUM(NOT was_set_up) AS failed
    FROM node
    WHERE cluster_id = ? AND leaves_job_id IS NULL
    GROUP BY services
    LIMIT 10000000
)sql";

constexpr auto select_machine_groups = R"sql(
    SELECT services, COUNT(*) AS machines, 0 AS failed
    FROM node
    WHERE cluster_id = ? AND leaves_job_id IS NULL
    GROUP BY services
    LIMIT 10000000
)sql";

const std::string select_groups_with_failed = groups_with(where_failed);

// A service that no job has ever started may have failed while it was stopped, because each job
// that goes on stops it before it starts it again; or in an earlier job, and this one did not come
// to it.
constexpr auto tasks_of_earlier_jobs = R"sql(
                        FROM job
                        STRAIGHT_JOIN job AS earlier ON earlier.cluster_id = job.cluster_id
                        STRAIGHT_JOIN task AS begun FORCE INDEX (task_job)
                                      ON begun.job_id = earlier.id
                        WHERE job.id = ? AND begun.service = task.service)sql";

const std::string select_services_never_started = std::string(R"sql(
    SELECT task.service
    FROM @tasks
    WHERE @jobs AND
          task.action IN ('install', 'configure', 'initialize', 'start', 'stop') AND
          (task.state <> 'done' OR task.action = 'start') AND NOT)sql") +
                                                  statements::is_replaced + R"sql(
    GROUP BY task.service
    HAVING SUM(task.action = 'start' AND task.state = 'done') = 0 AND
           (SUM(task.action <> 'stop' AND task.state IN ('failed', 'cancelled') AND )sql" +
                                                  statements::shown_state +
                                                  R"sql( = 'failed') > 0 OR
            (SUM(task.state IN ('failed', 'cancelled') AND )sql" +
                                                  statements::shown_state +
                                                  R"sql( = 'failed') > 0 OR
             EXISTS (SELECT 1)sql" + tasks_of_earlier_jobs +
                                                  R"sql(
                           AND earlier.id < job.id AND earlier.status = 'failed' AND
                           NOT earlier.aborted AND begun.state = 'failed')) AND
            NOT EXISTS (SELECT 1)sql" + tasks_of_earlier_jobs +
                                                  R"sql(
                              AND begun.action = 'start' AND begun.state = 'done'))
    ORDER BY task.service
)sql";

const std::string select_failed_services = std::string(R"sql(
    SELECT task.service, MIN(task.action IN ('stop', 'remove')) AS only_leaving
    FROM @tasks
    WHERE @jobs AND task.service <> '' AND task.state IN ('failed', 'cancelled') AND )sql") +
                                           statements::shown_state + R"sql( = 'failed'
    GROUP BY task.service
    ORDER BY task.service
)sql";

constexpr auto select_services_left_behind = R"sql(
    SELECT task.service, COUNT(DISTINCT task.node_id) AS machines
    FROM @tasks
    STRAIGHT_JOIN node ON node.id = task.node_id AND node.leaves_job_id IS NULL
    WHERE @jobs AND task.action IN ('stop', 'remove') AND task.state <> 'done' AND
          NOT JSON_CONTAINS(node.services, JSON_QUOTE(task.service))
    GROUP BY task.service
    ORDER BY task.service
)sql";

constexpr auto count_leaving = R"sql(
    SELECT COUNT(*) AS machines
    FROM node
    WHERE cluster_id = ? AND leaves_job_id IS NOT NULL AND NOT has_left
)sql";

constexpr auto select_services_set_up = R"sql(
    SELECT DISTINCT service FROM @tasks
    WHERE @jobs AND action IN ('install', 'configure', 'initialize')
    ORDER BY service
)sql";

constexpr auto select_services_installed = R"sql(
    SELECT DISTINCT task.service FROM @tasks
    WHERE @jobs AND task.action IN ('install', 'initialize') AND
          NOT EXISTS (SELECT 1 FROM task AS creation FORCE INDEX (task_node)
                      WHERE creation.job_id = task.job_id AND creation.node_id = task.node_id AND
                            creation.action = 'create')
    ORDER BY task.service
)sql";

constexpr auto mark_recorded = R"sql(
    UPDATE job SET end_recorded = TRUE
    WHERE id = ? AND end_recorded = FALSE AND finished_at IS NOT NULL
)sql";

constexpr auto select_rest = R"sql(
    SELECT cluster.tenant_id, cluster.name, job.tasks_failed, job.request
    FROM job
    JOIN cluster ON cluster.id = job.cluster_id
    WHERE job.id = ?
)sql";

std::vector<std::string> service_names(Rows row) {
    std::vector<std::string> services;
    while (row.next()) services.push_back(row.get<std::string>("service"));
    return services;
}

std::vector<MachineGroup> read_machine_groups(Rows row) {
    std::vector<MachineGroup> groups;
    while (row.next()) {
        groups.push_back({.services = strings_column(row, "services"),
                          .machines = row.get<int>("machines"),
                          .failed = row.get<int>("failed")});
    }
    return groups;
}

}  // namespace

std::vector<model::JobId> unrecorded_ends(Connection& connection, int limit) {
    Rows row = connection.sql(select_unrecorded) << limit;
    std::vector<model::JobId> jobs;
    while (row.next()) jobs.push_back(model::JobId{row.get<long long>("id")});
    return jobs;
}

// By the primary key, so that no other job's row is locked.
std::optional<EndedJob> take_unrecorded_end(Connection& connection, model::JobId job) {
    Statement mark = connection.sql(mark_recorded) << job.value;
    mark.exec();
    if (mark.affected() == 0) return std::nullopt;
    EndedJob ended{.job = find_job(connection, job).value()};
    Rows row = connection.sql(select_rest) << job.value << one_row;
    ended.tenant = model::TenantId{row.get<long long>("tenant_id")};
    ended.cluster_name = row.get<std::string>("name");
    ended.tasks_failed = row.get<int>("tasks_failed");
    ended.request = row.get<std::string>("request");
    return ended;
}

bool has_wrong_configuration(Connection& connection, model::JobId job) {
    Rows row = connection.sql(TasksOfJobs(connection, job).in(select_wrong_configuration))
               << model::exit_of_wrong_configuration << one_row;
    return row.get<int>("is_wrong") > 0;
}

std::vector<MachineGroup> machine_groups(Connection& connection, model::ClusterId cluster,
                                         model::JobId job, FailedMachines which) {
    if (which == FailedMachines::not_set_up) {
        return read_machine_groups(connection.sql(select_groups_with_unfinished) << cluster.value);
    }
    return read_machine_groups(
        connection.sql(TasksOfJobs(connection, job).in(select_groups_with_failed))
        << cluster.value);
}

std::vector<MachineGroup> machine_groups(Connection& connection, model::ClusterId cluster) {
    return read_machine_groups(connection.sql(select_machine_groups) << cluster.value);
}

int failed_serving_machines_of(Connection& connection, model::JobId job) {
    Rows row = connection.sql(TasksOfJobs(connection, job).in(count_failed_serving_machines))
               << one_row;
    return row.get<int>("machines");
}

int leaving_machines_of(Connection& connection, model::ClusterId cluster) {
    Rows row = connection.sql(count_leaving) << cluster.value << one_row;
    return row.get<int>("machines");
}

std::vector<std::string> services_set_up_by(Connection& connection, model::JobId job) {
    return service_names(connection.sql(TasksOfJobs(connection, job).in(select_services_set_up)));
}

std::vector<std::string> services_never_started_by(Connection& connection, model::JobId job) {
    return service_names(
        connection.sql(TasksOfJobs(connection, job).in(select_services_never_started)).once()
        << job.value << job.value);
}

std::vector<std::string> services_installed_by(Connection& connection, model::JobId job) {
    return service_names(
        connection.sql(TasksOfJobs(connection, job).in(select_services_installed)));
}

std::vector<FailedService> services_failed_in(Connection& connection, model::JobId job) {
    Rows row =
        connection.sql(TasksOfJobs(connection, job).in(select_failed_services)).once().query();
    std::vector<FailedService> services;
    while (row.next()) {
        services.push_back({.name = row.get<std::string>("service"),
                            .only_leaving = row.get<int>("only_leaving") != 0});
    }
    return services;
}

std::vector<std::pair<std::string, int>> services_left_behind_by(Connection& connection,
                                                                 model::JobId job) {
    Rows row =
        connection.sql(TasksOfJobs(connection, job).in(select_services_left_behind)).once().query();
    std::vector<std::pair<std::string, int>> services;
    while (row.next()) {
        services.emplace_back(row.get<std::string>("service"), row.get<int>("machines"));
    }
    return services;
}

}  // namespace provisioner::store
