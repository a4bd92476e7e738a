#include "provisioner/store/jobs/job_store.hpp"

#include <algorithm>

#include "provisioner/statements/finishing_job.hpp"
#include "provisioner/statements/ready_task.hpp"
#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/database/tasks_of_jobs.hpp"
#include "provisioner/store/jobs/task_rows.hpp"
#include "provisioner/transcript/packing.hpp"

namespace provisioner::store {

namespace {

constexpr auto insert_job_row = R"sql(
    INSERT INTO job (cluster_id, operation, status, message, tasks_total, tasks_done, tasks_failed,
                     created_at, finished_at, asked_by_id, asked_by, request, goes_on_without,
                     leaves_as_is, only_keeps, goes_back, node_changes)
    SELECT ?, ?, ?, ?, ?, ?, 0, ?, NULLIF(?, ''), NULLIF(?, 0), ?, ?, NULLIF(?, ''), ?, ?, ?,
           COALESCE(MAX(node_changes), 0) + 1
    FROM job
    WHERE cluster_id = ?
)sql";

constexpr auto insert_task_rows = R"sql(
    INSERT INTO task (job_id, node_id, action, service, state, waits_for, attempt, fence, message)
    VALUES
)sql";

constexpr auto insert_edge_rows = R"sql(
    INSERT INTO task_edge (before_id, after_id) VALUES
)sql";

const std::string insert_ready = statements::queue_tasks_from("?", statements::ready_tasks_of_job);

constexpr auto select_task_ids = R"sql(
    SELECT id FROM task WHERE job_id = ? ORDER BY id LIMIT 10000000
)sql";

std::string job_columns_with(const char* is_finishing) {
    return std::string(R"sql(
    SELECT id, cluster_id, operation, status, message, tasks_total, tasks_done, aborted,
           created_at, finished_at, asked_by_id, asked_by, request, goes_on_without,
           leaves_as_is, only_keeps, goes_back, )sql") +
           is_finishing + R"sql( AS is_finishing
    FROM job
)sql";
}

const std::string job_columns = job_columns_with(statements::is_finishing_job);

// Of one row: the job before it is not read, so that its row is not locked.
const std::string locked_job_columns = job_columns_with("FALSE");

constexpr auto select_edges = R"sql(
    SELECT task_edge.before_id, task_edge.after_id
    FROM task
    JOIN task_edge ON task_edge.before_id = task.id
    WHERE task.job_id = ?
    ORDER BY task_edge.before_id, task_edge.after_id
    LIMIT 10000000
)sql";

constexpr auto select_attempts = R"sql(
    SELECT * FROM (
        SELECT attempt.task_id, task.job_id, task.node_id, task.action, task.service,
               attempt.number, attempt.status, attempt.status_code, attempt.stdout, attempt.stderr,
               attempt.started_at, attempt.finished_at,
               ROW_NUMBER() OVER (PARTITION BY task.node_id
                                  ORDER BY attempt.started_at DESC) AS age
        FROM node
        JOIN task ON task.node_id = node.id
        JOIN attempt ON attempt.task_id = task.id
        WHERE node.cluster_id = ?) AS recent
    WHERE age <= 200
    ORDER BY started_at, task_id, number
    LIMIT 10000000
)sql";

constexpr auto select_transcript = R"sql(
    SELECT id, attempt, stream, at, from_byte, size, body
    FROM transcript
    WHERE task_id = ? AND id > ?
    ORDER BY id
    LIMIT ?
)sql";

constexpr auto select_transcript_sizes = R"sql(
    SELECT id, attempt, size
    FROM transcript
    WHERE task_id = ?
    ORDER BY id DESC
    LIMIT ?
)sql";

constexpr auto sum_transcript = R"sql(
    SELECT COALESCE(SUM(size), 0) AS bytes FROM transcript WHERE task_id = ?
)sql";

constexpr auto select_printed_before = R"sql(
    SELECT attempt, from_byte + size AS printed
    FROM transcript
    WHERE task_id = ? AND id <= ? AND stream <> 'note'
    ORDER BY id DESC
    LIMIT 1
)sql";

