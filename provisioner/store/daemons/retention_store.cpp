#include "provisioner/store/daemons/retention_store.hpp"

#include <vector>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_oldest_job = R"sql(
    SELECT id FROM job WHERE kept = ? AND finished_at < ? ORDER BY finished_at LIMIT 1
)sql";

// Latest jobs of living clusters come first in the index and are passed over one by one. There is
// at most one per cluster.
constexpr auto select_oldest_job_that_is_over = R"sql(
    SELECT job.id
    FROM job
    JOIN cluster ON cluster.id = job.cluster_id
    WHERE job.kept = ? AND job.finished_at < ? AND
          (cluster.status = 'terminated' OR cluster.latest_job_id <> job.id)
    ORDER BY job.finished_at
    LIMIT 1
)sql";

constexpr auto select_output = R"sql(
    SELECT task.id AS task, transcript.id AS piece
    FROM job
    JOIN task ON task.job_id = job.id
    JOIN transcript ON transcript.task_id = task.id
    WHERE job.id = ? AND job.finished_at IS NOT NULL AND task.id >= ?
    ORDER BY task.id
    LIMIT ?
)sql";

constexpr auto select_tasks = R"sql(
    SELECT id FROM task WHERE job_id = ? ORDER BY id LIMIT ?
)sql";

constexpr auto select_nodes_that_left = R"sql(
    SELECT node.id
    FROM job
    JOIN node ON node.leaves_job_id = job.id
    WHERE job.kept = 'itself' AND job.finished_at < ? AND node.has_left AND
          node.nodenum < (SELECT MAX(other.nodenum) FROM node AS other
                          WHERE other.cluster_id = node.cluster_id) AND
          NOT EXISTS (SELECT 1 FROM task WHERE task.node_id = node.id)
    ORDER BY job.finished_at
    LIMIT ?
)sql";

constexpr auto select_jobs = R"sql(
    SELECT job.id
    FROM job
    JOIN cluster ON cluster.id = job.cluster_id
    WHERE job.kept = 'itself' AND job.finished_at < ? AND
          COALESCE(cluster.latest_job_id, 0) <> job.id AND
          (cluster.deletions_since IS NULL OR cluster.deletions_since > job.id) AND
          NOT EXISTS (SELECT 1 FROM callback WHERE callback.job_id = job.id) AND
          NOT EXISTS (SELECT 1 FROM node WHERE node.leaves_job_id = job.id)
    ORDER BY job.finished_at
    LIMIT ?
)sql";

constexpr auto select_terminated = R"sql(
    SELECT id FROM cluster WHERE unsatisfiable = ? AND ended_at < ? ORDER BY ended_at LIMIT 1
)sql";

constexpr auto select_tasks_of_cluster = R"sql(
    SELECT task.id
    FROM job
    JOIN task ON task.job_id = job.id
    WHERE job.cluster_id = ?
    ORDER BY task.id
    LIMIT ?
)sql";

/// All but the latest, to which the cluster refers.
constexpr auto delete_earlier_jobs = R"sql(
    DELETE FROM job
    WHERE cluster_id = ? AND
          id <> (SELECT COALESCE(latest_job_id, 0) FROM cluster WHERE id = job.cluster_id)
    ORDER BY id
    LIMIT ?
)sql";

// An entry whose direct successor was deleted was replaced by the next one that is there.
constexpr auto select_old_versions = R"sql(
    SELECT entry.tenant_id, entry.kind, entry.name, entry.version
    FROM catalogue_entry AS entry
    WHERE EXISTS (SELECT 1 FROM catalogue_entry AS newer
                  WHERE newer.tenant_id = entry.tenant_id AND newer.kind = entry.kind AND
                        newer.name = entry.name AND newer.version > entry.version AND
                        newer.created_at < ?)
    ORDER BY entry.tenant_id, entry.kind, entry.name, entry.version
    LIMIT ?
)sql";

std::vector<long long> ids_of(Rows row) {
    std::vector<long long> ids;
    while (row.next()) ids.push_back(row.get<long long>("id"));
    return ids;
}

int delete_ids(Connection& connection, const std::string& table,
               const std::vector<long long>& ids) {
    if (ids.empty()) return 0;
    Statement statement =
        connection.sql("DELETE FROM " + table + " WHERE id IN (" + repeated("?", ids.size()) + ")");
    for (const long long id : ids) statement << id;
    statement.exec();
    return static_cast<int>(statement.affected());
}

int delete_before(Connection& connection, const std::string& table, const std::string& column,
                  base::Timestamp moment, int limit, const std::string& condition = "") {
    const std::string before = base::to_sql(moment);
    Statement statement = connection.sql("DELETE FROM " + table + " WHERE " + condition + column +
                                         " < ? ORDER BY " + column + " LIMIT ?")
                          << before << limit;
    statement.exec();
    return static_cast<int>(statement.affected());
}

int delete_of_cluster(Connection& connection, const std::string& table, model::ClusterId cluster,
                      int limit) {
    Statement statement =
        connection.sql("DELETE FROM " + table + " WHERE cluster_id = ? ORDER BY id LIMIT ?")
        << cluster.value << limit;
    statement.exec();
    return static_cast<int>(statement.affected());
}

}  // namespace

std::optional<model::JobId> oldest_job(Connection& connection, JobKept kept,
                                       base::Timestamp moment) {
    const std::string word = base::to_word(kept);
    const std::string before = base::to_sql(moment);
    Rows row = connection.sql(kept == JobKept::everything ? select_oldest_job
                                                          : select_oldest_job_that_is_over)
               << word << before;
    if (!row.next()) return std::nullopt;
    return model::JobId{row.get<long long>("id")};
}

