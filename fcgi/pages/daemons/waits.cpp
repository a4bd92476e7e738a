#include "fcgi/pages/daemons/waits.hpp"

#include <algorithm>
#include <map>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace store = provisioner::store;

namespace {

bool offers_all(const std::set<std::string>& offered, const std::vector<std::string>& needs) {
    return std::ranges::all_of(needs, [&](const auto& need) { return offered.contains(need); });
}

/// "provider aws" -> "provider type aws", "shell" -> "automator shell".
std::string needed_plugin(const std::string& need) {
    constexpr std::string_view of_providers = "provider ";
    return need.starts_with(of_providers)
               ? translated("provider type {0}", need.substr(of_providers.size()))
               : translated("automator {0}", need);
}

/// Those that no provisioner offers; all of them if each is offered, but not by the same one.
std::string lacking_words(const std::vector<std::string>& needs, const Workforce& workforce) {
    std::vector<std::string> missing;
    std::vector<std::string> all;
    for (const auto& need : needs) {
        all.push_back(needed_plugin(need));
        const bool is_offered = std::ranges::any_of(
            workforce.offers, [&](const auto& offered) { return offered.contains(need); });
        if (!is_offered) missing.push_back(all.back());
    }
    return listed(missing.empty() ? all : missing);
}

}  // namespace

std::string mail_warning(const store::WatchedNumbers& numbers) {
    if (numbers.mails_failing == 0) return "";
    return translated_count(numbers.mails_failing, "{0} email cannot be sent, for {1} now ({2}).",
                            "{0} emails cannot be sent, for {1} now ({2}).",
                            spoken(std::chrono::seconds{numbers.mails_failing_seconds}),
                            numbers.mail_error);
}

Workforce workforce_of(const std::vector<store::WatchedDaemon>& daemons) {
    Workforce workforce;
    bool all_say = true;
    for (const store::WatchedDaemon& daemon : daemons) {
        if (!daemon.is_alive()) continue;
        ++workforce.alive;
        if (daemon.drains) {
            ++workforce.draining;
            workforce.draining_busy += daemon.running;
            continue;
        }
        ++workforce.at_work;
        workforce.workers += daemon.capacity;
        workforce.busy += std::min(daemon.running, daemon.capacity);
        auto offers = daemon.offers();
        all_say = all_say && offers.has_value();
        if (offers) workforce.offers.push_back(*std::move(offers));
    }
    if (!all_say) workforce.offers.clear();
    return workforce;
}

void count_claims(std::vector<store::WatchedDaemon>& daemons,
                  const std::vector<store::WorkInFlight>& claims) {
    std::map<std::string, int> tasks;
    for (const store::WorkInFlight& claim : claims) {
        tasks[store::instance_of(claim.worker)] += claim.tasks;
    }
    for (store::WatchedDaemon& daemon : daemons) daemon.running = tasks[daemon.instance];
}

int due_of_all(const std::vector<store::TenantQueue>& queues) {
    int due = 0;
    for (const auto& queue : queues) due += queue.due;
    return due;
}

TaskWait wait_of(const std::vector<std::string>& needs, const store::TenantQueue& queue, int due,
                 const Workforce& workforce) {
    if (workforce.alive == 0) return {translated("a provisioner: none is running")};
    if (workforce.at_work == 0) return {translated("a provisioner: all are draining")};
    const bool is_offered =
        workforce.offers.empty() || std::ranges::any_of(workforce.offers, [&](const auto& offered) {
            return offers_all(offered, needs);
        });
    if (!is_offered) {
        return {translated("a provisioner with {0}: none that takes tasks has it",
                           lacking_words(needs, workforce))};
    }
    // Between two tasks a worker is free for a moment, so that who waits is counted, too.
    if (queue.workers > 0 && queue.running + queue.due > queue.workers) {
        return {.words = translated("the tenant's limit: {0} of {1} in use", grouped(queue.running),
                                    translated_count(queue.workers, "{0} worker", "{0} workers")),
                .is_limit = true};
    }
    if (workforce.busy + due > workforce.workers) {
        return {translated("a free worker: {0} of {1} in use", grouped(workforce.busy),
                           translated_count(workforce.workers, "{0} worker", "{0} workers"))};
    }
    return {translated("its turn: a provisioner takes it within seconds")};
}

}  // namespace fcgi::pages