model::Job read_job(Rows& row) {
    return {
        .id = model::JobId{row.get<long long>("id")},
        .cluster = model::ClusterId{row.get<long long>("cluster_id")},
        .operation = base::stored_word<model::Operation>(row.get<std::string>("operation")),
        .status = base::stored_word<model::JobStatus>(row.get<std::string>("status")),
        .message = row.get<std::string>("message"),
        .created_at = time_column(row, "created_at"),
        .finished_at = optional_time_column(row, "finished_at"),
        .tasks_total = row.get<int>("tasks_total"),
        .tasks_done = row.get<int>("tasks_done"),
        .aborted = row.get<int>("aborted") != 0,
        .asked_by = asker_columns(row),
        .is_finishing = row.get<int>("is_finishing") != 0,
        .without = optional_strings_column(row, "goes_on_without"),
        .leaves_as_is = row.get<int>("leaves_as_is") != 0,
        .only_keeps = row.get<int>("only_keeps") != 0,
        .goes_back = row.get<int>("goes_back") != 0,
    };
}

std::vector<model::Task> read_tasks(Rows row) {
    std::vector<model::Task> tasks;
    while (row.next()) tasks.push_back(read_task(row));
    return tasks;
}

Attempt read_attempt(Rows& row) {
    Attempt attempt{
        .task = model::TaskId{row.get<long long>("task_id")},
        .job = model::JobId{row.get<long long>("job_id")},
        .node = model::NodeId{row.get<long long>("node_id")},
        .action = base::stored_word<model::Action>(row.get<std::string>("action")),
        .service = row.get<std::string>("service"),
        .number = row.get<int>("number"),
        .status = row.get<std::string>("status"),
        .status_code = std::nullopt,
        .stdout_tail = text_column(row, "stdout"),
        .stderr_tail = text_column(row, "stderr"),
        .started_at = time_column(row, "started_at"),
        .finished_at = optional_time_column(row, "finished_at"),
    };
    if (!row.is_null("status_code")) attempt.status_code = row.get<int>("status_code");
    return attempt;
}

void insert_some_tasks(Connection& connection, model::JobId job, const planner::TaskGraph& graph,
                       const std::vector<model::NodeId>& nodes, std::size_t from,
                       std::size_t count) {
    const std::string statement =
        insert_task_rows + repeated("(?, ?, ?, ?, ?, ?, 0, 0, '')", count);
    std::vector<std::string> actions;
    for (std::size_t i = from; i < from + count; ++i) {
        actions.push_back(base::to_word(graph.tasks()[i].action));
    }
    const std::string ready = "ready";
    const std::string blocked = "blocked";
    Statement insert = connection.sql(statement);
    for (std::size_t i = from; i < from + count; ++i) {
        const planner::TaskKey& key = graph.tasks()[i];
        const auto waits_for = static_cast<long long>(graph.waits_for(i));
        insert << job.value << nodes.at(key.node).value << actions[i - from] << key.service
               << (waits_for == 0 ? ready : blocked) << waits_for;
    }
    insert.exec();
}

std::vector<model::TaskId> task_ids(Connection& connection, model::JobId job) {
    Rows row = connection.sql(select_task_ids) << job.value;
    std::vector<model::TaskId> ids;
    while (row.next()) ids.push_back(model::TaskId{row.get<long long>("id")});
    return ids;
}

std::vector<std::pair<model::TaskId, model::TaskId>> edges_between(
    const planner::TaskGraph& graph, const std::vector<model::TaskId>& ids) {
    std::vector<std::pair<model::TaskId, model::TaskId>> edges;
    for (std::size_t before = 0; before < graph.tasks().size(); ++before) {
        for (const std::size_t after : graph.followers(before)) {
            edges.emplace_back(ids.at(before), ids.at(after));
        }
    }
    return edges;
}

}  // namespace

void insert_edges(Connection& connection,
                  const std::vector<std::pair<model::TaskId, model::TaskId>>& edges) {
    for (std::size_t from = 0; from < edges.size(); from += rows_per_statement) {
        const std::size_t count = std::min(rows_per_statement, edges.size() - from);
        const std::string statement = insert_edge_rows + repeated("(?, ?)", count);
        Statement insert = connection.sql(statement);
        for (std::size_t i = from; i < from + count; ++i) {
            insert << edges[i].first.value << edges[i].second.value;
        }
        insert.exec();
    }
}

std::vector<model::TaskId> insert_tasks(Connection& connection, model::JobId job,
                                        const planner::TaskGraph& graph,
                                        const std::vector<model::NodeId>& nodes) {
    const std::size_t total = graph.tasks().size();
    const std::size_t before = task_ids(connection, job).size();
    for (std::size_t from = 0; from < total; from += rows_per_statement) {
        insert_some_tasks(connection, job, graph, nodes, from,
                          std::min(rows_per_statement, total - from));
    }
    // Ids of one job ascend in the order of insertion, whatever the server's auto-increment mode.
    // So the n-th new id is the graph's n-th task.
    auto ids = task_ids(connection, job);
    ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(before));
    insert_edges(connection, edges_between(graph, ids));
    return ids;
}

