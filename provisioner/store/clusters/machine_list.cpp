#include "provisioner/store/clusters/machine_list.hpp"

#include <algorithm>
#include <unordered_map>

#include "provisioner/base/ids.hpp"
#include "provisioner/statements/shown_state.hpp"
#include "provisioner/store/clusters/cluster_query.hpp"
#include "provisioner/store/clusters/node_condition.hpp"
#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/database/tasks_of_jobs.hpp"

namespace provisioner::store {

namespace {

// # is a list of `?`.
constexpr auto select_listed = R"sql(
    SELECT node.id, node.cluster_id, node.nodenum, node.hostname, node.hardware_type, node.services,
           COALESCE(JSON_UNQUOTE(JSON_EXTRACT(node.addresses, '$.access_v4')), '') AS address,
           node.was_set_up, node.leaves_job_id IS NOT NULL AS leaves
    FROM node
    WHERE node.cluster_id IN # AND NOT node.has_left
)sql";

constexpr auto by_cluster_and_number = R"sql(
    ORDER BY node.cluster_id DESC, node.nodenum
    LIMIT 1000000
)sql";

// One row for each task, by its id. The server takes several times as long for sums of a large job.
const std::string select_work_on_machines =
    std::string("SELECT task.node_id, task.action, task.service, ") + statements::shown_state +
    " AS state FROM @tasks WHERE @jobs AND NOT" + statements::is_replaced +
    "ORDER BY task.id LIMIT 10000000";

const std::string select_work_on_machine =
    std::string("SELECT task.node_id, task.action, task.service, ") + statements::shown_state +
    " AS state FROM task WHERE task.job_id = ? AND task.node_id = ? AND NOT" +
    statements::is_replaced + "ORDER BY task.id LIMIT 10000000";

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

ListedMachine read_machine(Rows& row) {
    return {.node = model::NodeId{row.get<long long>("id")},
            .cluster = model::ClusterId{row.get<long long>("cluster_id")},
            .nodenum = row.get<int>("nodenum"),
            .hostname = row.get<std::string>("hostname"),
            .hardware_type = row.get<std::string>("hardware_type"),
            .services = strings_column(row, "services"),
            .address = row.get<std::string>("address"),
            .was_set_up = row.get<int>("was_set_up") > 0,
            .leaves = row.get<int>("leaves") > 0};
}

std::vector<ListedMachine> read_machines(Rows row) {
    std::vector<ListedMachine> machines;
    while (row.next()) machines.push_back(read_machine(row));
    return machines;
}

/// `Counts`: MachineTasks or ListedMachine.
template <class Counts>
void count(Counts& tasks, model::TaskState state) {
    ++tasks.tasks;
    tasks.done += state == model::TaskState::done ? 1 : 0;
    tasks.running += state == model::TaskState::claimed ? 1 : 0;
    tasks.failed += state == model::TaskState::failed ? 1 : 0;
    tasks.cancelled += state == model::TaskState::cancelled ? 1 : 0;
}

/// Counts the tasks of jobs on machines.
class WorkOnMachines {
 public:
    explicit WorkOnMachines(std::vector<ListedMachine>& machines) : machines_(machines) {
        for (std::size_t at = 0; at < machines.size(); ++at) places_[machines[at].node] = at;
    }

    /// `rows`: of select_work_on_machines.
    TasksOfServices read(Rows rows) {
        // By their numbers, which is faster than by their names.
        std::string node;
        std::string action;
        std::string service;
        std::string state;
        while (rows.next()) {
            rows.fetch(0, node);
            const auto place = places_.find(model::NodeId{base::parse_number(node).value_or(0)});
            if (place == places_.end()) continue;
            rows.fetch(1, action);
            rows.fetch(2, service);
            rows.fetch(3, state);
            take(place->second, base::stored_word<model::Action>(action), service,
                 base::stored_word<model::TaskState>(state));
        }
        for (const auto& [at, ends] : ends_left_) add_left_behind(machines_[at], ends);
        return std::move(of_services_);
    }

 private:
    /// Stops and removals on one machine that are not done.
    struct EndsLeft {
        /// Whether one has failed or was cancelled.
        bool is_over = false;
        /// How many have failed, by service.
        std::map<std::string, int> failed{};
    };

    void take(std::size_t at, model::Action action, const std::string& service,
              model::TaskState state) {
        ListedMachine& machine = machines_[at];
        count(machine, state);
        if (service.empty()) {
            count(machine.own, state);
        } else {
            count(of_services_[{machine.node, service}], state);
        }
        const bool is_done = state == model::TaskState::done;
        if (action == model::Action::delete_machine && is_done) machine.is_deleted = machine.leaves;
        if (state == model::TaskState::claimed) {
            machine.action = action;
            machine.service = service;
        }
        const bool is_end = action == model::Action::stop || action == model::Action::remove;
        if (!is_end || is_done) return;
        EndsLeft& ends = ends_left_[at];
        const bool has_failed = state == model::TaskState::failed;
        ends.is_over = ends.is_over || has_failed || state == model::TaskState::cancelled;
        ends.failed[service] += has_failed ? 1 : 0;
    }

    static void add_left_behind(ListedMachine& machine, const EndsLeft& ends) {
        if (!ends.is_over || machine.leaves) return;
        for (const auto& [service, failed] : ends.failed) {
            if (std::ranges::count(machine.services, service) > 0) continue;
            machine.left_behind.push_back(service);
            machine.failed_removals += failed;
        }
    }

    std::vector<ListedMachine>& machines_;
    std::unordered_map<model::NodeId, std::size_t> places_{};
    std::map<std::size_t, EndsLeft> ends_left_{};
    TasksOfServices of_services_{};
};

}  // namespace

ListedMachines list_machines(Connection& connection, const std::vector<ListedCluster>& clusters,
                             const std::string& text) {
    if (clusters.empty()) return {};
    const NodeCondition called(text);
    Statement select = connection.sql(with_list(select_listed, clusters.size()) + called.sql() +
                                      by_cluster_and_number);
    for (const ListedCluster& of : clusters) select << of.cluster.value;
    called.bind(select);
    ListedMachines listed{.machines = read_machines(select.query())};
    std::vector<model::JobId> jobs;
    for (const ListedCluster& of : clusters) {
        if (of.job.value > 0) jobs.push_back(of.job);
    }
    if (listed.machines.empty() || jobs.empty()) return listed;
    const std::string statement = TasksOfJobs(connection, jobs).in(select_work_on_machines);
    listed.of_services =
        WorkOnMachines(listed.machines).read(connection.sql(statement).once().query());
    return listed;
}

ListedMachines list_machines(Connection& connection, model::ClusterId cluster, model::JobId job) {
    return list_machines(connection, std::vector{ListedCluster{.cluster = cluster, .job = job}},
                         "");
}

ListedMachines list_machine(Connection& connection, model::ClusterId cluster, std::int64_t nodenum,
                            model::JobId job) {
    ListedMachines listed{.machines = read_machines(
                              connection.sql(with_list(select_listed, 1) + " AND node.nodenum = ?")
                              << cluster.value << nodenum)};
    if (listed.machines.empty()) return listed;
    listed.of_services = WorkOnMachines(listed.machines)
                             .read(connection.sql(select_work_on_machine).once()
                                   << job.value << listed.machines.front().node.value);
    return listed;
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

}  // namespace provisioner::store
