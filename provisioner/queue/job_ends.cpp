#include "provisioner/queue/job_ends.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>

#include <array>
#include <memory>
#include <string>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/statements/callback.hpp"
#include "provisioner/statements/job_end.hpp"

namespace provisioner::queue {

namespace {

using Prepared = std::unique_ptr<sql::PreparedStatement>;
using Rows = std::unique_ptr<sql::ResultSet>;

const auto first_failure = std::string(R"sql(
    SELECT CONCAT(task.action, IF(task.service = '', '', CONCAT(' ', task.service)), ' on ',
                  node.hostname, ': ', task.message) AS message,
           COUNT(*) OVER () AS failures
    FROM task
    JOIN node ON node.id = task.node_id
    WHERE task.job_id = ? AND )sql");

constexpr auto in_order_of_failure = R"sql(
    ORDER BY task.finished_at, task.id
    LIMIT 1
)sql";

// The second: cancelled while it waited for another attempt, which its job's end took away; people
// read it as failed (shown_state.hpp). Looked for only where no task has failed for good.
constexpr std::array failed_tasks{
    "task.state = 'failed'",
    "task.state = 'cancelled' AND task.attempt > task.attempts_offset AND "
    "(SELECT attempt.status = 'failed' AND attempt.status_code IS NOT NULL FROM attempt "
    " WHERE attempt.task_id = task.id AND attempt.number = task.attempt)"};

constexpr auto one_claimed_task = R"sql(
    SELECT task.id
    FROM task FORCE INDEX (task_claimed)
    WHERE task.claimed_until IS NOT NULL AND task.job_id = ?
    LIMIT 1
)sql";

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

}  // namespace

// Before: the jobs are locked and this transaction has written all ends, counters and releases.
// After: each job is ended, or it has something left to do whose end calls this again.
// A job that goes on badly needs two looks at claims: first a cheap one without locks, then one
// that locks its tasks. Two at once: the second batch of a job reads the counters after the first
// one's commit, so exactly one of them sees the last end.
void JobEnds::end(const std::set<long long>& jobs) {
    for (const long long job : jobs) {
        model::JobTally tally = tally_of(job);
        if (tally.ends_badly()) {
            cancel_rest_of(job);
            if (has_claimed_tasks(job)) continue;
            count_loose_ends(job, tally);
        }
        const model::JobEnd end = model::end_of(tally);
        if (end.job != model::JobStatus::running) end_job(job, tally, end);
    }
}

model::JobTally JobEnds::tally_of(long long job) {
    const Prepared counts = prepared_for(connection_, statements::select_counts, job);
    const Rows row(queue::select(*counts));
    row->next();
    model::JobTally tally{
        .operation = base::stored_word<model::Operation>(std::string(row->getString("operation"))),
        .total = row->getInt("tasks_total"),
        .done = row->getInt("tasks_done"),
        .failed = row->getInt("tasks_failed"),
        .left = row->getInt("tasks_left"),
        .aborted = row->getBoolean("aborted"),
    };
    return tally;
}

// Before: the job's lock is held and the job goes on badly. After: nothing of it waits that a
// worker need not have again. The first failure's batch, or the abort, has cancelled all that
// waited then; since then only tasks put back can wait. So the tasks of a job of 100,000 are read
// once. Two at once: a claimer that has locked a task makes this statement wait; the task is then
// claimed and its end calls this again.
void JobEnds::cancel_rest_of(long long job) {
    if (!ending_.contains(job)) return cancel("", job);
    const auto waiting = put_back_.find(job);
    if (waiting == put_back_.end()) return;
    in_parts(waiting->second, [&](std::span<const long long> part) {
        cancel(" AND task.id IN (" + id_list(part) + ")", job);
    });
}

// The order matters: an attempt that ends here makes its task one without an attempt in progress.
// Only such tasks are taken out of the head and cancelled. In an aborted job, tasks keep their
// attempt when a step may be under way on their node, and their next turn stops it.
// Two at once: a task taken from the head by a claimer is locked; this waits or is rolled back.
void JobEnds::cancel(const std::string& which, long long job) {
    for (const char* statement : {statements::end_waiting_attempts, statements::unqueue_ended_tasks,
                                  statements::cancel_waiting_tasks}) {
        execute_for(connection_, (statement + which).c_str(), job);
    }
}

// Cheap: the index of claimed tasks is short, however many tasks the job has. True is final: the
// end of that claim looks at the job again. False is not: a claim that is being made at this moment
// is not visible here. count_loose_ends() waits for it.
bool JobEnds::has_claimed_tasks(long long job) {
    const Prepared select = prepared_for(connection_, one_claimed_task, job);
    const Rows row(queue::select(*select));
    return row->next();
}

// Locks every task of the job. A claimer that has raised a fence therefore commits before the
// count; a later one finds no task of this job in the head. After: `claimed` counts tasks that a
// worker has or must have again. With 0 nothing of the job can begin before the commit.
void JobEnds::count_loose_ends(long long job, model::JobTally& tally) {
    const Prepared select = prepared_for(connection_, statements::select_loose_ends, job);
    const Rows row(queue::select(*select));
    row->next();
    tally.claimed = row->getInt("claimed");
    tally.only_refused_creates = row->getInt("uncertain") == 0;
}

std::string JobEnds::first_failure_of(long long job) {
    for (const char* failed : failed_tasks) {
        const std::string statement = first_failure + failed + in_order_of_failure;
        const Prepared first = prepared_for(connection_, statement.c_str(), job);
        const Rows row(queue::select(*first));
        if (!row->next()) continue;
        std::string message(row->getString("message"));
        const int others = row->getInt("failures") - 1;
        if (others > 0) message += " (and " + std::to_string(others) + " more)";
        return message;
    }
    return model::left_out_message;
}

// Before: the job's lock is held and no worker has any task of it. After: job, cluster, machine
// spans and the callback say the same, because one transaction writes them. The job is ended first:
// its row count tells whether it had ended before, and end_cluster reads its new status. Two at
// once: the cluster is locked after the job, as store::hold_cluster does; a job that a person ended
// meanwhile changes 0 rows, and then its cluster is left alone.
void JobEnds::end_job(long long job, const model::JobTally& tally, const model::JobEnd& end) {
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
    set(statements::end_cluster.c_str(), base::to_word(end.cluster));
    for (const char* statement : statements::end_nodes) execute_for(connection_, statement, job);
    if (model::may_change_stopped(tally.operation)) {
        for (const char* statement : statements::keep_stopped) {
            execute_for(connection_, statement, job);
        }
    }
    if (end.cluster == model::ClusterStatus::terminated) {
        execute_for(connection_, statements::close_cluster, job);
        execute_for(connection_, statements::end_spans_of_cluster, job);
    }
    execute_for(connection_, statements::note_callback, job);
}

}  // namespace provisioner::queue
