#include "provisioner/queue/finish_batch.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <map>
#include <memory>

#include "provisioner/queue/link.hpp"

namespace provisioner::queue {

namespace {

using Prepared = std::unique_ptr<sql::PreparedStatement>;
using Rows = std::unique_ptr<sql::ResultSet>;

int execute(sql::Connection& connection, const std::string& statement) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    return runner->executeUpdate(statement);
}

Rows select(sql::Connection& connection, const std::string& statement) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    return Rows(runner->executeQuery(statement));
}

std::string tasks_in(const std::vector<const Finished*>& finished) {
    return id_list(finished, [](const Finished* one) { return one->claim.task.value; });
}

constexpr auto update_node = R"sql(
    UPDATE node
    SET results = ?, addresses = IF(? = '', addresses, ?), hostname = IF(? = '', hostname, ?)
    WHERE id = ?
)sql";

constexpr auto fail_attempt = R"sql(
    UPDATE attempt
    SET status = 'failed', status_code = ?, stdout = ?, stderr = ?, finished_at = UTC_TIMESTAMP(6)
    WHERE task_id = ? AND number = ?
)sql";

constexpr auto fail_task = R"sql(
    UPDATE task
    SET state = 'failed', claimed_until = NULL, worker = NULL, message = ?,
        finished_at = UTC_TIMESTAMP(6)
    WHERE id = ?
)sql";

constexpr auto ready_again = R"sql(
    UPDATE task
    SET state = 'ready', claimed_until = NULL, worker = NULL, message = ?
    WHERE id = ?
)sql";

constexpr auto insert_ready = R"sql(
    INSERT INTO ready_task (task_id, run_at)
    VALUES (?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)
)sql";

constexpr auto first_failure = R"sql(
    SELECT CONCAT(task.action, IF(task.service = '', '', CONCAT(' ', task.service)), ' on ',
                  node.hostname, ': ', task.message) AS message,
           COUNT(*) OVER () AS failures
    FROM task
    JOIN node ON node.id = task.node_id
    WHERE task.job_id = ? AND task.state = 'failed'
    ORDER BY task.finished_at, task.id
    LIMIT 1
)sql";

constexpr auto update_job = R"sql(
    UPDATE job
    SET status = ?, message = ?, finished_at = UTC_TIMESTAMP(6)
    WHERE id = ? AND status IN ('running', 'paused')
)sql";

// A cluster follows only its latest job.
constexpr auto update_cluster = R"sql(
    UPDATE cluster
    JOIN job ON job.id = cluster.latest_job_id
    SET cluster.status = ?, cluster.message = ?
    WHERE job.id = ?
)sql";

}  // namespace

int FinishBatch::run(std::span<const Finished> finished) {
    const std::vector<const Finished*> ours = still_ours(finished);
    if (ours.empty()) return 0;

    std::vector<const Finished*> succeeded;
    std::set<long long> jobs;
    for (const Finished* one : ours) {
        if (const auto* success = std::get_if<Succeeded>(&one->outcome)) {
            store_node_facts(*one, *success);
            succeeded.push_back(one);
            jobs.insert(one->claim.job.value);
        } else if (const auto* failure = std::get_if<Failed>(&one->outcome)) {
            end_failed(*one, *failure);
            if (!failure->retry_in) jobs.insert(one->claim.job.value);
        } else {
            const auto& waiting = std::get<Waiting>(one->outcome);
            put_back(*one, waiting.poll_in, waiting.reason);
            if (waiting.output_starts_over) {
                execute(connection_,
                        "DELETE FROM transcript WHERE stream <> 'note' AND task_id = " +
                            std::to_string(one->claim.task.value) +
                            " AND attempt = " + std::to_string(one->claim.attempt));
            }
        }
    }
    end_succeeded(succeeded);
    const int released = release_followers(succeeded);
    end_jobs(jobs);
    return released;
}

std::vector<const Finished*> FinishBatch::still_ours(std::span<const Finished> finished) {
    if (finished.empty()) return {};
    select(connection_, "SELECT id FROM job WHERE id IN (" +
                            id_list(finished, [](const Finished& f) { return f.claim.job.value; }) +
                            ") ORDER BY id FOR UPDATE");
    const Rows rows = select(
        connection_, "SELECT id, fence FROM task WHERE state = 'claimed' AND id IN (" +
                         id_list(finished, [](const Finished& f) { return f.claim.task.value; }) +
                         ") ORDER BY id FOR UPDATE");
    std::map<long long, long long> fences;
    while (rows->next()) fences[rows->getInt64("id")] = rows->getInt64("fence");

    std::vector<const Finished*> ours;
    for (const Finished& one : finished) {
        const auto found = fences.find(one.claim.task.value);
        if (found != fences.end() && found->second == one.claim.fence) ours.push_back(&one);
    }
    return ours;
}

