#include "provisioner/store/jobs/task_list.hpp"

#include <stdexcept>

#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/database/tasks_of_jobs.hpp"
#include "provisioner/store/jobs/task_rows.hpp"

namespace provisioner::store {

namespace {

const std::string select_machines = std::string(R"sql(
    SELECT node.id, node.nodenum, node.hostname, work.tasks, work.done, work.running, work.failed,
           work.ended_tasks, work.replaced, work.began, work.ended
    FROM (SELECT node_id, SUM(NOT)sql") +
                                    statements::is_replaced + R"sql() AS tasks,
                 SUM(state = 'done' AND NOT)sql" +
                                    statements::is_replaced + R"sql() AS done,
                 SUM(state = 'claimed') AS running, SUM()sql" +
                                    statements::shown_state + R"sql( = 'failed' AND NOT)sql" +
                                    statements::is_replaced + R"sql() AS failed,
                 SUM(state IN ('done', 'failed', 'cancelled') AND NOT)sql" +
                                    statements::is_replaced + R"sql() AS ended_tasks,
                 SUM()sql" + statements::is_replaced +
                                    R"sql() AS replaced,
                 MIN(started_at) AS began,
                 MAX(CASE WHEN started_at IS NOT NULL THEN finished_at END) AS ended
          FROM @tasks
          WHERE @jobs
          GROUP BY node_id) AS work
    JOIN node ON node.id = work.node_id
    ORDER BY node.nodenum
    LIMIT 1000000
)sql";

const std::string select_kinds = std::string(R"sql(
    SELECT action, service, shown, COUNT(*) AS tasks, MIN(MIN(id)) OVER (PARTITION BY action, service) AS first_id
    FROM (SELECT task.id, task.action, task.service,)sql") +
                                 statements::shown_state + R"sql( AS shown
          FROM @tasks
          WHERE @jobs AND NOT)sql" +
                                 statements::is_replaced + R"sql() AS tasks_of_job
    GROUP BY action, service, shown
    ORDER BY first_id, shown
    LIMIT 100000
)sql";

constexpr auto select_kind_edges = R"sql(
    SELECT earlier.action AS before_action, earlier.service AS before_service,
           later.action, later.service, COUNT(*) AS edges
    FROM task AS later FORCE INDEX (task_job)
    JOIN task_edge ON task_edge.after_id = later.id
    JOIN task AS earlier ON earlier.id = task_edge.before_id
    WHERE later.job_id = ? AND later.attempts_offset <= later.attempt AND
          earlier.attempts_offset <= earlier.attempt
    GROUP BY earlier.action, earlier.service, later.action, later.service
    ORDER BY MIN(earlier.id), MIN(later.id)
    LIMIT 100000
)sql";

// Parameters: the task, the most steps.
constexpr auto way_back = R"sql(
    WITH RECURSIVE way (id, step) AS (
        SELECT CAST(? AS SIGNED), 0
        UNION ALL
        SELECT (SELECT task_edge.before_id
                FROM task_edge
                JOIN task ON task.id = task_edge.before_id
                WHERE task_edge.after_id = way.id AND task.started_at IS NOT NULL
                  AND task.finished_at IS NOT NULL
                ORDER BY task.finished_at DESC, task.id DESC
                LIMIT 1), way.step + 1
        FROM way
        WHERE way.id IS NOT NULL AND way.step < ?)
)sql";

constexpr auto last_attempt = R"sql(
    LEFT JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt
)sql";

constexpr auto join_node = " JOIN node ON node.id = task.node_id ";

constexpr auto select_unfinished = R"sql(
    SELECT task.id, task.node_id, task.action, task.service, task.state, attempt.started_at
    FROM task
    LEFT JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt
                     AND attempt.status = 'in_progress'
    WHERE task.job_id = ? AND task.state IN ('blocked', 'ready', 'claimed')
    ORDER BY task.id
    LIMIT 10000000
)sql";

constexpr auto select_edges_to_waiting = R"sql(
    SELECT task_edge.before_id, task_edge.after_id
    FROM task
    JOIN task_edge ON task_edge.after_id = task.id
    WHERE task.job_id = ? AND task.state = 'blocked'
    LIMIT 10000000
)sql";

