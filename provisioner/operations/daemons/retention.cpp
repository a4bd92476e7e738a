#include "provisioner/operations/daemons/retention.hpp"

#include <algorithm>
#include <thread>

#include "provisioner/store/daemons/retention_store.hpp"
#include "provisioner/store/machines/price_store.hpp"
#include "provisioner/store/sign_in/external_store.hpp"
#include "provisioner/store/sign_in/failure_store.hpp"
#include "provisioner/store/tenants/usage_store.hpp"

namespace provisioner::operations {

namespace {

using namespace std::chrono_literals;
using store::Connection;
using store::JobKept;

/// Rows in one transaction. Fewer tasks and pieces of output: they are large, or cascade to other
/// rows.
constexpr int rows_at_once = 500;
constexpr int tasks_at_once = 100;
constexpr int pieces_at_once = 100;

/// How long a script may repeat a request under its key.
constexpr auto answers_kept = 24h;
/// How long a daemon without heartbeat stays in the list.
constexpr auto daemons_kept = 24h;
/// How long a failed sign-in is counted, and how many counts there are at most
/// (operations/sign_in).
constexpr auto failures_kept_for = 24h;
constexpr int failures_at_most = 200'000;
/// How long a network counts as one of an account's owner, and how many there are at most.
constexpr auto networks_kept_for = 90 * 24h;
constexpr int networks_at_most = 200'000;

/// Runs small transactions one after the other, with rests between them.
class Pruner {
 public:
    Pruner(store::Database& database, base::Timestamp now, const std::function<bool()>& is_stopped)
        : database_(database), now_(now), is_stopped_(is_stopped) {}

    bool is_stopped() const { return is_stopped_(); }

    /// Runs one transaction, then rests as long as it took.
    template <class Change>
    auto change(Change&& run) {
        const auto began = std::chrono::steady_clock::now();
        const auto result =
            database_.write([&](Connection& connection) { return run(connection); });
        const auto took = std::chrono::steady_clock::now() - began;
        std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(took, 1s));
        return result;
    }

    /// Repeats a change until it has nothing left to do.
    template <class Change>
    void repeat(const std::string& kind, Change&& run) {
        while (!is_stopped()) {
            const int rows = change(run);
            if (rows == 0) return;
            counts_[kind] += rows;
        }
    }

    /// Deletes rows older than `age` with `run(connection, moment, limit)`.
    template <class Delete>
    void by_age(const std::string& kind, Retention::Age age, Delete&& run) {
        if (!age) return;
        repeat(kind,
               [&](Connection& connection) { return run(connection, now_ - *age, rows_at_once); });
    }

    /// Deletes output of jobs, then tasks of jobs. A job is marked (set_kept) after its last row is
    /// gone. So the next call continues with an interrupted job.
    void prune_jobs(const Retention& retention) {
        if (retention.output) {
            while (const auto job = next_job(JobKept::everything, *retention.output)) {
                if (!delete_output(*job)) return;
                set_kept(*job, JobKept::tasks);
            }
        }
        if (!retention.tasks) return;
        while (const auto job = next_job(JobKept::tasks, *retention.tasks)) {
            repeat("tasks", [&](Connection& connection) {
                return store::delete_tasks(connection, *job, tasks_at_once);
            });
            if (is_stopped()) return;
            set_kept(*job, JobKept::itself);
        }
    }

    void prune_clusters(Retention::Age age, bool unsatisfiable) {
        while (age && !is_stopped()) {
            const auto cluster = database_.read([&](Connection& connection) {
                return store::oldest_terminated_cluster(connection, unsatisfiable, now_ - *age);
            });
            if (!cluster) return;
            repeat("rows of clusters", [&](Connection& connection) {
                return store::delete_some_of_cluster(connection, *cluster, tasks_at_once);
            });
            if (!is_stopped()) ++counts_["clusters"];
        }
    }

    std::map<std::string, int> counts() && { return std::move(counts_); }

 private:
    std::optional<model::JobId> next_job(JobKept kept, std::chrono::hours age) {
        if (is_stopped()) return std::nullopt;
        return database_.read([&](Connection& connection) {
            return store::oldest_job(connection, kept, now_ - age);
        });
    }

