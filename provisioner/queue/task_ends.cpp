#include "provisioner/queue/task_ends.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>

#include <map>
#include <memory>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/queue_head.hpp"
#include "provisioner/statements/ready_task.hpp"

namespace provisioner::queue {

namespace {

using Prepared = std::unique_ptr<sql::PreparedStatement>;
using Rows = std::unique_ptr<sql::ResultSet>;

constexpr auto fail_attempt = R"sql(
    UPDATE attempt
    SET status = 'failed', status_code = ?, stdout = ?, stderr = ?, finished_at = UTC_TIMESTAMP(6)
    WHERE task_id = ? AND number = ?
)sql";

constexpr auto fail_task = R"sql(
    UPDATE task
    SET state = 'failed', claimed_until = NULL, held_for = NULL, worker = NULL, message = ?,
        finished_at = UTC_TIMESTAMP(6)
    WHERE id = ?
)sql";

// `?`: [{"id":..., "message":"...", "wait":microseconds}, ...].
constexpr auto ready_again = R"sql(
    UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
               id BIGINT PATH '$.id', message TEXT PATH '$.message')) AS fresh
    STRAIGHT_JOIN task ON task.id = fresh.id
    SET task.state = 'ready', task.claimed_until = NULL, task.held_for = NULL,
        task.worker = NULL, task.message = fresh.message
)sql";

// The same `?`. Tasks of a paused job are not queued: resuming the job queues them.
const std::string queue_again =
    statements::queue_tasks_from("UTC_TIMESTAMP(6) + INTERVAL fresh.wait MICROSECOND", R"sql(
    FROM JSON_TABLE(?, '$[*]' COLUMNS (
             id BIGINT PATH '$.id', wait BIGINT PATH '$.wait')) AS fresh
    STRAIGHT_JOIN task ON task.id = fresh.id
    JOIN node ON node.id = task.node_id
    JOIN job ON job.id = task.job_id
    JOIN cluster ON cluster.id = job.cluster_id
    WHERE job.status = 'running'
)sql");

// `?`: [{"id":..., "outage":"none", "begins" or "goes_on"}, ...]. Turns of several daemons add up
// here, so the times are the database's. Only a turn that reached the other side ends an outage.
constexpr auto note_outages = R"sql(
    UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
               id BIGINT PATH '$.id', outage VARCHAR(8) PATH '$.outage')) AS fresh
    STRAIGHT_JOIN task ON task.id = fresh.id
    JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt
    SET attempt.outage_since = CASE fresh.outage
            WHEN 'none' THEN NULL
            WHEN 'begins' THEN UTC_TIMESTAMP(6)
            ELSE COALESCE(attempt.outage_since, UTC_TIMESTAMP(6)) END,
        attempt.outage_turns = CASE fresh.outage
            WHEN 'none' THEN 0
            WHEN 'begins' THEN 1
            ELSE attempt.outage_turns + 1 END
)sql";

constexpr auto blocked_again = R"sql(
    UPDATE task
    SET state = 'blocked', waits_for = 1, claimed_until = NULL, held_for = NULL, worker = NULL,
        message = ?
    WHERE id = ?
)sql";

constexpr auto insert_task = R"sql(
    INSERT INTO task (job_id, node_id, action, service, state, waits_for, attempt, fence, message)
    VALUES (?, ?, ?, '', ?, ?, 0, 0, '')
)sql";

std::string tasks_in(const std::vector<const Finished*>& finished) {
    return id_list(finished, [](const Finished* one) { return one->claim.task.value; });
}

}  // namespace

// Before: each task is claimed by us and locked. After: tasks are done, their latest attempts are
// complete, and tasks_done of each job has grown by the number of its tasks. Dependents still wait:
// release_followers() comes next. Two at once: a task is in one batch only, and the job's lock
// keeps two batches from adding to one counter at the same time.
void TaskEnds::succeed(const std::vector<const Finished*>& succeeded) {
    if (succeeded.empty()) return;
    const std::string tasks = tasks_in(succeeded);
    execute(
        connection_,
        "UPDATE attempt JOIN task ON task.id = attempt.task_id AND task.attempt = attempt.number "
        "SET attempt.status = 'complete', attempt.status_code = 0, "
        "attempt.finished_at = UTC_TIMESTAMP(6) WHERE task.id IN (" +
            tasks + ")");
    execute(connection_,
            "UPDATE task SET state = 'done', claimed_until = NULL, held_for = NULL, worker = NULL, "
            "message = '', finished_at = UTC_TIMESTAMP(6) WHERE id IN (" +
                tasks + ")");
    std::map<long long, int> done;
    for (const Finished* one : succeeded) ++done[one->claim.job.value];
    for (const auto& [job, count] : done) {
        execute(connection_, "UPDATE job SET tasks_done = tasks_done + " + std::to_string(count) +
                                 " WHERE id = " + std::to_string(job));
    }
}

