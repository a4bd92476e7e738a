#include "fcgi/pages/home/installation.hpp"

#include <algorithm>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace store = provisioner::store;

namespace {

/// "12 running, 3 waiting, 0 due later. The longest wait is 90 s, in demo, for a free worker: ..."
std::string home_queue_words(const HomeInstallation& installation) {
    const store::WatchedNumbers& numbers = installation.numbers;
    const auto count = [](std::int64_t number) {
        return grouped(std::max<std::int64_t>(number, 0));
    };
    const std::string words =
        translated("{0} running, {1} waiting, {2} due later.", count(numbers.tasks_claimed),
                   count(numbers.tasks_due), count(numbers.tasks_later));
    const store::TenantQueue& longest = installation.longest;
    if (longest.due == 0) return words;
    return joined_sentences(words, translated("The longest wait is {0}, in {1}, for {2}.",
                                              spoken(std::chrono::seconds{longest.oldest_seconds}),
                                              longest.tenant, installation.wait.words));
}

Json home_warning(const std::string& words, const std::string& href) {
    Json json;
    json["warning"] = words;
    json["href"] = href;
    return json;
}

/// What a superadmin has to look at, apart from clusters.
Json home_warnings(const store::WatchedNumbers& numbers, const Workforce& workforce) {
    Json list = Json::array();
    if (workforce.alive == 0) {
        list.push_back(home_warning(
            translated("No provisioner is running: jobs wait until one is."), "/daemons"));
    } else if (workforce.at_work == 0) {
        list.push_back(home_warning(
            translated("All provisioners are draining: jobs wait until one is resumed."),
            "/daemons"));
    }
    const auto silent = std::ranges::count_if(
        numbers.daemons, [](const store::WatchedDaemon& daemon) { return !daemon.is_alive(); });
    if (silent > 0 && workforce.alive > 0) {
        list.push_back(home_warning(translated_count(silent, "{0} provisioner sends no heartbeat",
                                                     "{0} provisioners send no heartbeat"),
                                    "/daemons"));
    }
    std::int64_t accounts = 0;
    for (const auto& [type, count] : numbers.failing_accounts) accounts += count;
    if (accounts > 0) {
        list.push_back(
            home_warning(translated_count(accounts, "The machines of {0} account cannot be listed",
                                          "The machines of {0} accounts cannot be listed"),
                         "/unknown-machines"));
    }
    if (const std::string mails = mail_warning(numbers); !mails.empty()) {
        list.push_back(home_warning(mails, "/queues"));
    }
    if (numbers.unknown_machines > 0) {
        list.push_back(home_warning(translated_count(numbers.unknown_machines,
                                                     "{0} unknown machine", "{0} unknown machines"),
                                    "/unknown-machines"));
    }
    if (numbers.lost_machines > 0) {
        list.push_back(home_warning(
            translated_count(numbers.lost_machines, "{0} lost machine", "{0} lost machines"),
            "/unknown-machines"));
    }
    return list;
}

std::string home_provisioners(const Workforce& workforce) {
    const std::string at_work =
        translated_count(workforce.at_work, "{0} provisioner", "{0} provisioners");
    return workforce.draining == 0
               ? translated("{0} running.", at_work)
               : translated("{0} running, {1} draining.", at_work, grouped(workforce.draining));
}

std::string home_load(const Workforce& workforce) {
    const std::string busy = grouped(workforce.busy + workforce.draining_busy);
    const std::string workers = grouped(workforce.workers + workforce.draining_busy);
    return workforce.draining_busy == 0
               ? translated("{0} of {1} workers in use", busy, workers)
               : translated("{0} of {1} workers in use, {2} of them by provisioners that drain",
                            busy, workers, grouped(workforce.draining_busy));
}

}  // namespace

Json to_json(const HomeInstallation& installation) {
    const Workforce workforce = workforce_of(installation.numbers.daemons);
    Json json;
    json["queue"] = home_queue_words(installation);
    json["provisioners"] = home_provisioners(workforce);
    // Those that drain have no other workers than the ones that still have a task.
    json["capacity"] = std::max(workforce.workers + workforce.draining_busy, 1);
    json["running"] = workforce.busy + workforce.draining_busy;
    json["load"] = home_load(workforce);
    json["warnings"] = home_warnings(installation.numbers, workforce);
    json["has_warnings"] = !json["warnings"].empty();
    return json;
}

}  // namespace fcgi::pages
