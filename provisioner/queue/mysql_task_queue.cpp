#include "provisioner/queue/mysql_task_queue.hpp"

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <algorithm>
#include <iterator>
#include <thread>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/finish_batch.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/queue/output_rows.hpp"
#include "provisioner/queue/tenant_shares.hpp"
#include "provisioner/statements/database_errors.hpp"

namespace provisioner::queue {

namespace {

using Prepared = std::unique_ptr<sql::PreparedStatement>;
using Rows = std::unique_ptr<sql::ResultSet>;
using statements::ErrorKind;

constexpr int max_tries = 5;

// Raises the fence of each task taken: from the commit on, every earlier claim of it is invalid. An
// attempt that is in progress goes on; otherwise the next one begins.
constexpr auto mark_claimed = R"sql(
    UPDATE task
    LEFT JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt
                     AND attempt.status = 'in_progress'
    SET task.state = 'claimed', task.fence = task.fence + 1, task.worker = ?,
        task.claimed_until = UTC_TIMESTAMP(6) + INTERVAL ? SECOND,
        task.started_at = COALESCE(task.started_at, UTC_TIMESTAMP(6)),
        task.attempt = task.attempt + (attempt.task_id IS NULL)
    WHERE task.state = 'ready' AND task.id IN )sql";

constexpr auto begin_attempts = R"sql(
    INSERT INTO attempt (task_id, number, worker, status, started_at)
    SELECT id, attempt, worker, 'in_progress', UTC_TIMESTAMP(6)
    FROM task
    WHERE state = 'claimed' AND id IN (%)
    ON DUPLICATE KEY UPDATE worker = VALUES(worker)
)sql";

constexpr auto select_claimed = R"sql(
    SELECT task.id, task.job_id, cluster.tenant_id, job.cluster_id, task.node_id, task.action, task.service,
           task.attempt, task.attempts_offset, task.fence, job.aborted,
           job.request,
           TIMESTAMPDIFF(MICROSECOND, attempt.started_at, UTC_TIMESTAMP(6)) DIV 1000 AS age,
           COALESCE(TIMESTAMPDIFF(MICROSECOND, attempt.outage_since, UTC_TIMESTAMP(6)) DIV 1000, 0)
               AS outage_age,
           attempt.outage_turns
    FROM task
    JOIN job ON job.id = task.job_id
    JOIN cluster ON cluster.id = job.cluster_id
    JOIN attempt ON attempt.task_id = task.id AND attempt.number = task.attempt
    WHERE task.state = 'claimed' AND task.id IN (%)
    ORDER BY task.id
)sql";

// `?`: "instance/", twice; the worker itself, twice; whether claims of other daemons count; the
// limit. Claims of earlier lives of this daemon count at once, others when they have run out: this
// life holds the instance lock, so the earlier ones are dead. SKIP LOCKED, because a locked claim
// is being ended or renewed, and a rescue must not wait for it.
constexpr auto select_lost = R"sql(
    SELECT id, fence, worker
    FROM task
    WHERE (claimed_until IS NOT NULL AND LEFT(worker, CHAR_LENGTH(?)) = ? AND worker <> ?)
       OR (claimed_until < UTC_TIMESTAMP(6) AND (worker = ? OR ?))
    ORDER BY id
    LIMIT ?
    FOR UPDATE SKIP LOCKED
)sql";

/// Most tasks that one rescue puts back.
constexpr std::size_t rescued_at_once = 1000;
/// After a slower answer claims of other daemons are left alone: the database stood still, so they
/// could not renew either.
constexpr std::chrono::seconds late_answer{3};

constexpr auto upsert_daemon = R"sql(
    INSERT INTO daemon (instance, pid, capacity, running, metrics, started_at, heartbeat_at)
    VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))
    ON DUPLICATE KEY UPDATE
        started_at = IF(pid = VALUES(pid), started_at, VALUES(started_at)),
        pid = VALUES(pid), capacity = VALUES(capacity), running = VALUES(running),
        metrics = VALUES(metrics), heartbeat_at = VALUES(heartbeat_at)
)sql";

constexpr auto update_daemon_version = R"sql(
    UPDATE daemon
    SET version = ?
    WHERE instance = ? AND version <> ?
)sql";