namespace {

/// The end of the stored output of an attempt, in bytes of all it has printed.
struct Printed {
    int attempt = 0;
    std::int64_t end = 0;
};

Printed printed_before(Connection& connection, model::TaskId task, std::int64_t piece) {
    Rows row = connection.sql(select_printed_before) << task.value << piece;
    if (!row.next()) return {};
    return {.attempt = row.get<int>("attempt"), .end = row.get<long long>("printed")};
}

std::optional<model::Job> select_job(Connection& connection, model::JobId job,
                                     const std::string& statement) {
    Rows row = connection.sql(statement) << job.value;
    if (!row.next()) return std::nullopt;
    return read_job(row);
}

std::optional<model::Task> task_of_cluster(Connection& connection, const std::string& columns,
                                           model::ClusterId cluster, model::TaskId task) {
    const std::string statement =
        columns +
        "FROM task JOIN job ON job.id = task.job_id WHERE task.id = ? AND job.cluster_id = ?";
    Rows row = connection.sql(statement) << task.value << cluster.value;
    if (!row.next()) return std::nullopt;
    return read_task(row);
}

}  // namespace

model::JobId insert_job(Connection& connection, const model::Job& job) {
    const std::string operation = base::to_word(job.operation);
    const std::string status = base::to_word(job.status);
    const std::string created_at = base::to_sql(job.created_at);
    const std::string finished_at = sql_or_empty(job.finished_at);
    const std::string message = fitting_text(job.message);
    const std::string without = job.without.empty() ? "" : base::to_text(base::Json(job.without));
    Statement insert = connection.sql(insert_job_row)
                       << job.cluster.value << operation << status << message << job.tasks_total
                       << job.tasks_done << created_at << finished_at << job.asked_by.user.value
                       << job.asked_by.name << job.asked_by.request << without
                       << (job.leaves_as_is ? 1 : 0) << (job.only_keeps ? 1 : 0)
                       << (job.goes_back ? 1 : 0) << job.cluster.value;
    insert.exec();
    return model::JobId{insert.last_insert_id()};
}

void enqueue(Connection& connection, model::JobId job, const planner::TaskGraph& graph,
             const std::vector<model::NodeId>& nodes, base::Timestamp now) {
    insert_tasks(connection, job, graph, nodes);
    Statement make_ready = connection.sql(insert_ready) << base::to_sql(now) << job.value;
    make_ready.exec();
    if (!graph.tasks().empty() && make_ready.affected() == 0) {
        throw std::logic_error("a job whose tasks all wait for one another");
    }
}

std::optional<model::Job> find_job(Connection& connection, model::JobId job) {
    return select_job(connection, job, job_columns + "WHERE id = ?");
}

std::optional<model::Job> lock_job(Connection& connection, model::JobId job) {
    return select_job(connection, job, locked_job_columns + "WHERE id = ? FOR UPDATE");
}

std::vector<model::Job> jobs_of(Connection& connection, model::ClusterId cluster) {
    const std::string statement =
        job_columns + "WHERE cluster_id = ? ORDER BY id DESC LIMIT 100000";
    Rows row = connection.sql(statement) << cluster.value;
    std::vector<model::Job> jobs;
    while (row.next()) jobs.push_back(read_job(row));
    return jobs;
}

std::vector<model::Job> jobs_on(Connection& connection, model::NodeId node, int most) {
    const std::string statement =
        job_columns +
        "JOIN (SELECT DISTINCT task.job_id FROM task WHERE task.node_id = ? "
        "      ORDER BY task.job_id DESC LIMIT ?) AS of_node ON of_node.job_id = job.id "
        "ORDER BY id DESC LIMIT 1000";
    Rows row = connection.sql(statement) << node.value << most;
    std::vector<model::Job> jobs;
    while (row.next()) jobs.push_back(read_job(row));
    return jobs;
}

std::vector<model::Task> tasks_of(Connection& connection, model::JobId job) {
    const std::string statement =
        task_columns + "FROM task WHERE task.job_id = ? ORDER BY task.id LIMIT 10000000";
    return read_tasks(connection.sql(statement) << job.value);
}