// The newest clusters are found by cluster_newest before any snapshot or header is looked at.
// What people did to a job is looked up for the few that are left.
constexpr auto select_earlier_runs = R"sql(
    SELECT run.id, run.tasks_total,
           IF(run.is_alike AND run.finished_at >= run.created_at AND NOT EXISTS (
                  SELECT 1
                  FROM audit_event
                  WHERE audit_event.tenant_id = run.tenant_id AND
                        audit_event.object_id = LPAD(run.cluster_id, GREATEST(8, LENGTH(run.cluster_id)), '0') AND
                        audit_event.action IN ('cluster.retry', 'cluster.pause', 'cluster.abort') AND
                        audit_event.at BETWEEN run.created_at AND run.finished_at),
              TIMESTAMPDIFF(MICROSECOND, run.created_at, run.finished_at) DIV 1000, -1) AS took
    FROM (
    SELECT job.id, job.tasks_total, job.cluster_id, job.created_at, job.finished_at,
           cluster.tenant_id, job.operation = ? AS is_alike
    FROM (SELECT id FROM (SELECT id FROM cluster WHERE tenant_id = ? ORDER BY id DESC LIMIT 100) AS newest
          UNION
          SELECT ?) AS candidate
    JOIN cluster ON cluster.id = candidate.id
    JOIN job ON job.cluster_id = cluster.id
    WHERE cluster.tenant_id = ? AND cluster.provider_name = ? AND
          cluster.template_name = ? AND
          job.id < ? AND job.status = 'complete' AND job.kept <> 'itself' AND job.tasks_total > 0
    ORDER BY is_alike DESC, job.id DESC
    LIMIT ?) AS run
    ORDER BY run.is_alike DESC, run.id DESC
    LIMIT 100
)sql";

// Of a task that was tried again only the last attempt counts, without what was before it. CRC32
// mixes the ids: every n-th id would be the same kind of task again and again.
constexpr auto select_times_of_job = R"sql(
    SELECT task.action, task.service,
           TIMESTAMPDIFF(MICROSECOND, attempt.started_at, attempt.finished_at) AS took
    FROM task
    JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt
                AND attempt.status = 'complete' AND attempt.finished_at >= attempt.started_at
    WHERE task.job_id = ? AND task.state = 'done' AND CRC32(task.id) % ? = 0
)sql";

constexpr auto middle_of_times = R"sql(
    SELECT action, service, took, samples
    FROM (SELECT action, service, took, COUNT(*) OVER (PARTITION BY action, service) AS samples,
                 ROW_NUMBER() OVER (PARTITION BY action, service ORDER BY took) AS place
          FROM (
)sql";

constexpr auto end_of_middle = R"sql(
          ) AS times) AS sorted
    WHERE place = (samples + 1) DIV 2
    LIMIT 100000
)sql";

constexpr int samples_of_job = 2000;

/// Place of a task in lists, by its shown state: what needs a look comes first. A ready task
/// that has begun is between two attempts, or two turns of one.
std::string place_of(const std::string& shown) {
    return " CASE " + shown +
           " WHEN 'failed' THEN 0 WHEN 'claimed' THEN 1"
           " WHEN 'ready' THEN IF(task.attempt > 0, 2, 3) WHEN 'blocked' THEN 3"
           " WHEN 'done' THEN IF(task.attempt > 1, 4, 6) ELSE 5 END";
}

/// For a statement with last_attempt, unless they are ordered by need.
std::string sql_order(TaskOrder order) {
    switch (order) {
        case TaskOrder::by_need:
            return place_of(statements::shown_state);
        case TaskOrder::longest:
            return " attempt.started_at IS NULL, TIMESTAMPDIFF(MICROSECOND, attempt.started_at, "
                   "COALESCE(attempt.finished_at, UTC_TIMESTAMP(6))) DESC";
        case TaskOrder::started:
            return " attempt.started_at IS NULL, attempt.started_at";
    }
    throw std::logic_error("unknown order of tasks");
}

TaskKind read_kind(Rows& row) {
    return {.action = base::stored_word<model::Action>(row.get<std::string>("action")),
            .service = row.get<std::string>("service")};
}

std::optional<model::Task> first_task(Rows row) {
    if (!row.next()) return std::nullopt;
    return read_task(row);
}

/// TaskConditions of a filter for a statement, and their values in the same order.
struct TaskConditions {
    std::string text = " WHERE task.job_id = ?";
    std::vector<std::string> values{};
};

TaskConditions conditions_of(const TaskFilter& filter) {
    TaskConditions made;
    made.text += std::string(filter.is_replaced ? " AND" : " AND NOT") + statements::is_replaced;
    const auto add = [&](const std::string& condition, const std::string& value) {
        made.text += condition;
        made.values.push_back(value);
    };
    if (filter.state)
        add(std::string(" AND ") + statements::shown_state + " = ?", base::to_word(*filter.state));
    if (filter.action) add(" AND task.action = ?", base::to_word(*filter.action));
    if (filter.service) add(" AND task.service = ?", *filter.service);
    if (filter.is_repeated) made.text += " AND task.attempt > 1";
    if (!filter.machine.empty()) add(" AND LOCATE(?, node.hostname) > 0", filter.machine);
    return made;
}

}  // namespace