// Before: the task is claimed by us. After: its attempt has failed, and the task is failed and
// counted, noted for put_back(), or blocked behind a new machine. The attempt ends in every case:
// a task without an attempt in progress begins a new one with its next claim.
// In a job that goes on badly a retry is only noted: JobEnds cancels it in this transaction.
void TaskEnds::fail(const Finished& finished, const Failed& failed) {
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
        run_again(finished, *failed.retry_in, failed.message);
        return;
    }
    const Prepared task(connection_.prepareStatement(fail_task));
    task->setString(1, failed.message);
    task->setInt64(2, finished.claim.task.value);
    task->executeUpdate();
    execute(connection_, "UPDATE job SET tasks_failed = tasks_failed + 1 WHERE id = " +
                             std::to_string(finished.claim.job.value));
}

// The attempt stays in progress, so the next claim goes on with it under a higher fence. An outage
// is written when this turn reports one, or when earlier turns stored one that has to end or to
// grow.
void TaskEnds::wait(const Finished& finished, const Waiting& waiting) {
    const Claim& claim = finished.claim;
    run_again(finished, waiting.poll_in, waiting.reason);
    const bool was_away = claim.outage != OutageSoFar{};
    if (was_away || waiting.outage != Outage::none) {
        outages_.push_back({{"id", claim.task.value}, {"outage", base::to_word(waiting.outage)}});
    }
    if (!waiting.output_starts_over) return;
    output_starts_over_ += output_starts_over_.empty() ? "" : ", ";
    output_starts_over_ +=
        "(" + std::to_string(claim.task.value) + ", " + std::to_string(claim.attempt) + ")";
}

void TaskEnds::run_again(const Finished& finished, std::chrono::milliseconds in,
                         const std::string& message) {
    const long long task = finished.claim.task.value;
    put_back_.push_back({.task = task, .wait = in, .message = message});
    put_back_tasks_[finished.claim.job.value].push_back(task);
}

// Before: every noted task is claimed by us and locked. After: the tasks are ready and unclaimed,
// and those of running jobs are in the queue's head. State and head change in one transaction: a
// task that is ready but not queued would never be claimed. Two at once: a claimer sees the new
// rows of ready_task only after the commit, together with the state it checks.
void TaskEnds::put_back() {
    // The next turn stores this output again; what is stored already would then be there twice.
    if (!output_starts_over_.empty()) {
        execute(connection_,
                "DELETE FROM transcript WHERE stream <> 'note' AND (task_id, attempt) IN (" +
                    output_starts_over_ + ")");
    }
    if (!outages_.empty()) execute_with(connection_, note_outages, base::to_text(outages_));
    std::vector<base::Json> fresh;
    for (const PutBack& one : put_back_) {
        fresh.push_back({{"id", one.task},
                         {"message", one.message},
                         {"wait", std::chrono::microseconds(one.wait).count()}});
    }
    in_packets(fresh, [&](const std::string& text) {
        execute_with(connection_, ready_again, text);
        execute_with(connection_, queue_again, text);
    });
    put_back_.clear();
}

// Before: a confirm failed with tries left, and its job goes on well. After: delete -> create ->
// confirm, with two tasks more in the job; the confirm is blocked by one predecessor, so its
// dependents keep waiting. The delete inherits the confirm's predecessors, all done, so that it
// follows them in the graph. Two at once: waits_for and tasks_total change under the job's lock
// only, and nobody can claim the new tasks before the commit.
void TaskEnds::rebuild_machine(const Finished& finished, const Failed& failed) {
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

}  // namespace provisioner::queue
