#include "provisioner/store/clusters/leaving_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// A service that was removed and has come back was removed by another job.
constexpr auto select_undeleted_leaving = R"sql(
    SELECT node.id, node.nodenum, node.hostname, node.services
    FROM node
    LEFT JOIN machine_sighting ON machine_sighting.node_id = node.id AND machine_sighting.misses >= 2
    WHERE node.cluster_id = ? AND node.leaves_job_id IS NOT NULL AND NOT node.has_left AND
          node.was_set_up AND machine_sighting.node_id IS NULL AND
          NOT EXISTS (SELECT 1 FROM task FORCE INDEX (task_node)
                      WHERE task.node_id = node.id AND task.attempt > 0 AND
                            (task.action = 'delete' OR
                             task.action = 'remove' AND
                             JSON_CONTAINS(node.services, JSON_QUOTE(task.service)) AND
                             NOT EXISTS (SELECT 1 FROM task AS later FORCE INDEX (task_node)
                                         WHERE later.node_id = task.node_id AND
                                               later.id > task.id AND later.action = 'install' AND
                                               later.service = task.service AND
                                               later.attempt > 0)))
    ORDER BY node.nodenum
    LIMIT 1000000
)sql";

// What was left as it is is not removed any more.
constexpr auto select_removals_left = R"sql(
    SELECT DISTINCT node.nodenum, task.service, task.action
    FROM node
    STRAIGHT_JOIN task FORCE INDEX (task_node) ON task.node_id = node.id
    WHERE node.cluster_id = ? AND node.leaves_job_id IS NOT NULL AND NOT node.has_left AND
          task.action IN ('stop', 'remove') AND task.state <> 'done' AND
          NOT JSON_CONTAINS(node.services, JSON_QUOTE(task.service)) AND
          NOT EXISTS (SELECT 1 FROM task AS later FORCE INDEX (task_node)
                      WHERE later.node_id = task.node_id AND later.id > task.id AND
                            later.service = task.service AND later.action = 'remove' AND
                            later.state = 'done') AND
          NOT EXISTS (SELECT 1 FROM job
                      WHERE job.cluster_id = node.cluster_id AND job.id > task.job_id AND
                            job.leaves_as_is)
    LIMIT 1000000
)sql";

constexpr auto select_first_taking = R"sql(
    SELECT COALESCE(MIN(task.job_id), 0) AS id
    FROM node
    JOIN task FORCE INDEX (task_node) ON task.node_id = node.id AND task.action = 'delete'
    WHERE node.cluster_id = ? AND node.leaves_job_id IS NOT NULL AND NOT node.has_left
)sql";

constexpr auto select_if_told = R"sql(
    SELECT EXISTS (
        SELECT 1
        FROM job
        STRAIGHT_JOIN task FORCE INDEX (task_job) ON task.job_id = job.id
        WHERE job.cluster_id = ? AND job.id >= ? AND task.attempt > 0 AND
              task.action IN ('stop', 'configure', 'start') AND
              NOT EXISTS (SELECT 1 FROM task AS creation FORCE INDEX (task_node)
                          WHERE creation.node_id = task.node_id AND creation.action = 'create' AND
                                creation.job_id >= ?)) AS is_told
)sql";

constexpr auto select_status_before = R"sql(
    SELECT status FROM job WHERE cluster_id = ? AND id < ? ORDER BY id DESC LIMIT 1
)sql";

constexpr auto select_made_numbers = R"sql(
    SELECT node.nodenum
    FROM task
    JOIN node ON node.id = task.node_id AND node.leaves_job_id IS NULL
    WHERE task.job_id = ? AND task.action = 'create'
    LIMIT 1000000
)sql";

constexpr auto select_unfinished_numbers = R"sql(
    SELECT nodenum
    FROM node
    WHERE cluster_id = ? AND leaves_job_id IS NULL AND NOT was_set_up
    LIMIT 1000000
)sql";

std::set<int> numbers_in(Rows row) {
    std::set<int> numbers;
    while (row.next()) numbers.insert(row.get<int>("nodenum"));
    return numbers;
}

}  // namespace

std::vector<LeavingMachine> undeleted_machines(Connection& connection, model::ClusterId cluster) {
    Rows row = connection.sql(select_undeleted_leaving) << cluster.value;
    std::vector<LeavingMachine> machines;
    while (row.next()) {
        machines.push_back({.node = model::NodeId{row.get<long long>("id")},
                            .nodenum = row.get<int>("nodenum"),
                            .hostname = row.get<std::string>("hostname"),
                            .services = strings_column(row, "services")});
    }
    return machines;
}

RemovalsLeft removals_left_on_leaving(Connection& connection, model::ClusterId cluster) {
    Rows row = connection.sql(select_removals_left) << cluster.value;
    RemovalsLeft left;
    while (row.next()) {
        left[row.get<int>("nodenum")][row.get<std::string>("service")].insert(
            base::stored_word<model::Action>(row.get<std::string>("action")));
    }
    return left;
}

SinceLeaving since_leaving(Connection& connection, model::ClusterId cluster) {
    SinceLeaving since;
    Rows first = connection.sql(select_first_taking) << cluster.value << one_row;
    since.first_job = model::JobId{first.get<long long>("id")};
    Rows before = connection.sql(select_status_before) << cluster.value << since.first_job.value;
    since.had_nothing_left = !before.next() || before.get<std::string>("status") == "complete";
    Rows told = connection.sql(select_if_told)
                << cluster.value << since.first_job.value << since.first_job.value << one_row;
    since.are_others_told = told.get<int>("is_told") > 0;
    return since;
}

std::set<int> machines_made_by(Connection& connection, model::JobId job) {
    return numbers_in(connection.sql(select_made_numbers) << job.value);
}

std::set<int> unfinished_machines(Connection& connection, model::ClusterId cluster) {
    return numbers_in(connection.sql(select_unfinished_numbers) << cluster.value);
}

void keep_machines(Connection& connection, const std::vector<model::NodeId>& nodes) {
    for (const model::NodeId node : nodes) {
        connection.sql("UPDATE node SET leaves_job_id = NULL WHERE id = ?") << node.value << exec;
    }
}

}  // namespace provisioner::store