std::vector<JobMachine> machines_of_job(Connection& connection, model::JobId job) {
    Rows row = connection.sql(TasksOfJobs(connection, job).in(select_machines)).query();
    std::vector<JobMachine> machines;
    while (row.next()) {
        machines.push_back({.node = model::NodeId{row.get<long long>("id")},
                            .nodenum = row.get<int>("nodenum"),
                            .hostname = row.get<std::string>("hostname"),
                            .tasks = row.get<int>("tasks"),
                            .done = row.get<int>("done"),
                            .running = row.get<int>("running"),
                            .failed = row.get<int>("failed"),
                            .over = row.get<int>("ended_tasks"),
                            .replaced = row.get<int>("replaced"),
                            .began = optional_time_column(row, "began"),
                            .ended = optional_time_column(row, "ended")});
    }
    return machines;
}

std::vector<KindCount> kinds_of_job(Connection& connection, model::JobId job) {
    Rows row = connection.sql(TasksOfJobs(connection, job).in(select_kinds)).query();
    std::vector<KindCount> kinds;
    while (row.next()) {
        kinds.push_back(
            {.kind = read_kind(row),
             .state = base::stored_word<model::TaskState>(row.get<std::string>("shown")),
             .tasks = row.get<int>("tasks")});
    }
    return kinds;
}

std::vector<KindEdge> kind_edges_of_job(Connection& connection, model::JobId job) {
    Rows row = connection.sql(select_kind_edges) << job.value;
    std::vector<KindEdge> edges;
    while (row.next()) {
        edges.push_back({.before = {.action = base::stored_word<model::Action>(
                                        row.get<std::string>("before_action")),
                                    .service = row.get<std::string>("before_service")},
                         .after = read_kind(row),
                         .edges = row.get<int>("edges")});
    }
    return edges;
}

std::vector<ListedTask> list_tasks(Connection& connection, model::JobId job,
                                   const TaskFilter& filter, int limit, int offset) {
    const TaskConditions conditions = conditions_of(filter);
    const std::string order = " ORDER BY" + sql_order(filter.order) + ", task.id";
    // All tasks of the job are sorted by what their order needs, and only a page of them is read.
    const std::string text =
        shown_task_columns + ", node.hostname, attempt.status_code FROM (SELECT task.id FROM task" +
        (filter.machine.empty() ? "" : join_node) +
        (filter.order == TaskOrder::by_need ? "" : last_attempt) + conditions.text + order +
        " LIMIT ? OFFSET ?) AS listed JOIN task ON task.id = listed.id" + join_node + last_attempt +
        order + " LIMIT 100000";
    Statement select = connection.sql(text);
    select << job.value;
    for (const std::string& value : conditions.values) select << value;
    Rows row = select << limit << offset;
    std::vector<ListedTask> tasks;
    while (row.next()) {
        ListedTask listed{.task = read_task(row), .hostname = row.get<std::string>("hostname")};
        if (!row.is_null("status_code")) listed.status_code = row.get<int>("status_code");
        tasks.push_back(std::move(listed));
    }
    return tasks;
}

std::optional<int> status_code_of(Connection& connection, const model::Task& task) {
    Rows row = connection.sql("SELECT status_code FROM attempt WHERE task_id = ? AND number = ?")
               << task.id.value << task.attempt;
    if (!row.next() || row.is_null("status_code")) return std::nullopt;
    return row.get<int>("status_code");
}

int count_listed_tasks(Connection& connection, model::JobId job, const TaskFilter& filter) {
    const TaskConditions conditions = conditions_of(filter);
    const std::string text = std::string("SELECT COUNT(*) AS tasks FROM task") +
                             (filter.machine.empty() ? "" : join_node) + conditions.text;
    Statement select = connection.sql(text);
    select << job.value;
    for (const std::string& value : conditions.values) select << value;
    Rows row = select << one_row;
    return row.get<int>("tasks");
}

std::vector<model::Task> tasks_on_machines(Connection& connection, model::JobId job,
                                           const std::vector<model::NodeId>& nodes) {
    std::vector<model::Task> tasks;
    if (nodes.empty()) return tasks;
    const std::string text = shown_task_columns + "FROM task WHERE job_id = ? AND node_id IN (" +
                             repeated("?", nodes.size()) + ") ORDER BY id LIMIT 10000000";
    Statement select = connection.sql(text);
    select << job.value;
    for (const model::NodeId node : nodes) select << node.value;
    Rows row = select.query();
    while (row.next()) tasks.push_back(read_task(row));
    return tasks;
}

