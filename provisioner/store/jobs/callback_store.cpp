#include "provisioner/store/jobs/callback_store.hpp"

#include <stdexcept>

#include "provisioner/statements/callback.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto callback_columns = R"sql(
    SELECT callback.id, callback.cluster_id, callback.job_id, job.operation, callback.event,
           callback.cluster_status, callback.job_status, callback.message, callback.state,
           callback.attempts, callback.reply, callback.error, callback.created_at,
           callback.finished_at, callback.body
    FROM callback
    JOIN job ON job.id = callback.job_id
)sql";

constexpr auto of_cluster = R"sql(
    WHERE callback.cluster_id = ? AND callback.state <> 'unwanted'
    ORDER BY callback.id DESC
    LIMIT ?
)sql";

/// Two daemons may take callbacks at the same time. SKIP LOCKED gives each of them other rows. A
/// taken callback stays `waiting`, so it keeps later ones of its cluster back until it is settled.
constexpr auto due = R"sql(
    WHERE callback.state = 'waiting' AND callback.next_at <= UTC_TIMESTAMP(6)
      AND NOT EXISTS (SELECT 1
                      FROM callback AS earlier
                      WHERE earlier.cluster_id = callback.cluster_id AND earlier.id < callback.id
                        AND earlier.state = 'waiting')
    ORDER BY callback.next_at, callback.id
    LIMIT ?
    FOR UPDATE SKIP LOCKED
)sql";

constexpr auto hold_row = R"sql(
    UPDATE callback
    SET attempts = attempts + 1, next_at = UTC_TIMESTAMP(6) + INTERVAL ? SECOND
    WHERE id = ?
)sql";

constexpr auto settle_row = R"sql(
    UPDATE callback
    SET state = ?, body = NULLIF(?, ''), reply = NULLIF(?, 0), error = ?,
        next_at = IF(? = 'waiting', UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, NULL),
        finished_at = IF(? = 'waiting', NULL, UTC_TIMESTAMP(6))
    WHERE id = ? AND state = 'waiting'
)sql";

constexpr auto select_expiring = R"sql(
    SELECT id
    FROM cluster
    WHERE expires_at > ? AND expires_at <= ? AND status <> 'terminated'
      AND (warned_for IS NULL OR warned_for <> expires_at)
    ORDER BY expires_at, id
    LIMIT 1000
)sql";

// Several daemons look at the same time. The one whose UPDATE changes the row writes the callback.
constexpr auto mark_warned = R"sql(
    UPDATE cluster
    SET warned_for = expires_at
    WHERE id = ? AND (warned_for IS NULL OR warned_for <> expires_at)
)sql";

constexpr auto note_expiring = R"sql(
    INSERT INTO callback (cluster_id, job_id, event, cluster_status, job_status, message, state,
                          attempts, next_at, error, created_at)
    SELECT cluster.id, job.id, 'expiring', cluster.status, job.status, cluster.message, 'waiting',
           0, UTC_TIMESTAMP(6), '', UTC_TIMESTAMP(6)
    FROM cluster
    JOIN job ON job.id = cluster.latest_job_id
    WHERE cluster.id = ?
)sql";

model::Callback read_callback(Rows& row) {
    model::Callback callback{
        .id = row.get<long long>("id"),
        .cluster = model::ClusterId{row.get<long long>("cluster_id")},
        .job = model::JobId{row.get<long long>("job_id")},
        .operation = base::stored_word<model::Operation>(row.get<std::string>("operation")),
        .event = base::stored_word<model::CallbackEvent>(row.get<std::string>("event")),
        .cluster_status =
            base::stored_word<model::ClusterStatus>(row.get<std::string>("cluster_status")),
        .job_status = base::stored_word<model::JobStatus>(row.get<std::string>("job_status")),
        .message = row.get<std::string>("message"),
        .state = base::stored_word<model::CallbackState>(row.get<std::string>("state")),
        .attempts = row.get<int>("attempts"),
        .reply = std::nullopt,
        .error = row.get<std::string>("error"),
        .created_at = time_column(row, "created_at"),
        .finished_at = optional_time_column(row, "finished_at"),
    };
    if (!row.is_null("reply")) callback.reply = row.get<int>("reply");
    return callback;
}

std::string tenant_uid(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql("SELECT uid FROM tenant WHERE id = ?") << tenant.value;
    if (!row.next()) throw std::logic_error("a cluster of a tenant that is not there");
    return row.get<std::string>("uid");
}

}  // namespace

void note_callback(Connection& connection, model::JobId job) {
    connection.sql(statements::note_callback) << job.value << exec;
}

std::vector<model::Callback> callbacks_of(Connection& connection, model::ClusterId cluster,
                                          int limit) {
    const std::string statement = std::string(callback_columns) + of_cluster;
    Rows row = connection.sql(statement) << cluster.value << limit;
    std::vector<model::Callback> callbacks;
    while (row.next()) callbacks.push_back(read_callback(row));
    return callbacks;
}

int note_expiring_leases(Connection& connection, base::Timestamp now, std::chrono::seconds ahead) {
    const std::string from = base::to_sql(now);
    const std::string until = base::to_sql(now + ahead);
    Rows row = connection.sql(select_expiring) << from << until;
    std::vector<long long> clusters;
    while (row.next()) clusters.push_back(row.get<long long>("id"));
    int warned = 0;
    for (const long long cluster : clusters) {
        Statement mark = connection.sql(mark_warned) << cluster;
        mark.exec();
        if (mark.affected() == 0) continue;
        connection.sql(note_expiring) << cluster << exec;
        ++warned;
    }
    return warned;
}

std::vector<DueCallback> take_callbacks(Connection& connection, int limit,
                                        std::chrono::seconds hold) {
    const std::string statement = std::string(callback_columns) + due;
    Rows row = connection.sql(statement) << limit;
    std::vector<DueCallback> taken;
    while (row.next()) {
        taken.push_back({.callback = read_callback(row), .body = text_column(row, "body")});
    }
    for (DueCallback& one : taken) {
        connection.sql(hold_row) << static_cast<long long>(hold.count()) << one.callback.id << exec;
        ++one.callback.attempts;
    }
    return taken;
}

void settle_callback(Connection& connection, const CallbackAttempt& attempt) {
    const std::string state = base::to_word(attempt.state);
    const std::string body = attempt.state == model::CallbackState::waiting ? attempt.body : "";
    const long long pause = std::chrono::microseconds(attempt.again_in).count();
    connection.sql(settle_row) << state << body << attempt.reply.value_or(0) << attempt.error
                               << state << pause << state << attempt.callback << exec;
}

CallbackFacts callback_facts(Connection& connection, const model::Callback& callback) {
    auto work = find_work(connection, callback.cluster);
    auto job = find_job(connection, callback.job);
    if (!work || !job) throw std::logic_error("a callback of a job that is not there");
    CallbackFacts facts;
    facts.tenant_uid = tenant_uid(connection, work->cluster.tenant);
    facts.work = *std::move(work);
    facts.job = *std::move(job);
    facts.tasks = tasks_of(connection, callback.job);
    facts.edges = edges_of(connection, callback.job);
    facts.attempts = attempts_of(connection, callback.cluster);
    return facts;
}

}  // namespace provisioner::store
