#include "provisioner/queue/finish_batch.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <map>
#include <memory>
#include <unordered_map>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/statements/callback.hpp"
#include "provisioner/statements/job_end.hpp"
#include "provisioner/statements/ready_task.hpp"

namespace provisioner::queue {

namespace {

using Prepared = std::unique_ptr<sql::PreparedStatement>;
using Rows = std::unique_ptr<sql::ResultSet>;

std::string tasks_in(const std::vector<const Finished*>& finished) {
    return id_list(finished, [](const Finished* one) { return one->claim.task.value; });
}

// `?`: [{"id":..., "results":"...", "addresses":"...", "hostname":"..."}, ...], the first three
// texts as they are stored.
constexpr auto update_nodes = R"sql(
    UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
               id BIGINT PATH '$.id', results LONGTEXT PATH '$.results',
               addresses LONGTEXT PATH '$.addresses', job BIGINT PATH '$.job',
               hostname VARCHAR(255) PATH '$.hostname')) AS fresh
    STRAIGHT_JOIN node ON node.id = fresh.id
    JOIN job ON job.id = fresh.job
    SET node.changed_in = job.node_changes,
        node.results = fresh.results,
        node.addresses = IF(fresh.addresses = '', node.addresses, fresh.addresses),
        node.hostname = IF(fresh.hostname = '', node.hostname, fresh.hostname)
)sql";

const std::string end_spans =
    "UPDATE machine_span SET ended_at = UTC_TIMESTAMP(6) WHERE ended_at IS NULL AND node_id IN ";

const std::string begin_spans = R"sql(
    INSERT INTO machine_span (node_id, began_at, tenant_id, cluster_id, owner, cluster_template)
    SELECT node.id, UTC_TIMESTAMP(6), cluster.tenant_id, cluster.id, cluster.owner,
           COALESCE(JSON_UNQUOTE(JSON_EXTRACT(cluster.headers, '$.clusterTemplate.name')), '')
    FROM node
    JOIN cluster ON cluster.id = node.cluster_id
    WHERE node.id IN )sql";

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

// The same `?`. Tasks of a paused job stay out of the queue's head until it is resumed.
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

// `?`: [{"id":..., "outage":"none", "begins" or "goes_on"}, ...]. An outage lasts until the other
// side answers.
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

constexpr auto one_claimed_task = R"sql(
    SELECT task.id
    FROM task FORCE INDEX (task_claimed)
    WHERE task.claimed_until IS NOT NULL AND task.job_id = ?
    LIMIT 1
)sql";

// Tasks of a paused job stay out of the queue's head until it is resumed.
const std::string queue_unless_paused =
    statements::queue_tasks_from("UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND", R"sql(
    FROM task
    JOIN node ON node.id = task.node_id
    JOIN job ON job.id = task.job_id
    JOIN cluster ON cluster.id = job.cluster_id
    WHERE job.status = 'running' AND task.id IN )sql");

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

void execute_with(sql::Connection& connection, const std::string& statement,
                  const std::string& text) {
    const Prepared prepared(connection.prepareStatement(statement));
    prepared->setString(1, text);
    prepared->executeUpdate();
}

/// Calls `use` with JSON arrays of all elements, none much longer than one_packet.
template <class Use>
void in_packets(const std::vector<base::Json>& elements, Use&& use) {
    std::string text;
    for (const base::Json& element : elements) {
        text += (text.empty() ? "[" : ",") + base::to_text(element);
        if (text.size() < one_packet) continue;
        use(text + "]");
        text.clear();
    }
    if (!text.empty()) use(text + "]");
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
        if (std::holds_alternative<Succeeded>(one->outcome)) {
            succeeded.push_back(one);
            jobs.insert(one->claim.job.value);
        } else if (const auto* failure = std::get_if<Failed>(&one->outcome)) {
            end_failed(*one, *failure);
            // In a job that has failed there is no point in trying anything again.
            const bool ends = !failure->retry_in || ending_.contains(one->claim.job.value);
            if (ends) jobs.insert(one->claim.job.value);
        } else {
            const auto& waiting = std::get<Waiting>(one->outcome);
            may_wait_[one->claim.job.value].push_back(one->claim.task.value);
            if (ending_.contains(one->claim.job.value)) jobs.insert(one->claim.job.value);
            put_back_.push_back({.task = one->claim.task.value,
                                 .wait = waiting.poll_in,
                                 .message = waiting.reason});
            const bool was_away = one->claim.outage != OutageSoFar{};
            if (was_away || waiting.outage != Outage::none) {
                outages_.push_back(
                    {{"id", one->claim.task.value}, {"outage", base::to_word(waiting.outage)}});
            }
        }
    }
    jobs.insert(aborted_.begin(), aborted_.end());
    forget_output(ours);
    if (!outages_.empty()) execute_with(connection_, note_outages, base::to_text(outages_));
    put_back();
    store_node_facts(succeeded);
    end_succeeded(succeeded);
    const int released = release_followers(succeeded);
    end_jobs(jobs);
    return released;
}