std::vector<AttemptTime> attempt_times(Connection& connection,
                                       const std::vector<model::TaskId>& tasks) {
    std::vector<AttemptTime> attempts;
    if (tasks.empty()) return attempts;
    const std::string text =
        "SELECT task_id, number, status, started_at, finished_at FROM attempt WHERE task_id IN (" +
        repeated("?", tasks.size()) + ") ORDER BY task_id, number LIMIT 100000";
    Statement select = connection.sql(text);
    for (const model::TaskId task : tasks) select << task.value;
    Rows row = select.query();
    while (row.next()) {
        attempts.push_back({.task = model::TaskId{row.get<long long>("task_id")},
                            .number = row.get<int>("number"),
                            .status = row.get<std::string>("status"),
                            .began = time_column(row, "started_at"),
                            .ended = optional_time_column(row, "finished_at")});
    }
    return attempts;
}

std::optional<model::Task> last_ended_task(Connection& connection, model::JobId job) {
    const std::string text = shown_task_columns +
                             "FROM task WHERE job_id = ? AND started_at IS NOT NULL AND "
                             "finished_at IS NOT NULL ORDER BY finished_at DESC, id DESC LIMIT 1";
    return first_task(connection.sql(text) << job.value);
}

std::optional<model::Task> longest_running_task(Connection& connection, model::JobId job) {
    const std::string text = shown_task_columns +
                             "FROM task JOIN attempt ON attempt.task_id = task.id AND "
                             "attempt.number = task.attempt AND attempt.status = 'in_progress' "
                             "WHERE task.job_id = ? AND task.state IN ('claimed', 'ready') "
                             "ORDER BY attempt.started_at, task.id LIMIT 1";
    return first_task(connection.sql(text) << job.value);
}

std::vector<model::Task> way_back_from(Connection& connection, model::TaskId task, int most) {
    const std::string text = way_back + shown_task_columns +
                             "FROM way JOIN task ON task.id = way.id WHERE way.step > 0 "
                             "ORDER BY way.step LIMIT 100000";
    Rows row = connection.sql(text) << task.value << most;
    std::vector<model::Task> tasks;
    while (row.next()) tasks.push_back(read_task(row));
    return tasks;
}

std::vector<model::Task> unfinished_tasks_of(Connection& connection, model::JobId job) {
    Rows row = connection.sql(select_unfinished) << job.value;
    std::vector<model::Task> tasks;
    while (row.next()) {
        model::Task task;
        task.id = model::TaskId{row.get<long long>("id")};
        task.job = job;
        task.node = model::NodeId{row.get<long long>("node_id")};
        task.action = base::stored_word<model::Action>(row.get<std::string>("action"));
        task.service = row.get<std::string>("service");
        task.state = base::stored_word<model::TaskState>(row.get<std::string>("state"));
        task.started_at = optional_time_column(row, "started_at");
        tasks.push_back(std::move(task));
    }
    return tasks;
}

std::vector<std::pair<model::TaskId, model::TaskId>> edges_to_waiting(Connection& connection,
                                                                      model::JobId job) {
    Rows row = connection.sql(select_edges_to_waiting) << job.value;
    std::vector<std::pair<model::TaskId, model::TaskId>> edges;
    while (row.next()) {
        edges.emplace_back(model::TaskId{row.get<long long>("before_id")},
                           model::TaskId{row.get<long long>("after_id")});
    }
    return edges;
}

std::vector<EarlierRun> earlier_runs(Connection& connection, const model::Cluster& cluster,
                                     const model::Job& job, int limit) {
    Rows row = connection.sql(select_earlier_runs)
               << std::string(base::to_word(job.operation)) << cluster.tenant.value
               << cluster.id.value << cluster.tenant.value << cluster.snapshot.provider.header.name
               << cluster.snapshot.cluster_template.header.name << job.id.value << limit;
    std::vector<EarlierRun> runs;
    while (row.next()) {
        runs.push_back(
            {.job = model::JobId{row.get<long long>("id")}, .tasks = row.get<int>("tasks_total")});
        const auto took = row.get<long long>("took");
        if (took >= 0) runs.back().took = std::chrono::milliseconds(took);
    }
    return runs;
}

std::vector<TypicalTime> typical_times(Connection& connection,
                                       const std::vector<EarlierRun>& jobs) {
    std::vector<TypicalTime> times;
    if (jobs.empty()) return times;
    std::string text = middle_of_times;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        text += std::string(i == 0 ? "" : " UNION ALL ") + select_times_of_job;
    }
    text += end_of_middle;
    Statement select = connection.sql(text);
    for (const EarlierRun& run : jobs) {
        select << run.job.value << std::max(1, run.tasks / samples_of_job);
    }
    Rows row = select.query();
    while (row.next()) {
        times.push_back({.kind = read_kind(row),
                         .time = std::chrono::microseconds(row.get<long long>("took")),
                         .samples = row.get<int>("samples")});
    }
    return times;
}

}  // namespace provisioner::store