std::vector<model::Task> shown_tasks_of(Connection& connection, model::JobId job) {
    const std::string statement = shown_task_columns + "FROM @tasks WHERE @jobs AND NOT" +
                                  statements::is_replaced + "ORDER BY task.id LIMIT 10000000";
    return read_tasks(connection.sql(TasksOfJobs(connection, job).in(statement)));
}

// What a person asked to try again counts as a first attempt.
std::vector<model::Task> retried_tasks_of(Connection& connection, model::JobId job) {
    const std::string statement =
        task_columns +
        "FROM task WHERE task.job_id = ? AND task.message <> '' AND"
        " (task.state = 'claimed' AND task.attempt > task.attempts_offset + 1 OR"
        "  task.state = 'ready' AND EXISTS ("
        "      SELECT 1 FROM attempt WHERE attempt.task_id = task.id"
        "          AND attempt.number = task.attempt AND attempt.status = 'failed')) "
        "ORDER BY task.id LIMIT 10000000";
    return read_tasks(connection.sql(statement) << job.value);
}

std::vector<model::Task> failed_tasks_of(Connection& connection, model::JobId job) {
    const std::string statement =
        shown_task_columns +
        "FROM @tasks WHERE @jobs AND task.state IN ('failed', 'cancelled') AND " +
        statements::shown_state + " = 'failed' ORDER BY task.id LIMIT 10000000";
    return read_tasks(connection.sql(TasksOfJobs(connection, job).in(statement)));
}

std::vector<model::Task> tasks_on(Connection& connection, model::JobId job, model::NodeId node) {
    const std::string statement = shown_task_columns +
                                  "FROM task WHERE task.job_id = ? AND task.node_id = ? AND NOT" +
                                  statements::is_replaced + "ORDER BY task.id LIMIT 10000000";
    return read_tasks(connection.sql(statement) << job.value << node.value);
}

std::vector<std::pair<model::TaskId, model::TaskId>> edges_of(Connection& connection,
                                                              model::JobId job) {
    Rows row = connection.sql(select_edges) << job.value;
    std::vector<std::pair<model::TaskId, model::TaskId>> edges;
    while (row.next()) {
        edges.emplace_back(model::TaskId{row.get<long long>("before_id")},
                           model::TaskId{row.get<long long>("after_id")});
    }
    return edges;
}

std::vector<Attempt> attempts_of(Connection& connection, model::ClusterId cluster) {
    Rows row = connection.sql(select_attempts) << cluster.value;
    std::vector<Attempt> attempts;
    while (row.next()) attempts.push_back(read_attempt(row));
    return attempts;
}

std::optional<model::Task> find_task(Connection& connection, model::ClusterId cluster,
                                     model::TaskId task) {
    return task_of_cluster(connection, task_columns, cluster, task);
}

std::optional<model::Task> find_shown_task(Connection& connection, model::ClusterId cluster,
                                           model::TaskId task) {
    return task_of_cluster(connection, shown_task_columns, cluster, task);
}

TranscriptSizes transcript_sizes(Connection& connection, model::TaskId task, int most) {
    TranscriptSizes sizes;
    Rows sum = connection.sql(sum_transcript) << task.value;
    if (sum.next()) sizes.bytes = static_cast<std::size_t>(sum.get<long long>("bytes"));
    Rows row = connection.sql(select_transcript_sizes) << task.value << most;
    while (row.next()) {
        sizes.newest.push_back({.id = row.get<long long>("id"),
                                .attempt = row.get<int>("attempt"),
                                .bytes = static_cast<std::size_t>(row.get<long long>("size"))});
    }
    std::ranges::reverse(sizes.newest);
    return sizes;
}

std::vector<TranscriptPiece> transcript_after(Connection& connection, model::TaskId task,
                                              std::int64_t after, int limit) {
    Printed printed = printed_before(connection, task, after);
    Rows row = connection.sql(select_transcript) << task.value << after << limit;
    std::vector<TranscriptPiece> pieces;
    while (row.next()) {
        TranscriptPiece piece{
            .id = row.get<long long>("id"),
            .attempt = row.get<int>("attempt"),
            .stream = row.get<std::string>("stream"),
            .at = time_column(row, "at"),
            .body = transcript::unpacked(row.get<std::string>("body"), row.get<int>("size")),
        };
        if (piece.stream != "note") {
            const auto from = row.get<long long>("from_byte");
            if (piece.attempt != printed.attempt) printed = {.attempt = piece.attempt};
            piece.missing = std::max<std::int64_t>(0, from - printed.end);
            printed.end = from + std::ssize(piece.body);
        }
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

}  // namespace provisioner::store