    /// Whether all output of the job is gone.
    bool delete_output(model::JobId job) {
        std::optional<model::TaskId> from = model::TaskId{};
        while (from && !is_stopped()) {
            const auto deleted = change([&](Connection& connection) {
                return store::delete_output(connection, job, *from, pieces_at_once);
            });
            if (deleted.pieces > 0) counts_["pieces of output"] += deleted.pieces;
            from = deleted.go_on_from;
        }
        return !from;
    }

    void set_kept(model::JobId job, JobKept kept) {
        database_.write([&](Connection& connection) { store::set_kept(connection, job, kept); });
        ++counts_[kept == JobKept::tasks ? "outputs of jobs" : "jobs without tasks"];
    }

    store::Database& database_;
    base::Timestamp now_;
    const std::function<bool()>& is_stopped_;
    std::map<std::string, int> counts_;
};

}  // namespace

// A job can only go after its tasks, and a task after its output.
Retention consistent(Retention retention) {
    const auto at_most = [](Retention::Age& age, const Retention::Age& limit) {
        if (limit && (!age || *age > *limit)) age = limit;
    };
    at_most(retention.tasks, retention.jobs);
    at_most(retention.output, retention.tasks);
    return retention;
}

Retention retention_from(const base::Config& config) {
    const auto days = [&](const std::string& name, long otherwise) -> Retention::Age {
        const long value = config.number_or("retention." + name, otherwise);
        if (value == 0) return std::nullopt;
        // More than a thousand years mean for ever: they cannot be subtracted from a Timestamp.
        if (value > 365'000) return std::nullopt;
        return std::chrono::hours{24 * value};
    };
    return {.output = days("output", 30),
            .tasks = days("tasks", 90),
            .jobs = days("jobs", 365),
            .clusters = days("clusters", 365),
            .unsatisfiable = days("unsatisfiable", 1),
            .callbacks = days("callbacks", 30),
            .usage = days("usage", 1095),
            .catalogue = days("catalogue", 365)};
}

std::map<std::string, int> prune(store::Database& database, const Retention& retention,
                                 base::Timestamp now, const std::function<bool()>& is_stopped) {
    Pruner pruner(database, now, is_stopped);
    const Retention kept = consistent(retention);
    // Rows that refer to others go first: callbacks and nodes before the jobs they name. Spans are
    // deleted only when the totals include them.
    pruner.repeat("spans added up", [](Connection& connection) {
        return store::add_up_spans(connection, rows_at_once);
    });
    pruner.by_age("sessions", 0h, store::delete_sessions);
    pruner.by_age("sign-ins elsewhere", 0h, store::delete_external);
    pruner.by_age("failed sign-ins", failures_kept_for, store::delete_failures);
    pruner.repeat("failed sign-ins", [](Connection& connection) {
        return store::delete_failures_beyond(connection, failures_at_most, rows_at_once);
    });
    pruner.by_age("networks of sign-ins", networks_kept_for, store::delete_remembered);
    pruner.repeat("networks of sign-ins", [](Connection& connection) {
        return store::delete_remembered_beyond(connection, networks_at_most, rows_at_once);
    });
    pruner.by_age("daemons", daemons_kept, store::delete_daemons);
    pruner.by_age("answers", answers_kept, store::delete_answers);
    pruner.by_age("days of output", answers_kept, store::delete_days_of_output);
    pruner.by_age("forms", answers_kept, store::delete_forms);
    pruner.by_age("callbacks", kept.callbacks, store::delete_callbacks);
    pruner.by_age("spans", kept.usage, store::delete_spans);
    pruner.by_age("prices", kept.usage, store::delete_prices);
    pruner.by_age("versions", kept.catalogue, store::delete_old_versions);
    pruner.prune_clusters(kept.unsatisfiable, true);
    pruner.prune_jobs(kept);
    pruner.prune_clusters(kept.clusters, false);
    pruner.by_age("nodes", kept.jobs, store::delete_nodes_that_left);
    pruner.by_age("jobs", kept.jobs, store::delete_jobs);
    return std::move(pruner).counts();
}

}  // namespace provisioner::operations
