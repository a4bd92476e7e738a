#include "fcgi/pages/clusters/jobs/retries.hpp"

#include <algorithm>

#include "fcgi/pages/differences/value_difference.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/audit/audit_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using namespace provisioner::model;
namespace store = provisioner::store;

namespace {

constexpr int most_retries = 50;
constexpr std::size_t most_changed = 5;

Json document_of(const std::string& text) {
    const auto document = provisioner::base::parse_json(text);
    return document && document->is_object() ? *document : Json::object();
}

Json config_of_event(const std::string& text) {
    const Json document = document_of(text);
    const auto found = document.find("config");
    return found == document.end() ? Json() : *found;
}

/// What a retry with another configuration records just before itself.
void add_configuration(store::Connection& connection, const audit::Event& retry, JobRetry& made) {
    const auto event = store::find_event(connection, retry.chain, retry.number - 1);
    const bool is_of_retry = event && event->action == "cluster.configure" &&
                             event->object.id == retry.object.id &&
                             event->actor.request == retry.actor.request;
    if (!is_of_retry) return;
    made.has_new_configuration = true;
    const Json changes =
        value_differences(config_of_event(event->before), config_of_event(event->after));
    for (const Json& change : changes) made.changed.push_back(change.at("member"));
}

std::string changed_words(std::vector<std::string> changed) {
    const std::size_t more = changed.size() > most_changed ? changed.size() - most_changed : 0;
    if (more > 0) {
        changed.resize(most_changed);
        changed.push_back(translated("{0} more", more));
    }
    return listed(changed);
}

std::string words_of_retry(const JobRetry& retry) {
    if (!retry.has_new_configuration) return translated("Retried by {0}", retry.user);
    if (retry.changed.empty()) {
        return translated("Retried by {0} with another configuration", retry.user);
    }
    return translated("Retried by {0} with another configuration (changed: {1})", retry.user,
                      changed_words(retry.changed));
}

}  // namespace

std::vector<JobRetry> read_retries(store::Connection& connection, const Cluster& cluster) {
    const auto events = store::list_events(connection,
                                           {.chain = cluster.tenant,
                                            .action = "cluster.retry",
                                            .is_whole_action = true,
                                            .object_kind = "cluster",
                                            .object = wire_id(cluster.id),
                                            .outcome = audit::Outcome::done},
                                           0, most_retries);
    std::vector<JobRetry> retries;
    for (const audit::Event& event : events) {
        const std::string job = document_of(event.before).value("job", "");
        const auto number = job.find_last_of('-');
        const auto id = provisioner::base::parse_number(
            number == std::string::npos ? "" : job.substr(number + 1));
        if (!id) continue;
        JobRetry retry{.job = JobId{*id}, .user = event.actor.name, .at = event.at};
        add_configuration(connection, event, retry);
        retries.push_back(std::move(retry));
    }
    return retries;
}

Json retries_json(const std::vector<JobRetry>& retries, JobId job,
                  provisioner::base::Timestamp now) {
    Json list = Json::array();
    for (auto retry = retries.rbegin(); retry != retries.rend(); ++retry) {
        if (retry->job != job) continue;
        list.push_back({{"words", words_of_retry(*retry)}, {"at", moment(retry->at, now)}});
    }
    return list;
}

}  // namespace fcgi::pages
