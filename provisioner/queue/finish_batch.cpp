#include "provisioner/queue/finish_batch.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <map>
#include <memory>

#include "provisioner/queue/link.hpp"
#include "provisioner/statements/callback.hpp"
#include "provisioner/statements/job_end.hpp"

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

constexpr auto blocked_again = R"sql(
    UPDATE task
    SET state = 'blocked', waits_for = 1, claimed_until = NULL, worker = NULL, message = ?
    WHERE id = ?
)sql";

constexpr auto insert_task = R"sql(
    INSERT INTO task (job_id, node_id, action, service, state, waits_for, attempt, fence, message)
    VALUES (?, ?, ?, '', ?, ?, 0, 0, '')
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

// Tasks of a paused job stay out of the queue's head until it is resumed.
constexpr auto queue_unless_paused = R"sql(
    INSERT INTO ready_task (task_id, run_at)
    SELECT task.id, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
    FROM task
    JOIN job ON job.id = task.job_id
    WHERE job.status = 'running' AND task.id IN )sql";

int execute_for(sql::Connection& connection, const char* statement, long long job) {
    const Prepared prepared(connection.prepareStatement(statement));
    prepared->setInt64(1, job);
    return prepared->executeUpdate();
}

Prepared prepared_for(sql::Connection& connection, const char* statement, long long job) {
    Prepared prepared(connection.prepareStatement(statement));
    prepared->setInt64(1, job);
    return prepared;
}

void queue_tasks(sql::Connection& connection, const std::string& tasks,
                 std::chrono::milliseconds run_in) {
    const Prepared insert(connection.prepareStatement(queue_unless_paused + ("(" + tasks + ")")));
    insert->setInt64(1, std::chrono::microseconds(run_in).count());
    insert->executeUpdate();
}

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
            // In a job that has failed there is no point in trying anything again.
            const bool ends = !failure->retry_in || ending_.contains(one->claim.job.value);
            if (ends) jobs.insert(one->claim.job.value);
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
    jobs.insert(aborted_.begin(), aborted_.end());
    end_succeeded(succeeded);
    const int released = release_followers(succeeded);
    end_jobs(jobs);
    return released;
}

