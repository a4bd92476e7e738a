#include "provisioner/store/daemons/daemon_store.hpp"

#include <map>

#include "provisioner/model/jobs/claim_hold.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_daemons = R"sql(
    SELECT instance, pid, capacity, drains, version, started_at, heartbeat_at
    FROM daemon
    ORDER BY instance
    LIMIT 1000
)sql";

constexpr auto select_running = R"sql(
    SELECT task.id, task.job_id, job.cluster_id, tenant.name AS tenant,
           cluster.name AS cluster_name, node.uuid, node.nodenum, node.hostname, task.action,
           task.service, task.attempt, task.worker, attempt.started_at
    FROM task
    JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt
    JOIN job ON job.id = task.job_id
    JOIN cluster ON cluster.id = job.cluster_id
    JOIN tenant ON tenant.id = cluster.tenant_id
    JOIN node ON node.id = task.node_id
    WHERE task.claimed_until IS NOT NULL
    ORDER BY attempt.started_at, task.id
    LIMIT 100000
)sql";

RunningTask read_running(Rows& row) {
    return {
        .task = model::TaskId{row.get<long long>("id")},
        .job = model::JobId{row.get<long long>("job_id")},
        .cluster = model::ClusterId{row.get<long long>("cluster_id")},
        .tenant = row.get<std::string>("tenant"),
        .cluster_name = row.get<std::string>("cluster_name"),
        .node = row.get<std::string>("uuid"),
        .nodenum = row.get<int>("nodenum"),
        .hostname = row.get<std::string>("hostname"),
        .action = base::stored_word<model::Action>(row.get<std::string>("action")),
        .service = row.get<std::string>("service"),
        .attempt = row.get<int>("attempt"),
        .since = time_column(row, "started_at"),
    };
}

}  // namespace

std::string instance_of(const std::string& worker) {
    return worker.substr(0, worker.rfind('/'));
}

bool DaemonRow::is_alive(base::Timestamp now) const {
    return now - heartbeat_at <= model::claim_hold;
}

std::vector<DaemonRow> list_daemons(Connection& connection) {
    std::map<std::string, std::vector<RunningTask>> running;
    Rows task = connection.sql(select_running);
    while (task.next()) {
        running[instance_of(task.get<std::string>("worker"))].push_back(read_running(task));
    }
    std::vector<DaemonRow> daemons;
    Rows row = connection.sql(select_daemons);
    while (row.next()) {
        DaemonRow daemon{
            .instance = row.get<std::string>("instance"),
            .pid = row.get<int>("pid"),
            .capacity = row.get<int>("capacity"),
            .drains = row.get<int>("drains") != 0,
            .version = row.get<std::string>("version"),
            .started_at = time_column(row, "started_at"),
            .heartbeat_at = time_column(row, "heartbeat_at"),
            .running = {},
        };
        daemon.running = std::move(running[daemon.instance]);
        daemons.push_back(std::move(daemon));
    }
    return daemons;
}

bool has_daemon(Connection& connection, const std::string& instance) {
    Rows row = connection.sql("SELECT instance FROM daemon WHERE instance = ?") << instance;
    return row.next();
}

std::vector<std::string> lock_those_that_take(Connection& connection, base::Timestamp now) {
    Rows row = connection.sql(
                   "SELECT instance FROM daemon WHERE drains = 0 AND heartbeat_at >= ? "
                   "ORDER BY instance LIMIT 1000 FOR UPDATE")
               << base::to_sql(now - model::claim_hold);
    std::vector<std::string> instances;
    while (row.next()) instances.push_back(row.get<std::string>("instance"));
    return instances;
}

std::optional<bool> lock_drains(Connection& connection, const std::string& instance) {
    Rows row = connection.sql("SELECT drains FROM daemon WHERE instance = ? FOR UPDATE")
               << instance;
    if (!row.next()) return std::nullopt;
    return row.get<int>("drains") != 0;
}

void set_drains(Connection& connection, const std::string& instance, bool drains) {
    connection.sql("UPDATE daemon SET drains = ? WHERE instance = ?")
        << (drains ? 1 : 0) << instance << exec;
}

}  // namespace provisioner::store