void FinishBatch::store_node_facts(const Finished& finished, const Succeeded& succeeded) {
    const bool nothing_new =
        succeeded.facts.empty() && succeeded.addresses.empty() && succeeded.hostname.empty();
    if (nothing_new) return;
    const std::string id = std::to_string(finished.claim.node.value);
    const Rows rows =
        select(connection_, "SELECT results FROM node WHERE id = " + id + " FOR UPDATE");
    if (!rows->next()) return;
    base::Json results =
        base::parse_json(std::string(rows->getString("results"))).value_or(base::Json::object());
    results.update(succeeded.facts);
    const std::string addresses =
        succeeded.addresses.empty() ? "" : base::to_text(base::Json(succeeded.addresses));

    const Prepared update(connection_.prepareStatement(update_node));
    update->setString(1, base::to_text(results));
    update->setString(2, addresses);
    update->setString(3, addresses);
    update->setString(4, succeeded.hostname);
    update->setString(5, succeeded.hostname);
    update->setInt64(6, finished.claim.node.value);
    update->executeUpdate();
}

void FinishBatch::end_succeeded(const std::vector<const Finished*>& succeeded) {
    if (succeeded.empty()) return;
    const std::string tasks = tasks_in(succeeded);
    execute(
        connection_,
        "UPDATE attempt JOIN task ON task.id = attempt.task_id AND task.attempt = attempt.number "
        "SET attempt.status = 'complete', attempt.status_code = 0, "
        "attempt.finished_at = UTC_TIMESTAMP(6) WHERE task.id IN (" +
            tasks + ")");
    execute(connection_,
            "UPDATE task SET state = 'done', claimed_until = NULL, worker = NULL, message = '', "
            "finished_at = UTC_TIMESTAMP(6) WHERE id IN (" +
                tasks + ")");
    std::map<long long, int> done;
    for (const Finished* one : succeeded) ++done[one->claim.job.value];
    for (const auto& [job, count] : done) {
        execute(connection_, "UPDATE job SET tasks_done = tasks_done + " + std::to_string(count) +
                                 " WHERE id = " + std::to_string(job));
    }
}

void FinishBatch::end_failed(const Finished& finished, const Failed& failed) {
    const Prepared attempt(connection_.prepareStatement(fail_attempt));
    attempt->setInt(1, failed.status_code);
    attempt->setString(2, failed.stdout_tail);
    attempt->setString(3, failed.stderr_tail);
    attempt->setInt64(4, finished.claim.task.value);
    attempt->setInt(5, finished.claim.attempt);
    attempt->executeUpdate();
    if (failed.retry_in) {
        put_back(finished, *failed.retry_in, failed.message);
        return;
    }
    const Prepared task(connection_.prepareStatement(fail_task));
    task->setString(1, failed.message);
    task->setInt64(2, finished.claim.task.value);
    task->executeUpdate();
    execute(connection_, "UPDATE job SET tasks_failed = tasks_failed + 1 WHERE id = " +
                             std::to_string(finished.claim.job.value));
}

void FinishBatch::put_back(const Finished& finished, std::chrono::milliseconds run_in,
                           const std::string& message) {
    const Prepared task(connection_.prepareStatement(ready_again));
    task->setString(1, message);
    task->setInt64(2, finished.claim.task.value);
    task->executeUpdate();
    const Prepared ready(connection_.prepareStatement(insert_ready));
    ready->setInt64(1, finished.claim.task.value);
    ready->setInt64(2, std::chrono::microseconds(run_in).count());
    ready->executeUpdate();
}