DeletedOutput delete_output(Connection& connection, model::JobId job, model::TaskId from,
                            int limit) {
    std::vector<long long> pieces;
    model::TaskId last = from;
    {
        Rows row = connection.sql(select_output) << job.value << from.value << limit;
        while (row.next()) {
            last.value = row.get<long long>("task");
            pieces.push_back(row.get<long long>("piece"));
        }
    }
    DeletedOutput deleted{.pieces = delete_ids(connection, "transcript", pieces)};
    if (std::ssize(pieces) == limit) deleted.go_on_from = last;
    return deleted;
}

int delete_tasks(Connection& connection, model::JobId job, int limit) {
    return delete_ids(connection, "task",
                      ids_of(connection.sql(select_tasks) << job.value << limit));
}

void set_kept(Connection& connection, model::JobId job, JobKept kept) {
    const std::string word = base::to_word(kept);
    connection.sql("UPDATE job SET kept = ? WHERE id = ? AND finished_at IS NOT NULL")
        << word << job.value << exec;
}

int delete_nodes_that_left(Connection& connection, base::Timestamp moment, int limit) {
    const std::string before = base::to_sql(moment);
    return delete_ids(connection, "node",
                      ids_of(connection.sql(select_nodes_that_left) << before << limit));
}

int delete_jobs(Connection& connection, base::Timestamp moment, int limit) {
    const std::string before = base::to_sql(moment);
    return delete_ids(connection, "job", ids_of(connection.sql(select_jobs) << before << limit));
}

std::optional<model::ClusterId> oldest_terminated_cluster(Connection& connection,
                                                          bool unsatisfiable,
                                                          base::Timestamp moment) {
    const std::string before = base::to_sql(moment);
    Rows row = connection.sql(select_terminated) << (unsatisfiable ? 1 : 0) << before;
    if (!row.next()) return std::nullopt;
    return model::ClusterId{row.get<long long>("id")};
}

int delete_some_of_cluster(Connection& connection, model::ClusterId cluster, int limit) {
    const int tasks =
        delete_ids(connection, "task",
                   ids_of(connection.sql(select_tasks_of_cluster) << cluster.value << limit));
    if (tasks > 0) return tasks;
    for (const char* table : {"callback", "node"}) {
        const int rows = delete_of_cluster(connection, table, cluster, limit);
        if (rows > 0) return rows;
    }
    Statement earlier = connection.sql(delete_earlier_jobs) << cluster.value << limit;
    earlier.exec();
    if (earlier.affected() > 0) return static_cast<int>(earlier.affected());
    // The cluster refers to its latest job and the job to its cluster, so the reference goes first.
    connection.sql("UPDATE cluster SET latest_job_id = NULL WHERE id = ?") << cluster.value << exec;
    connection.sql("DELETE FROM job WHERE cluster_id = ?") << cluster.value << exec;
    Statement last = connection.sql("DELETE FROM cluster WHERE id = ?") << cluster.value;
    last.exec();
    return static_cast<int>(last.affected());
}

int delete_spans(Connection& connection, base::Timestamp moment, int limit) {
    return delete_before(connection, "machine_span", "ended_at", moment, limit,
                         "added_up = 1 AND ");
}

int delete_callbacks(Connection& connection, base::Timestamp moment, int limit) {
    return delete_before(connection, "callback", "finished_at", moment, limit);
}

int delete_answers(Connection& connection, base::Timestamp moment, int limit) {
    return delete_before(connection, "idempotency_key", "created_at", moment, limit);
}

int delete_forms(Connection& connection, base::Timestamp moment, int limit) {
    return delete_before(connection, "kept_form", "created_at", moment, limit) +
           delete_before(connection, "sent_form", "created_at", moment, limit);
}

int delete_days_of_output(Connection& connection, base::Timestamp moment, int limit) {
    Statement statement =
        connection.sql("DELETE FROM output_of_day WHERE day < DATE(?) ORDER BY day LIMIT ?")
        << base::to_sql(moment) << limit;
    statement.exec();
    return static_cast<int>(statement.affected());
}

int delete_sessions(Connection& connection, base::Timestamp moment, int limit) {
    return delete_before(connection, "session", "expires_at", moment, limit);
}

int delete_daemons(Connection& connection, base::Timestamp moment, int limit) {
    return delete_before(connection, "daemon", "heartbeat_at", moment, limit);
}

int delete_old_versions(Connection& connection, base::Timestamp moment, int limit) {
    struct Version {
        long long tenant;
        std::string kind;
        std::string name;
        int number;
    };
    std::vector<Version> old;
    {
        const std::string before = base::to_sql(moment);
        Rows row = connection.sql(select_old_versions) << before << limit;
        while (row.next()) {
            old.push_back({.tenant = row.get<long long>("tenant_id"),
                           .kind = row.get<std::string>("kind"),
                           .name = row.get<std::string>("name"),
                           .number = row.get<int>("version")});
        }
    }
    for (const Version& version : old) {
        connection.sql(
            "DELETE FROM catalogue_entry WHERE tenant_id = ? AND kind = ? AND name = ? AND "
            "version = ?")
            << version.tenant << version.kind << version.name << version.number << exec;
    }
    return static_cast<int>(old.size());
}

}  // namespace provisioner::store
