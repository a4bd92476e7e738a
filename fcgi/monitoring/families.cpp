#include "fcgi/monitoring/families.hpp"

#include <algorithm>

#include "provisioner/metrics/family_json.hpp"

namespace fcgi::monitoring {

using provisioner::metrics::counter;
using provisioner::metrics::Families;
using provisioner::metrics::Family;
using provisioner::metrics::gauge;
using provisioner::metrics::Sample;
using provisioner::operations::Retention;
using provisioner::store::WatchedDaemon;
using provisioner::store::WatchedNumbers;

namespace {

double as_double(std::int64_t number) {
    return static_cast<double>(number);
}

/// A gauge with one label. `always` are the values that have a sample even if nothing counts.
Family by_word(std::string name, std::string help, std::string label,
               std::map<std::string, std::int64_t> numbers,
               std::initializer_list<const char*> always) {
    for (const char* word : always) numbers.try_emplace(word, 0);
    Family family{.name = std::move(name), .help = std::move(help), .labels = {std::move(label)}};
    for (const auto& [word, number] : numbers) {
        family.samples.push_back({.labels = {word}, .value = as_double(number)});
    }
    return family;
}

void add_queue(Families& families, const WatchedNumbers& numbers) {
    const std::int64_t others =
        numbers.tasks_unfinished - numbers.tasks_due - numbers.tasks_later - numbers.tasks_claimed;
    families.push_back(by_word("cooperage_queue_tasks", "Tasks that are not done, by state.",
                               "state",
                               {{"due", numbers.tasks_due},
                                {"later", numbers.tasks_later},
                                {"claimed", numbers.tasks_claimed},
                                {"blocked", std::max<std::int64_t>(others, 0)}},
                               {}));
    families.push_back(gauge("cooperage_queue_oldest_due_seconds",
                             "How long the oldest due task has waited to be claimed.",
                             as_double(numbers.oldest_due_seconds)));
    families.push_back(by_word("cooperage_jobs", "Jobs that have not ended, by status.", "status",
                               numbers.jobs, {"running", "paused"}));
    families.push_back(by_word("cooperage_jobs_ended_recently",
                               "Jobs that ended within the last hour, by status.", "status",
                               numbers.jobs_ended, {"complete", "failed"}));
}

void add_clusters(Families& families, const WatchedNumbers& numbers) {
    families.push_back(by_word("cooperage_clusters", "Clusters that are not terminated, by status.",
                               "status", numbers.clusters,
                               {"active", "incomplete", "inconsistent", "pending"}));
    families.push_back(gauge("cooperage_nodes", "Nodes of clusters that are not terminated.",
                             as_double(numbers.nodes)));
    families.push_back(gauge("cooperage_unknown_machines", "Machines that no node has.",
                             as_double(numbers.unknown_machines)));
    families.push_back(gauge("cooperage_lost_machines",
                             "Machines of nodes that are not there any more.",
                             as_double(numbers.lost_machines)));
    families.push_back(by_word("cooperage_provider_accounts_failing",
                               "Accounts whose machines could not be listed, by provider type.",
                               "provider", numbers.failing_accounts, {}));
}

void add_callbacks(Families& families, const WatchedNumbers& numbers) {
    families.push_back(gauge("cooperage_callbacks_waiting", "Callbacks that will be sent.",
                             as_double(numbers.callbacks_waiting)));
    families.push_back(gauge("cooperage_callbacks_late_seconds",
                             "By how much the oldest due callback is late.",
                             as_double(numbers.callbacks_late_seconds)));
    families.push_back(gauge("cooperage_callbacks_given_up_recently",
                             "Callbacks given up within the last hour.",
                             as_double(numbers.callbacks_given_up)));
}

void add_retention(Families& families, const WatchedNumbers& numbers, const Retention& retention) {
    const Retention kept = provisioner::operations::consistent(retention);
    const std::map<std::string, Retention::Age> ages{
        {"output", kept.output}, {"clusters", kept.clusters}, {"callbacks", kept.callbacks}};
    std::map<std::string, std::int64_t> lags;
    for (const auto& [kind, age] : ages) {
        if (!age) continue;
        const auto oldest = numbers.oldest_kept.find(kind);
        const std::int64_t seconds = oldest == numbers.oldest_kept.end() ? 0 : oldest->second;
        const std::int64_t limit = std::chrono::seconds(*age).count();
        lags[kind] = std::max<std::int64_t>(seconds - limit, 0);
    }
    families.push_back(by_word("cooperage_retention_lag_seconds",
                               "How much longer than the settings say the oldest rows are kept.",
                               "kind", std::move(lags), {}));
}

Family of_daemons(const WatchedNumbers& numbers, std::string name, std::string help,
                  double (*value)(const WatchedDaemon&)) {
    Family family{.name = std::move(name), .help = std::move(help), .labels = {"daemon"}};
    for (const WatchedDaemon& daemon : numbers.daemons) {
        family.samples.push_back({.labels = {daemon.instance}, .value = value(daemon)});
    }
    return family;
}

void add_daemons(Families& families, const WatchedNumbers& numbers) {
    const auto alive = std::count_if(numbers.daemons.begin(), numbers.daemons.end(),
                                     [](const WatchedDaemon& daemon) { return daemon.is_alive(); });
    families.push_back(
        gauge("cooperage_daemons_alive", "Daemons with a recent heartbeat.", as_double(alive)));
    families.push_back(
        of_daemons(numbers, "cooperage_daemon_up", "Whether its heartbeat is recent.",
                   [](const WatchedDaemon& one) { return one.is_alive() ? 1.0 : 0.0; }));
    families.push_back(of_daemons(
        numbers, "cooperage_daemon_heartbeat_age_seconds", "Time since its last heartbeat.",
        [](const WatchedDaemon& one) { return as_double(one.heard_seconds_ago); }));
    families.push_back(of_daemons(
        numbers, "cooperage_daemon_age_seconds", "Time since its first heartbeat in this life.",
        [](const WatchedDaemon& one) { return as_double(one.started_seconds_ago); }));
    families.push_back(
        of_daemons(numbers, "cooperage_daemon_capacity", "Tasks it takes at once.",
                   [](const WatchedDaemon& one) { return as_double(one.capacity); }));
    families.push_back(of_daemons(
        numbers, "cooperage_daemon_tasks", "Tasks it had under way at its last heartbeat.",
        [](const WatchedDaemon& one) { return one.is_alive() ? as_double(one.running) : 0.0; }));
    for (const WatchedDaemon& daemon : numbers.daemons) {
        if (!daemon.is_alive()) continue;
        provisioner::metrics::add_labelled(families, "daemon", daemon.instance,
                                           provisioner::metrics::families_from(daemon.metrics));
    }
}

}  // namespace

Families families_of(const WatchedNumbers& numbers, const Retention& retention) {
    Families families;
    add_queue(families, numbers);
    add_clusters(families, numbers);
    add_callbacks(families, numbers);
    add_retention(families, numbers, retention);
    add_daemons(families, numbers);
    return families;
}

Families families_of(const provisioner::store::Database& database) {
    const auto& counters = database.counters();
    const auto number = [](const provisioner::metrics::Counter& count) {
        return static_cast<double>(count.value());
    };
    return {
        gauge("cooperage_database_connections_busy", "Connections at work; there is no maximum.",
              as_double(counters.in_use.value())),
        gauge("cooperage_database_breaker_open",
              "Whether the database did not answer: one thread at a time tries it.",
              database.is_silent() ? 1 : 0),
        counter("cooperage_database_calls_total", "Reads and writes asked of the database.",
                number(counters.calls)),
        counter("cooperage_database_retries_total",
                "Further attempts after deadlocks, lock time-outs and lost connections.",
                number(counters.retries)),
        counter("cooperage_database_unavailable_total",
                "Reads and writes given up because the database was away, full or too busy.",
                number(counters.unavailable)),
        counter("cooperage_database_turned_away_total",
                "Those of them given up at once, because another thread was trying it.",
                number(counters.turned_away)),
        counter("cooperage_database_connections_lost_total",
                "Connections on which the database stopped answering.", number(counters.lost)),
    };
}

}  // namespace fcgi::monitoring
