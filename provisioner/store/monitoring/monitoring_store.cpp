#include "provisioner/store/monitoring/monitoring_store.hpp"

#include <algorithm>

#include "provisioner/metrics/family_json.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/jobs/claim_hold.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto watch_head = R"sql(
    SELECT COUNT(*) AS ready, COALESCE(SUM(run_at <= UTC_TIMESTAMP(6)), 0) AS due,
           GREATEST(COALESCE(TIMESTAMPDIFF(SECOND, MIN(run_at), UTC_TIMESTAMP(6)), 0), 0) AS oldest
    FROM ready_task
)sql";

constexpr auto watch_claimed = R"sql(
    SELECT COUNT(*) AS claimed FROM task WHERE claimed_until IS NOT NULL
)sql";

// job_ended: exactly the jobs that have not ended have no finished_at, and retention leaves them
// everything. So these are one range of job_age.
constexpr auto watch_jobs = R"sql(
    SELECT status AS word, COUNT(*) AS number,
           COALESCE(SUM(GREATEST(tasks_total - tasks_done - tasks_failed - tasks_left, 0)), 0) AS unfinished
    FROM job
    WHERE kept = 'everything' AND finished_at IS NULL
    GROUP BY status
    ORDER BY status
    LIMIT 100
)sql";

constexpr auto watch_ended_jobs = R"sql(
    SELECT status AS word, COUNT(*) AS number
    FROM job
    WHERE kept IN ('everything', 'tasks', 'itself') AND
          finished_at > UTC_TIMESTAMP(6) - INTERVAL 1 HOUR
    GROUP BY status
    ORDER BY status
    LIMIT 100
)sql";

// By tenant and for one status, so that it is a look at the index for each tenant: with several,
// the server goes through all clusters, terminated ones included.
constexpr auto watch_clusters = R"sql(
    SELECT COUNT(*) AS number, COALESCE(SUM(cluster.node_count), 0) AS nodes
    FROM tenant
    JOIN cluster ON cluster.tenant_id = tenant.id AND cluster.status = ?
    WHERE tenant.deleted_id = 0
)sql";

constexpr auto watch_callbacks = R"sql(
    SELECT COUNT(*) AS waiting,
           GREATEST(COALESCE(TIMESTAMPDIFF(SECOND, MIN(next_at), UTC_TIMESTAMP(6)), 0), 0) AS late
    FROM callback
    WHERE state = 'waiting'
)sql";

constexpr auto watch_given_up = R"sql(
    SELECT COUNT(*) AS given_up
    FROM callback
    WHERE state = 'given_up' AND finished_at > UTC_TIMESTAMP(6) - INTERVAL 1 HOUR
)sql";

// The table has only mails that are not sent yet.
constexpr auto watch_mails = R"sql(
    SELECT COUNT(*) AS failing,
           COALESCE(TIMESTAMPDIFF(SECOND, MIN(failing_since), UTC_TIMESTAMP(6)), 0) AS seconds
    FROM mail
    WHERE failing_since IS NOT NULL
)sql";

constexpr auto watch_mail_error = R"sql(
    SELECT error FROM mail WHERE failing_since IS NOT NULL ORDER BY id DESC LIMIT 1
)sql";

constexpr auto watch_unknown = R"sql(
    SELECT COUNT(*) AS machines FROM unknown_machine
)sql";

// Cheaper than list_lost_machines: a node whose machine was made anew counts until the next look.
constexpr auto watch_lost = R"sql(
    SELECT COUNT(*) AS machines
    FROM machine_sighting
    JOIN node ON node.id = machine_sighting.node_id
    WHERE machine_sighting.misses >= 2 AND node.leaves_job_id IS NULL
)sql";

constexpr auto watch_accounts = R"sql(
    SELECT provider_type AS word, COUNT(*) AS number
    FROM provider_account
    WHERE failures > 0
    GROUP BY provider_type
    ORDER BY provider_type
    LIMIT 100
)sql";

// Each is the first entry of the index by which retention goes. MIN would go through all of them.
constexpr auto watch_oldest = R"sql(
    SELECT TIMESTAMPDIFF(SECOND, (SELECT finished_at FROM job
                                  WHERE kept = 'everything' AND finished_at IS NOT NULL
                                  ORDER BY finished_at LIMIT 1),
                         UTC_TIMESTAMP(6)) AS output,
           TIMESTAMPDIFF(SECOND, (SELECT ended_at FROM cluster
                                  WHERE unsatisfiable = FALSE AND ended_at IS NOT NULL
                                  ORDER BY ended_at LIMIT 1),
                         UTC_TIMESTAMP(6)) AS clusters,
           TIMESTAMPDIFF(SECOND, (SELECT finished_at FROM callback
                                  WHERE finished_at IS NOT NULL
                                  ORDER BY finished_at LIMIT 1),
                         UTC_TIMESTAMP(6)) AS callbacks
)sql";

constexpr auto watch_daemons = R"sql(
    SELECT instance, capacity, running, drains, metrics,
           TIMESTAMPDIFF(SECOND, started_at, UTC_TIMESTAMP(6)) AS started,
           TIMESTAMPDIFF(SECOND, heartbeat_at, UTC_TIMESTAMP(6)) AS heard
    FROM daemon
    ORDER BY instance
    LIMIT 1000
)sql";