/// Whether the schema has the column: during an upgrade a program may run before the migration, and
/// must keep its claims.
bool has_versions(sql::Connection& connection) {
    const Prepared select(connection.prepareStatement("SHOW COLUMNS FROM daemon LIKE 'version'"));
    const Rows rows(queue::select(*select));
    return rows->next();
}

std::string with_ids(std::string_view statement, const std::string& ids) {
    std::string text(statement);
    return text.replace(text.find('%'), 1, ids);
}

Claim read_claim(sql::ResultSet& row) {
    return {
        .task = model::TaskId{row.getInt64("id")},
        .job = model::JobId{row.getInt64("job_id")},
        .tenant = model::TenantId{row.getInt64("tenant_id")},
        .cluster = model::ClusterId{row.getInt64("cluster_id")},
        .node = model::NodeId{row.getInt64("node_id")},
        .action = base::stored_word<model::Action>(std::string(row.getString("action"))),
        .service = std::string(row.getString("service")),
        .attempt = row.getInt("attempt"),
        .attempts_offset = row.getInt("attempts_offset"),
        .fence = row.getInt64("fence"),
        .attempt_age = std::chrono::milliseconds{row.getInt64("age")},
        .outage = {.age = std::chrono::milliseconds{row.getInt64("outage_age")},
                   .turns = row.getInt("outage_turns")},
        .aborted = row.getBoolean("aborted"),
        .request = std::string(row.getString("request")),
    };
}

/// Whether a person took the daemon of this worker out.
bool drains(sql::Connection& connection, const std::string& worker) {
    const Prepared select(
        connection.prepareStatement("SELECT instance FROM daemon WHERE instance = ? AND drains"));
    select->setString(1, worker.substr(0, worker.rfind('/')));
    const Rows rows(queue::select(*select));
    return rows->next();
}

/// Rows of select_lost without claims the rescuer has in flight and, unless `of_others`, without
/// those of other daemons. At most rescued_at_once.
std::vector<long long> lost_ids(sql::ResultSet& rows, const Rescuer& rescuer, bool of_others) {
    std::set<std::pair<long long, long long>> held;
    for (const Claim& claim : rescuer.in_flight) held.emplace(claim.task.value, claim.fence);
    std::vector<long long> ids;
    while (rows.next() && ids.size() < rescued_at_once) {
        const long long id = rows.getInt64("id");
        const std::string worker(rows.getString("worker"));
        const bool at_work =
            worker == rescuer.worker && held.contains({id, rows.getInt64("fence")});
        const bool is_ours = worker.starts_with(rescuer.instance + "/");
        if (!at_work && (is_ours || of_others)) ids.push_back(id);
    }
    return ids;
}

std::string json_of(const std::set<std::string>& offered) {
    return offered.empty() ? "" : base::to_text(base::Json(offered));
}

}  // namespace

struct MysqlTaskQueue::Connected {
    std::unique_ptr<sql::Connection> connection;
};

MysqlTaskQueue::MysqlTaskQueue(base::Config config, const std::set<std::string>& offered,
                               std::chrono::seconds limit)
    : config_(std::move(config)),
      limit_(limit),
      offered_(json_of(offered)),
      daily_output_(std::int64_t{config_.number_or("output.daily_mib", 4096)} << 20) {}
MysqlTaskQueue::~MysqlTaskQueue() = default;

