#include "provisioner/daemon/metrics/daemon_metrics.hpp"

#include "provisioner/base/words.hpp"

namespace provisioner::daemon {

namespace {

constexpr std::array attempt_ends{"succeeded", "retried", "failed"};
constexpr std::array call_ends{"answered", "refused", "broken"};
constexpr std::array verb_words{"create", "confirm", "destroy", "machines"};

std::size_t index_of(model::Action action) {
    return static_cast<std::size_t>(action);
}

std::string word_of(std::size_t action) {
    return base::to_word(static_cast<model::Action>(action));
}

double as_double(std::uint64_t number) {
    return static_cast<double>(number);
}

}  // namespace

void ProviderCounters::called(Verb verb, CallEnd end, std::chrono::nanoseconds took) {
    const auto which = static_cast<std::size_t>(verb);
    calls_[which][static_cast<std::size_t>(end)].add();
    nanoseconds_[which].add(static_cast<std::uint64_t>(took.count()));
}

void ProviderCounters::attempted(model::Action action, AttemptEnd end) {
    attempts_[index_of(action)][static_cast<std::size_t>(end)].add();
}

DaemonMetrics::DaemonMetrics() : other_(providers_["other"]) {
    for (auto& times : times_) times = std::make_unique<AttemptTimes>(attempt_bounds);
}

ProviderCounters& DaemonMetrics::add_provider(const std::string& type) {
    return providers_[type];
}

void DaemonMetrics::offer(std::set<std::string> plugins) {
    offers_ = std::move(plugins);
}

void DaemonMetrics::attempt_ended(const std::string& provider, model::Action action, AttemptEnd end,
                                  std::chrono::nanoseconds took) {
    const auto found = providers_.find(provider);
    (found == providers_.end() ? other_ : found->second).attempted(action, end);
    times_[index_of(action)]->observe(took);
}

metrics::Family DaemonMetrics::attempts() const {
    metrics::Family family{.name = "cooperage_attempts_total",
                           .help = "Attempts at tasks that ended, by how they ended.",
                           .type = metrics::Type::counter,
                           .labels = {"provider", "action", "outcome"}};
    for (const auto& [type, counters] : providers_) {
        for (std::size_t action = 0; action < ProviderCounters::actions; ++action) {
            for (std::size_t end = 0; end < ProviderCounters::ends; ++end) {
                family.samples.push_back(
                    {.labels = {type, word_of(action), attempt_ends.at(end)},
                     .value = as_double(counters.attempts_[action][end].value())});
            }
        }
    }
    return family;
}

metrics::Family DaemonMetrics::attempt_times() const {
    metrics::Family family{
        .name = "cooperage_attempt_duration_seconds",
        .help = "Time from the beginning of an attempt to its end, waits included.",
        .type = metrics::Type::histogram,
        .labels = {"action"}};
    family.bounds.assign(attempt_bounds.begin(), attempt_bounds.end());
    for (std::size_t action = 0; action < times_.size(); ++action) {
        family.samples.push_back({.labels = {word_of(action)},
                                  .value = times_[action]->sum(),
                                  .buckets = times_[action]->buckets()});
    }
    return family;
}

metrics::Family DaemonMetrics::calls() const {
    metrics::Family family{.name = "cooperage_provider_calls_total",
                           .help = "Calls of providers, by how they ended.",
                           .type = metrics::Type::counter,
                           .labels = {"provider", "verb", "outcome"}};
    for (const auto& [type, counters] : providers_) {
        if (&counters == &other_) continue;
        for (std::size_t verb = 0; verb < ProviderCounters::verbs; ++verb) {
            for (std::size_t end = 0; end < ProviderCounters::ends; ++end) {
                family.samples.push_back({.labels = {type, verb_words.at(verb), call_ends.at(end)},
                                          .value = as_double(counters.calls_[verb][end].value())});
            }
        }
    }
    return family;
}

metrics::Family DaemonMetrics::call_seconds() const {
    metrics::Family family{.name = "cooperage_provider_call_seconds_total",
                           .help = "Time that calls of providers took together.",
                           .type = metrics::Type::counter,
                           .labels = {"provider", "verb"}};
    for (const auto& [type, counters] : providers_) {
        if (&counters == &other_) continue;
        for (std::size_t verb = 0; verb < ProviderCounters::verbs; ++verb) {
            family.samples.push_back(
                {.labels = {type, verb_words.at(verb)},
                 .value = as_double(counters.nanoseconds_[verb].value()) / 1e9});
        }
    }
    return family;
}

metrics::Family DaemonMetrics::login_counts() const {
    return {.name = "cooperage_ssh_logins_total",
            .help = "Logins to nodes, by how they ended.",
            .type = metrics::Type::counter,
            .labels = {"outcome"},
            .samples = {{.labels = {"succeeded"}, .value = as_double(logins.value())},
                        {.labels = {"failed"}, .value = as_double(failed_logins.value())},
                        {.labels = {"untrusted"}, .value = as_double(untrusted_hosts.value())}}};
}

metrics::Family DaemonMetrics::offers() const {
    metrics::Family family{.name = metrics::offers_family,
                           .help = "1 for each plugin whose tasks the daemon takes.",
                           .labels = {"plugin"}};
    for (const auto& plugin : offers_) family.samples.push_back({.labels = {plugin}, .value = 1});
    return family;
}

metrics::Families DaemonMetrics::families(std::chrono::nanoseconds loop_lag,
                                          std::int64_t resident_bytes) const {
    using metrics::counter;
    using metrics::gauge;
    return {
        attempts(),
        attempt_times(),
        calls(),
        call_seconds(),
        login_counts(),
        offers(),
        gauge("cooperage_ssh_sessions", "Sessions to nodes that are open.",
              static_cast<double>(sessions.value())),
        counter("cooperage_tasks_claimed_total", "Tasks claimed, each turn anew.",
                as_double(claimed.value())),
        counter("cooperage_turns_waited_total",
                "Turns after which the task waits, for a machine or a node.",
                as_double(waited.value())),
        counter("cooperage_turns_lost_total", "Turns that began after their claim had run out.",
                as_double(lost.value())),
        counter("cooperage_tasks_rescued_total", "Tasks put back because their worker was gone.",
                as_double(rescued.value())),
        counter("cooperage_daemon_database_failures_total",
                "Failed calls of the queue: claims, renewals, reports.",
                as_double(database_failures.value())),
        gauge("cooperage_daemon_loop_lag_seconds",
              "Time the slowest event loop took to come to a question.",
              std::chrono::duration<double>(loop_lag).count()),
        gauge("cooperage_daemon_resident_memory_bytes", "Resident memory of the daemon.",
              static_cast<double>(resident_bytes)),
    };
}

}  // namespace provisioner::daemon