constexpr auto watch_schema = R"sql(
    SELECT MAX(version) AS version FROM schema_migration
)sql";

std::map<std::string, std::int64_t> numbers_by_word(Connection& connection, const char* statement) {
    std::map<std::string, std::int64_t> numbers;
    Rows row = connection.sql(statement);
    while (row.next()) numbers[row.get<std::string>("word")] = row.get<long long>("number");
    return numbers;
}

void watched_queue(Connection& connection, WatchedNumbers& numbers) {
    Rows head = connection.sql(watch_head) << one_row;
    numbers.tasks_due = head.get<long long>("due");
    numbers.tasks_later = head.get<long long>("ready") - numbers.tasks_due;
    numbers.oldest_due_seconds = head.get<long long>("oldest");
    Rows claimed = connection.sql(watch_claimed) << one_row;
    numbers.tasks_claimed = claimed.get<long long>("claimed");
    Rows job = connection.sql(watch_jobs);
    while (job.next()) {
        numbers.jobs[job.get<std::string>("word")] = job.get<long long>("number");
        numbers.tasks_unfinished += job.get<long long>("unfinished");
    }
    numbers.jobs_ended = numbers_by_word(connection, watch_ended_jobs);
}

void watched_clusters(Connection& connection, WatchedNumbers& numbers) {
    using model::ClusterStatus;
    for (const auto& [status, word] : base::words<ClusterStatus>) {
        if (status == ClusterStatus::terminated) continue;
        Rows row = connection.sql(watch_clusters) << word << one_row;
        numbers.clusters[std::string(word)] = row.get<long long>("number");
        numbers.nodes += row.get<long long>("nodes");
    }
    Rows unknown = connection.sql(watch_unknown) << one_row;
    numbers.unknown_machines = unknown.get<long long>("machines");
    Rows lost = connection.sql(watch_lost) << one_row;
    numbers.lost_machines = lost.get<long long>("machines");
    numbers.failing_accounts = numbers_by_word(connection, watch_accounts);
}

void watched_callbacks(Connection& connection, WatchedNumbers& numbers) {
    Rows waiting = connection.sql(watch_callbacks) << one_row;
    numbers.callbacks_waiting = waiting.get<long long>("waiting");
    numbers.callbacks_late_seconds = waiting.get<long long>("late");
    Rows given_up = connection.sql(watch_given_up) << one_row;
    numbers.callbacks_given_up = given_up.get<long long>("given_up");
}

void watched_mails(Connection& connection, WatchedNumbers& numbers) {
    Rows failing = connection.sql(watch_mails) << one_row;
    numbers.mails_failing = failing.get<long long>("failing");
    numbers.mails_failing_seconds = failing.get<long long>("seconds");
    Rows error = connection.sql(watch_mail_error);
    if (error.next()) numbers.mail_error = error.get<std::string>("error");
}

void watched_oldest(Connection& connection, WatchedNumbers& numbers) {
    Rows row = connection.sql(watch_oldest) << one_row;
    for (const char* kind : {"output", "clusters", "callbacks"}) {
        if (!row.is_null(kind)) numbers.oldest_kept[kind] = row.get<long long>(kind);
    }
}

void watched_daemons(Connection& connection, WatchedNumbers& numbers) {
    Rows row = connection.sql(watch_daemons);
    while (row.next()) {
        WatchedDaemon daemon;
        daemon.instance = row.get<std::string>("instance");
        daemon.capacity = row.get<int>("capacity");
        daemon.running = row.get<int>("running");
        daemon.drains = row.get<int>("drains") != 0;
        daemon.started_seconds_ago = row.get<long long>("started");
        daemon.heard_seconds_ago = row.get<long long>("heard");
        daemon.metrics = json_column(row, "metrics");
        numbers.daemons.push_back(std::move(daemon));
    }
}

}  // namespace

bool WatchedDaemon::is_alive() const {
    return heard_seconds_ago <= model::claim_hold.count();
}

std::optional<std::set<std::string>> WatchedDaemon::offers() const {
    const auto families = metrics::families_from(metrics);
    const auto family = std::ranges::find(families, metrics::offers_family, &metrics::Family::name);
    if (family == families.end()) return std::nullopt;
    std::set<std::string> plugins;
    for (const auto& sample : family->samples) plugins.insert(sample.labels.front());
    return plugins;
}

WatchedNumbers watched_numbers(Connection& connection) {
    WatchedNumbers numbers;
    watched_queue(connection, numbers);
    watched_clusters(connection, numbers);
    watched_callbacks(connection, numbers);
    watched_mails(connection, numbers);
    watched_oldest(connection, numbers);
    watched_daemons(connection, numbers);
    return numbers;
}

std::optional<int> applied_schema(Connection& connection) {
    Rows row = connection.sql(watch_schema) << one_row;
    if (row.is_null("version")) return std::nullopt;
    return row.get<int>("version");
}

}  // namespace provisioner::store