std::vector<const Finished*> FinishBatch::still_ours(std::span<const Finished> finished) {
    if (finished.empty()) return {};
    const Rows jobs = select(
        connection_, "SELECT id, aborted, tasks_failed FROM job WHERE id IN (" +
                         id_list(finished, [](const Finished& f) { return f.claim.job.value; }) +
                         ") ORDER BY id FOR UPDATE");
    while (jobs->next()) {
        const long long id = jobs->getInt64("id");
        if (jobs->getBoolean("aborted")) aborted_.insert(id);
        if (aborted_.contains(id) || jobs->getInt("tasks_failed") > 0) ending_.insert(id);
    }
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
    const bool ending = ending_.contains(finished.claim.job.value);
    if (failed.retry_in && !ending && finished.claim.action == model::Action::confirm) {
        rebuild_machine(finished, failed);
        return;
    }
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

// The machine is deleted and made again before the next attempt; only what waits for it waits.
void FinishBatch::rebuild_machine(const Finished& finished, const Failed& failed) {
    const auto insert = [&](model::Action action, const char* state, int waits_for) {
        const Prepared task(connection_.prepareStatement(insert_task));
        task->setInt64(1, finished.claim.job.value);
        task->setInt64(2, finished.claim.node.value);
        task->setString(3, base::to_word(action));
        task->setString(4, state);
        task->setInt(5, waits_for);
        task->executeUpdate();
        const Rows row = select(connection_, "SELECT LAST_INSERT_ID()");
        row->next();
        return row->getInt64(1);
    };
    const std::string confirm = std::to_string(finished.claim.task.value);
    const std::string deletion = std::to_string(insert(model::Action::delete_machine, "ready", 0));
    const std::string creation = std::to_string(insert(model::Action::create, "blocked", 1));
    execute(connection_, "INSERT INTO task_edge (before_id, after_id) SELECT before_id, " +
                             deletion + " FROM task_edge WHERE after_id = " + confirm);
    execute(connection_, "INSERT INTO task_edge (before_id, after_id) VALUES (" + deletion + ", " +
                             creation + "), (" + creation + ", " + confirm + ")");
    const Prepared blocked(connection_.prepareStatement(blocked_again));
    blocked->setString(1, failed.message);
    blocked->setInt64(2, finished.claim.task.value);
    blocked->executeUpdate();
    execute(connection_, "UPDATE job SET tasks_total = tasks_total + 2 WHERE id = " +
                             std::to_string(finished.claim.job.value));
    queue_tasks(connection_, deletion, *failed.retry_in);
}

void FinishBatch::put_back(const Finished& finished, std::chrono::milliseconds run_in,
                           const std::string& message) {
    const Prepared task(connection_.prepareStatement(ready_again));
    task->setString(1, message);
    task->setInt64(2, finished.claim.task.value);
    task->executeUpdate();
    queue_tasks(connection_, std::to_string(finished.claim.task.value), run_in);
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
    queue_tasks(connection_, ids, std::chrono::milliseconds{0});
    return static_cast<int>(ready.size());
}

int FinishBatch::put_back_lost(const std::string& tasks) {
    const Rows rows = select(connection_,
                             "SELECT DISTINCT job.id FROM job JOIN task ON task.job_id = job.id "
                             "WHERE job.aborted AND task.id IN (" +
                                 tasks + ") FOR UPDATE");
    std::set<long long> aborted;
    while (rows->next()) aborted.insert(rows->getInt64(1));
    queue_tasks(connection_, tasks, std::chrono::milliseconds{0});
    const int count = execute(connection_,
                              "UPDATE task SET state = 'ready', claimed_until = NULL, "
                              "worker = NULL WHERE id IN (" +
                                  tasks + ")");
    end_jobs(aborted);
    return count;
}

model::JobTally FinishBatch::tally_of(long long job) {
    const Prepared counts = prepared_for(connection_, statements::select_counts, job);
    const Rows row(counts->executeQuery());
    row->next();
    model::JobTally tally{
        .operation = base::stored_word<model::Operation>(std::string(row->getString("operation"))),
        .total = row->getInt("tasks_total"),
        .done = row->getInt("tasks_done"),
        .failed = row->getInt("tasks_failed"),
        .aborted = row->getBoolean("aborted"),
    };
    return tally;
}

void FinishBatch::cancel_rest_of(long long job) {
    execute_for(connection_, statements::unqueue_tasks, job);
    execute_for(connection_, statements::end_waiting_attempts, job);
    execute_for(connection_, statements::cancel_waiting_tasks, job);
}

void FinishBatch::count_loose_ends(long long job, model::JobTally& tally) {
    const Prepared select = prepared_for(connection_, statements::select_loose_ends, job);
    const Rows row(select->executeQuery());
    row->next();
    tally.claimed = row->getInt("claimed");
    tally.only_refused_creates = row->getInt("uncertain") == 0;
}

std::string FinishBatch::first_failure_of(long long job) {
    const Prepared first = prepared_for(connection_, first_failure, job);
    const Rows row(first->executeQuery());
    if (!row->next()) return "";
    std::string message(row->getString("message"));
    const int others = row->getInt("failures") - 1;
    if (others > 0) message += " (and " + std::to_string(others) + " more)";
    return message;
}

void FinishBatch::end_job(long long job, const model::JobTally& tally, const model::JobEnd& end) {
    std::string message = model::message_of_end(tally, end);
    if (end.job == model::JobStatus::failed && message.empty()) message = first_failure_of(job);
    const auto set = [&](const char* statement, const std::string& status) {
        const Prepared update(connection_.prepareStatement(statement));
        update->setString(1, status);
        update->setString(2, message);
        update->setInt64(3, job);
        return update->executeUpdate();
    };
    if (set(statements::end_job, base::to_word(end.job)) == 0) return;
    set(statements::end_cluster, base::to_word(end.cluster));
    execute_for(connection_, statements::note_callback, job);
}

void FinishBatch::end_jobs(const std::set<long long>& jobs) {
    for (const long long job : jobs) {
        model::JobTally tally = tally_of(job);
        if (tally.failed > 0 || tally.aborted) {
            cancel_rest_of(job);
            count_loose_ends(job, tally);
        }
        const model::JobEnd end = model::end_of(tally);
        if (end.job != model::JobStatus::running) end_job(job, tally, end);
    }
}

}  // namespace provisioner::queue