int FinishBatch::release_followers(const std::vector<const Finished*>& succeeded) {
    if (succeeded.empty()) return 0;
    const std::string tasks = tasks_in(succeeded);
    // Two statements: in one multi-table UPDATE the order of assignments is not promised.
    execute(
        connection_,
        "UPDATE task JOIN (SELECT after_id, COUNT(*) AS finished FROM task_edge "
        "WHERE before_id IN (" +
            tasks +
            ") GROUP BY after_id) AS counted "
            "ON counted.after_id = task.id SET task.waits_for = task.waits_for - counted.finished");
    const Rows rows = select(connection_,
                             "SELECT DISTINCT task.id FROM task_edge JOIN task ON task.id = "
                             "task_edge.after_id WHERE task_edge.before_id IN (" +
                                 tasks + ") AND task.state = 'blocked' AND task.waits_for = 0");
    std::vector<long long> ready;
    while (rows->next()) ready.push_back(rows->getInt64(1));
    if (ready.empty()) return 0;
    const std::string ids = id_list(ready, [](long long id) { return id; });
    execute(connection_, "UPDATE task SET state = 'ready' WHERE id IN (" + ids + ")");
    execute(connection_,
            "INSERT INTO ready_task (task_id, run_at) SELECT id, UTC_TIMESTAMP(6) "
            "FROM task WHERE id IN (" +
                ids + ")");
    return static_cast<int>(ready.size());
}

model::JobTally FinishBatch::tally_of(long long job) {
    const std::string id = std::to_string(job);
    const Rows row = select(connection_,
                            "SELECT operation, tasks_total, tasks_done, tasks_failed FROM job "
                            "WHERE id = " +
                                id);
    row->next();
    model::JobTally tally{
        .operation = base::stored_word<model::Operation>(std::string(row->getString("operation"))),
        .total = row->getInt("tasks_total"),
        .done = row->getInt("tasks_done"),
        .failed = row->getInt("tasks_failed"),
    };
    if (tally.failed == 0) return tally;
    const Rows counts =
        select(connection_,
               "SELECT COALESCE(SUM(task.state = 'claimed'), 0) AS claimed, "
               "COALESCE(SUM(task.state = 'failed' AND NOT (task.action = 'create' AND "
               "COALESCE(attempt.status_code, 0) BETWEEN 200 AND 299)), 0) AS other_failures "
               "FROM task LEFT JOIN attempt ON attempt.task_id = task.id AND "
               "attempt.number = task.attempt WHERE task.job_id = " +
                   id);
    counts->next();
    tally.claimed = counts->getInt("claimed");
    tally.only_refused_creates = counts->getInt("other_failures") == 0;
    return tally;
}

void FinishBatch::cancel_rest_of(long long job) {
    const std::string id = std::to_string(job);
    execute(connection_,
            "DELETE ready_task FROM ready_task JOIN task ON task.id = "
            "ready_task.task_id WHERE task.job_id = " +
                id);
    execute(connection_,
            "UPDATE attempt JOIN task ON task.id = attempt.task_id "
            "SET attempt.status = 'failed', attempt.finished_at = UTC_TIMESTAMP(6) "
            "WHERE task.job_id = " +
                id +
                " AND task.state = 'ready' AND "
                "attempt.status = 'in_progress'");
    execute(connection_,
            "UPDATE task SET state = 'cancelled', finished_at = UTC_TIMESTAMP(6) "
            "WHERE job_id = " +
                id + " AND state IN ('blocked', 'ready')");
}

void FinishBatch::end_job(long long job, const model::JobEnd& end) {
    std::string message;
    if (end.nothing_created) message = model::nothing_created_message;
    if (end.job == model::JobStatus::failed && !end.nothing_created) {
        const Prepared first(connection_.prepareStatement(first_failure));
        first->setInt64(1, job);
        const Rows row(first->executeQuery());
        if (row->next()) {
            message = std::string(row->getString("message"));
            const int others = row->getInt("failures") - 1;
            if (others > 0) message += " (and " + std::to_string(others) + " more)";
        }
    }
    const Prepared update(connection_.prepareStatement(update_job));
    update->setString(1, base::to_word(end.job));
    update->setString(2, message);
    update->setInt64(3, job);
    if (update->executeUpdate() == 0) return;
    const Prepared cluster(connection_.prepareStatement(update_cluster));
    cluster->setString(1, base::to_word(end.cluster));
    cluster->setString(2, message);
    cluster->setInt64(3, job);
    cluster->executeUpdate();
}

void FinishBatch::end_jobs(const std::set<long long>& jobs) {
    for (const long long job : jobs) {
        const model::JobTally tally = tally_of(job);
        if (tally.failed > 0) cancel_rest_of(job);
        const model::JobEnd end = model::end_of(tally);
        if (end.job != model::JobStatus::running) end_job(job, end);
    }
}

}  // namespace provisioner::queue