// Before: no transaction is open on the connection. After: `work` is committed, or QueueError is
// thrown and the connection is gone. A lost answer to COMMIT leaves open which; fences make another
// run safe. The same for any other exception: the next START TRANSACTION would commit the half.
// Two at once: the server rolls one of two deadlocked transactions back, and only it runs again.
// Retries end early, because callers hold claims that run out meanwhile.
template <class Work>
auto MysqlTaskQueue::in_transaction(Work&& work) {
    const auto began = base::BootClock::now();
    for (int tries = 1;; ++tries) {
        try {
            if (!connected_) {
                connected_ = std::make_unique<Connected>();
                connected_->connection = connect(config_, limit_);
            }
            sql::Connection& connection = *connected_->connection;
            // As statements: setAutoCommit() and commit() of the connector hide that they failed.
            // A worker would then work on a claim that no database has.
            execute(connection, "START TRANSACTION");
            auto result = work(connection);
            execute(connection, "COMMIT");
            return result;
        } catch (const sql::SQLException& error) {
            const ErrorKind kind = statements::kind_of(error.getErrorCode());
            // The state of its transaction is unknown, so the connection is closed in any case.
            connected_.reset();
            const int most = limit_ < statement_limit ? 1 : max_tries;
            // A deadlock is reported at once, a lock time-out after half of the limit: only the
            // first is worth another run.
            const bool has_time = base::BootClock::now() - began < limit_ / 4;
            if (kind == ErrorKind::rolled_back && tries < most && has_time) continue;
            throw QueueError(error.what(), kind);
        } catch (const std::exception& error) {
            connected_.reset();
            throw QueueError(error.what(), ErrorKind::broken);
        }
    }
}

// After: each returned task is claimed by `worker` with a new fence and an attempt in progress. It
// is out of the queue's head and counts for its tenant's limit. The claims hold from the commit
// on; when its answer is lost, rescue() takes them back once they have run out.
// Two at once: SKIP LOCKED keeps the tasks of two claimers apart. The job is not locked: an abort
// or pause locks the tasks, so it comes before or after, or one of the two is rolled back (1213).
std::vector<Claim> MysqlTaskQueue::claim_except(const std::set<model::TenantId>& tenants,
                                                const std::string& worker, int limit,
                                                std::chrono::seconds hold) {
    return in_transaction([&](sql::Connection& connection) -> std::vector<Claim> {
        is_draining_ = drains(connection, worker);
        if (is_draining_) return {};
        TenantShares shares(connection, last_served_, offered_);
        const ClaimedIds claimed = shares.take(limit, tenants);
        if (claimed.all.empty()) return {};
        const std::string ids = id_list(claimed.all);
        const Prepared mark(
            connection.prepareStatement(std::string(mark_claimed) + "(" + ids + ")"));
        mark->setString(1, worker);
        mark->setInt64(2, hold.count());
        mark->executeUpdate();
        for (const auto& [tenant, held] : claimed.of_limited) {
            execute(connection, "UPDATE task SET held_for = " + std::to_string(tenant.value) +
                                    " WHERE state = 'claimed' AND id IN (" + id_list(held) + ")");
        }
        execute(connection, with_ids(begin_attempts, ids));
        const Rows rows = select(connection, with_ids(select_claimed, ids));
        std::vector<Claim> claims;
        while (rows->next()) claims.push_back(read_claim(*rows));
        return claims;
    });
}

std::optional<std::chrono::milliseconds> MysqlTaskQueue::next_due() {
    using Due = std::optional<std::chrono::milliseconds>;
    // Nothing is due for who claims nothing; the claimer asks again after its idle pause.
    if (is_draining_) return std::nullopt;
    return in_transaction([&](sql::Connection& connection) -> Due {
        const auto due = TenantShares(connection, last_served_, offered_).next_due();
        if (!due) return std::nullopt;
        return std::chrono::ceil<std::chrono::milliseconds>(*due);
    });
}

// Before: claims this daemon believes to have. After: those with the latest fence hold `hold`
// longer; all others are lost and not returned. (id, fence) must match: a task rescued and claimed
// again, even by this daemon, is another claim. Two at once: an end or a rescue of the same task
// commits first and the claim is not renewed, or waits for this short transaction.
std::vector<Claim> MysqlTaskQueue::renew(const std::vector<Claim>& claims,
                                         std::chrono::seconds hold) {
    std::vector<Claim> ours;
    // A transaction for each part: a locked row delays the renewal of its own part only.
    in_parts(claims, [&](std::span<const Claim> part) {
        in_transaction([&](sql::Connection& connection) {
            std::string pairs;
            for (const Claim& claim : part) {
                if (!pairs.empty()) pairs += ", ";
                pairs += "(" + std::to_string(claim.task.value) + ", " +
                         std::to_string(claim.fence) + ")";
            }
            const std::string held = " WHERE state = 'claimed' AND (id, fence) IN (" + pairs + ")";
            const int renewed =
                execute(connection, "UPDATE task SET claimed_until = UTC_TIMESTAMP(6) + INTERVAL " +
                                        std::to_string(hold.count()) + " SECOND" + held);
            std::set<long long> lost;
            if (renewed < std::ssize(part)) {
                for (const Claim& claim : part) lost.insert(claim.task.value);
                const Rows rows = select(connection, "SELECT id FROM task" + held);
                while (rows->next()) lost.erase(rows->getInt64("id"));
            }
            std::copy_if(part.begin(), part.end(), std::back_inserter(ours),
                         [&](const Claim& claim) { return !lost.contains(claim.task.value); });
            return 0;
        });
    });
    return ours;
}