std::vector<const Finished*> FinishBatch::still_ours(std::span<const Finished> finished) {
    if (finished.empty()) return {};
    std::set<long long> ids;
    for (const Finished& one : finished) ids.insert(one.claim.job.value);
    const Rows jobs =
        select(connection_, "SELECT id, aborted, tasks_failed FROM job WHERE id IN (" +
                                id_list(ids, [](long long id) { return id; }) +
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
    std::unordered_map<long long, long long> fences;
    while (rows->next()) fences[rows->getInt64("id")] = rows->getInt64("fence");

    std::vector<const Finished*> ours;
    for (const Finished& one : finished) {
        const auto found = fences.find(one.claim.task.value);
        if (found == fences.end() || found->second != one.claim.fence) continue;
        ours.push_back(&one);
        // Who tells the end of a claim twice is counted once.
        fences.erase(found);
    }
    return ours;
}

// What is told from its beginning again must not be there twice.
void FinishBatch::forget_output(const std::vector<const Finished*>& ours) {
    std::string attempts;
    for (const Finished* one : ours) {
        const auto* waiting = std::get_if<Waiting>(&one->outcome);
        if (waiting == nullptr || !waiting->output_starts_over) continue;
        if (!attempts.empty()) attempts += ", ";
        attempts += "(" + std::to_string(one->claim.task.value) + ", " +
                    std::to_string(one->claim.attempt) + ")";
    }
    if (attempts.empty()) return;
    execute(connection_,
            "DELETE FROM transcript WHERE stream <> 'note' AND (task_id, attempt) IN (" + attempts +
                ")");
}

void FinishBatch::store_node_facts(const std::vector<const Finished*>& succeeded) {
    struct Facts {
        base::Json results;
        std::string addresses;
        std::string hostname;
        long long job = 0;
    };
    std::map<long long, Facts> nodes;
    std::set<long long> jobs;
    for (const Finished* one : succeeded) {
        const auto& success = std::get<Succeeded>(one->outcome);
        const bool nothing_new =
            success.facts.empty() && success.addresses.empty() && success.hostname.empty();
        if (nothing_new) continue;
        nodes[one->claim.node.value].job = one->claim.job.value;
        jobs.insert(one->claim.job.value);
    }
    if (nodes.empty()) return;
    execute(connection_, "UPDATE job SET node_changes = node_changes + 1 WHERE id IN (" +
                             id_list(jobs, [](long long id) { return id; }) + ")");
    const Rows rows =
        select(connection_, "SELECT id, results FROM node WHERE id IN (" +
                                id_list(nodes, [](const auto& n) { return n.first; }) +
                                ") ORDER BY id FOR UPDATE");
    while (rows->next()) {
        nodes[rows->getInt64("id")].results =
            base::parse_json(std::string(rows->getString("results")))
                .value_or(base::Json::object());
    }
    for (const Finished* one : succeeded) {
        const auto found = nodes.find(one->claim.node.value);
        if (found == nodes.end()) continue;
        const auto& success = std::get<Succeeded>(one->outcome);
        Facts& facts = found->second;
        facts.results.update(success.facts);
        if (!success.addresses.empty()) {
            facts.addresses = base::to_text(base::Json(success.addresses));
        }
        if (!success.hostname.empty()) facts.hostname = success.hostname;
    }
    std::vector<base::Json> fresh;
    for (const auto& [id, facts] : nodes) {
        fresh.push_back({{"id", id},
                         {"job", facts.job},
                         {"results", base::to_text(facts.results)},
                         {"addresses", facts.addresses},
                         {"hostname", facts.hostname}});
    }
    in_packets(fresh,
               [&](const std::string& text) { execute_with(connection_, update_nodes, text); });
}

// From when to when machines were there, for reports of usage.
void FinishBatch::note_machines(const std::vector<const Finished*>& succeeded) {
    std::vector<long long> made;
    std::vector<long long> deleted;
    for (const Finished* one : succeeded) {
        if (one->claim.action == model::Action::create) made.push_back(one->claim.node.value);
        if (one->claim.action == model::Action::delete_machine) {
            deleted.push_back(one->claim.node.value);
        }
    }
    in_parts(deleted, [&](std::span<const long long> part) {
        execute(connection_, end_spans + ("(" + id_list(part) + ")"));
    });
    in_parts(made, [&](std::span<const long long> part) {
        execute(connection_, begin_spans + ("(" + id_list(part) + ")"));
    });
}

void FinishBatch::end_succeeded(const std::vector<const Finished*>& succeeded) {
    if (succeeded.empty()) return;
    note_machines(succeeded);
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
        may_wait_[finished.claim.job.value].push_back(finished.claim.task.value);
        put_back_.push_back({.task = finished.claim.task.value,
                             .wait = *failed.retry_in,
                             .message = failed.message});
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

void FinishBatch::put_back() {
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

// Edges lead from task to task of one job, and the job's row is locked: nobody else counts here.
int FinishBatch::release_followers(const std::vector<const Finished*>& succeeded) {
    if (succeeded.empty()) return 0;
    const Rows rows =
        select(connection_,
               "SELECT edge.after_id, edge.finished, task.waits_for, task.state FROM "
               "(SELECT after_id, COUNT(*) AS finished FROM task_edge WHERE before_id "
               "IN (" +
                   tasks_in(succeeded) +
                   ") GROUP BY after_id) AS edge JOIN task ON task.id = edge.after_id");
    std::vector<long long> ready;
    std::map<int, std::vector<long long>> still_waiting;
    while (rows->next()) {
        const long long task = rows->getInt64("after_id");
        const int finished = rows->getInt("finished");
        const bool is_last = rows->getInt("waits_for") == finished;
        const bool blocked = rows->getString("state") == "blocked";
        if (is_last && blocked) {
            ready.push_back(task);
        } else {
            still_waiting[finished].push_back(task);
        }
    }
    for (const auto& [finished, tasks] : still_waiting) {
        in_parts(tasks, [&, count = finished](std::span<const long long> part) {
            execute(connection_, "UPDATE task SET waits_for = waits_for - " +
                                     std::to_string(count) + " WHERE id IN (" + id_list(part) +
                                     ")");
        });
    }
    in_parts(ready, [&](std::span<const long long> part) {
        const std::string ids = id_list(part);
        execute(connection_,
                "UPDATE task SET waits_for = 0, state = 'ready' WHERE id IN (" + ids + ")");
        queue_tasks(connection_, ids, std::chrono::milliseconds{0});
    });
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
                              "held_for = NULL, worker = NULL WHERE id IN (" +
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

// The batch that saw the job's first failure, or the person who aborted it, has cancelled what
// waited: since then only what is put back can wait. So a job of 100,000 tasks is read once.
void FinishBatch::cancel_rest_of(long long job) {
    if (!ending_.contains(job)) return cancel("", job);
    in_parts(may_wait_[job], [&](std::span<const long long> part) {
        cancel(" AND task.id IN (" + id_list(part) + ")", job);
    });
}

void FinishBatch::cancel(const std::string& which, long long job) {
    for (const char* statement : {statements::end_waiting_attempts, statements::unqueue_ended_tasks,
                                  statements::cancel_waiting_tasks}) {
        execute_for(connection_, (statement + which).c_str(), job);
    }
}

// By the index of what is claimed, which is short. Whoever claims at this moment is seen by
// count_loose_ends(), which waits for them.
bool FinishBatch::has_claimed_tasks(long long job) {
    const Prepared select = prepared_for(connection_, one_claimed_task, job);
    const Rows row(select->executeQuery());
    return row->next();
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
    if (end.cluster == model::ClusterStatus::terminated) {
        execute_for(connection_, statements::close_cluster, job);
        execute_for(connection_, statements::end_spans_of_cluster, job);
    }
    execute_for(connection_, statements::note_callback, job);
}

void FinishBatch::end_jobs(const std::set<long long>& jobs) {
    for (const long long job : jobs) {
        model::JobTally tally = tally_of(job);
        if (tally.failed > 0 || tally.aborted) {
            cancel_rest_of(job);
            if (has_claimed_tasks(job)) continue;
            count_loose_ends(job, tally);
        }
        const model::JobEnd end = model::end_of(tally);
        if (end.job != model::JobStatus::running) end_job(job, tally, end);
    }
}

}  // namespace provisioner::queue