std::set<model::JobId> MysqlTaskQueue::aborted(const std::set<model::JobId>& jobs) {
    std::set<model::JobId> aborted;
    if (jobs.empty()) return aborted;
    return in_transaction([&](sql::Connection& connection) {
        in_parts(std::vector<model::JobId>(jobs.begin(), jobs.end()), [&](auto part) {
            const std::string ids = id_list(part, [](model::JobId id) { return id.value; });
            const Rows rows =
                select(connection, "SELECT id FROM job WHERE aborted AND id IN (" + ids + ")");
            while (rows->next()) aborted.insert(model::JobId{rows->getInt64("id")});
        });
        return aborted;
    });
}

void MysqlTaskQueue::store_output(const std::vector<Output>& output) {
    in_transaction([&](sql::Connection& connection) {
        queue::store_output(connection, output, daily_output_);
        return 0;
    });
}

int MysqlTaskQueue::finish(const std::vector<Finished>& finished) {
    return in_transaction(
        [&](sql::Connection& connection) { return FinishBatch(connection).run(finished); });
}

// Before: the caller holds the instance lock. After: the rescued tasks are ready with their fence
// unchanged, so a worker that was slow, not dead, can still not end them: they are not claimed.
// Two at once: SKIP LOCKED gives each task to one rescuer. A worker that ends its task at the same
// time commits first, or its end is ignored, or one of both is rolled back (1213). A claim
// of this life is never rescued while it is in flight, although the renewing thread may be late.
int MysqlTaskQueue::rescue(const Rescuer& rescuer) {
    const std::string mine = rescuer.instance + "/";
    return in_transaction([&](sql::Connection& connection) {
        const Prepared select(connection.prepareStatement(select_lost));
        select->setString(1, mine);
        select->setString(2, mine);
        select->setString(3, rescuer.worker);
        select->setString(4, rescuer.worker);
        select->setBoolean(5, rescuer.of_others);
        // Claims in flight may come first and are filtered out afterwards.
        select->setUInt64(6, rescued_at_once + rescuer.in_flight.size());
        const auto asked = base::BootClock::now();
        const Rows rows(queue::select(*select));
        const bool of_others = rescuer.of_others && base::BootClock::now() - asked <= late_answer;
        const std::string ids = id_list(lost_ids(*rows, rescuer, of_others));
        if (ids.empty()) return 0;
        // The next worker reads a step's output from its beginning: it must not be stored twice.
        execute(
            connection,
            "DELETE transcript FROM transcript JOIN task ON task.id = transcript.task_id AND "
            "task.attempt = transcript.attempt WHERE transcript.stream <> 'note' AND task.id IN (" +
                ids + ")");
        return FinishBatch(connection).put_back_lost(ids);
    });
}

void MysqlTaskQueue::heartbeat(const Heartbeat& daemon) {
    in_transaction([&](sql::Connection& connection) {
        const Prepared upsert(connection.prepareStatement(upsert_daemon));
        upsert->setString(1, daemon.instance);
        upsert->setInt(2, daemon.pid);
        upsert->setInt(3, daemon.capacity);
        upsert->setInt(4, daemon.running);
        upsert->setString(5, daemon.metrics);
        upsert->executeUpdate();
        has_versions_ = has_versions_ || has_versions(connection);
        if (!has_versions_) return 0;
        const Prepared update(connection.prepareStatement(update_daemon_version));
        update->setString(1, daemon.version);
        update->setString(2, daemon.instance);
        update->setString(3, daemon.version);
        return update->executeUpdate();
    });
}

}  // namespace provisioner::queue
