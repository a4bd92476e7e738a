#include "fcgi/pages/clusters/jobs/retries.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "fcgi/pages/differences/value_difference.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/changes/go_on.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/jobs/job_end_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr int most_retries = 50;
constexpr std::size_t most_changed = 5;
constexpr std::size_t most_retried_names = 3;

Json document_of(const std::string& text) {
    const auto document = provisioner::base::parse_json(text);
    return document && document->is_object() ? *document : Json::object();
}

Json config_of_event(const std::string& text) {
    const Json document = document_of(text);
    const auto found = document.find("config");
    return found == document.end() ? Json() : *found;
}

/// "web.port from 80 to 81"
std::string words_of_value(const Json& change) {
    const std::string member = change.at("member");
    const auto shown = [&](const char* side) {
        const auto& text = change.at(side).get_ref<const std::string&>();
        return text.empty() ? text : value_in_words("defaults.config." + member, text);
    };
    const std::string before = shown("before");
    const std::string after = shown("after");
    if (before == after) return member;
    if (after.empty()) return translated("{0} removed", member);
    return before.empty() ? translated("{0} set to {1}", member, after)
                          : translated("{0} from {1} to {2}", member, before, after);
}

/// What a retry with another configuration records just before itself.
void add_configuration(store::Connection& connection, const audit::Event& retry, JobRetry& made) {
    const auto event = store::find_event(connection, retry.chain, retry.number - 1);
    const bool is_of_retry = event && event->action == "cluster.configure" &&
                             event->object.id == retry.object.id &&
                             event->actor.request == retry.actor.request;
    if (!is_of_retry) return;
    made.has_new_configuration = true;
    made.changed = changed_values(event->before, event->after);
}

/// The machines of an event of a retry, by their short names.
std::vector<std::string> machines_of_event(const audit::Event& event) {
    const Json document = document_of(event.after);
    const auto found = document.find("machines");
    std::vector<std::string> machines;
    if (found == document.end() || !found->is_array()) return machines;
    for (const Json& name : *found) {
        if (name.is_string()) machines.push_back(short_name(name.get<std::string>()));
    }
    return machines;
}

std::string words_of_retry(const JobRetry& retry, bool is_after_abort) {
    if (retry.kind == JobRetry::Kind::abort) return translated("Aborted by {0}", retry.user);
    if (!retry.machines.empty()) {
        return translated_count(retry.machines.size(), "{0} machine retried by {1}: {2}",
                                "{0} machines retried by {1}: {2}", retry.user,
                                listed(retry.machines, most_retried_names));
    }
    if (is_after_abort && !retry.has_new_configuration) {
        return translated("Remaining tasks run by {0}", retry.user);
    }
    if (!retry.has_new_configuration) return translated("Retried by {0}", retry.user);
    if (retry.changed.empty()) {
        return translated("Retried by {0} with another configuration", retry.user);
    }
    return translated("Retried by {0} with another configuration (changed: {1})", retry.user,
                      listed(retry.changed, most_changed));
}

std::vector<audit::Event> events_of(store::Connection& connection, const Cluster& cluster,
                                    const char* action, int most = most_retries) {
    return store::list_events(connection,
                              {.chain = cluster.tenant,
                               .action = action,
                               .is_whole_action = true,
                               .object_kind = "cluster",
                               .object = wire_id(cluster.id),
                               .outcome = audit::Outcome::done},
                              0, most);
}

/// The job that a document of an event names; nothing if it names none.
std::optional<JobId> job_of(const std::string& text) {
    const std::string job = provisioner::base::text_at(document_of(text), "job");
    const auto number = job.find_last_of('-');
    if (number == std::string::npos) return std::nullopt;
    const auto id = provisioner::base::parse_number(job.substr(number + 1));
    return id ? std::optional(JobId{*id}) : std::nullopt;
}

struct ActionOnJob {
    JobRetry::Kind kind;
    const char* action;
};

constexpr std::array actions_on_jobs{ActionOnJob{JobRetry::Kind::retry, "cluster.retry"},
                                     ActionOnJob{JobRetry::Kind::abort, "cluster.abort"},
                                     ActionOnJob{JobRetry::Kind::pause, "cluster.pause"},
                                     ActionOnJob{JobRetry::Kind::resume, "cluster.resume"}};

void add_events(store::Connection& connection, const Cluster& cluster, const ActionOnJob& of,
                std::vector<JobRetry>& retries) {
    const bool is_retry = of.kind == JobRetry::Kind::retry;
    for (const audit::Event& event : events_of(connection, cluster, of.action)) {
        const auto job = job_of(event.before);
        if (!job) continue;
        JobRetry retry{.job = *job, .kind = of.kind, .user = event.actor.name, .at = event.at};
        if (is_retry) {
            retry.machines = machines_of_event(event);
            add_configuration(connection, event, retry);
        }
        retries.push_back(std::move(retry));
    }
}

/// The abort that ended the job.
const JobRetry* last_abort(const std::vector<JobRetry>& retries, const Job& job) {
    if (!job.aborted) return nullptr;
    const auto last = std::ranges::find(retries, job.id, &JobRetry::job);
    return last != retries.end() && last->kind == JobRetry::Kind::abort ? &*last : nullptr;
}

}  // namespace

std::vector<std::string> changed_values(const std::string& before, const std::string& after) {
    const Json old = config_of_event(before);
    const Json fresh = config_of_event(after);
    // Of a document that is too large the log has no values.
    if (!old.is_object() || !fresh.is_object()) return {};
    std::vector<std::string> words;
    const Json changes = value_differences(old, fresh);
    for (const Json& change : changes) words.push_back(words_of_value(change));
    return words;
}

std::vector<JobRetry> read_retries(store::Connection& connection, const Cluster& cluster) {
    std::vector<JobRetry> retries;
    for (const ActionOnJob& of : actions_on_jobs) add_events(connection, cluster, of, retries);
    for (const audit::Event& event : events_of(connection, cluster, "cluster.configure")) {
        // Of a retry, or of a time when events did not name their job.
        const auto job = job_of(event.after);
        if (!job) continue;
        retries.push_back({.job = *job,
                           .kind = JobRetry::Kind::configure,
                           .user = event.actor.name,
                           .at = event.at,
                           .changed = changed_values(event.before, event.after)});
    }
    std::ranges::stable_sort(retries, std::greater(), &JobRetry::at);
    return retries;
}

Json retries_json(const std::vector<JobRetry>& retries, const Job& job,
                  provisioner::base::Timestamp now) {
    const JobRetry* const end = last_abort(retries, job);
    bool is_after_abort = false;
    Json list = Json::array();
    for (auto retry = retries.rbegin(); retry != retries.rend(); ++retry) {
        const bool is_of_job = retry->job == job.id && (retry->kind == JobRetry::Kind::retry ||
                                                        retry->kind == JobRetry::Kind::abort);
        if (!is_of_job || &*retry == end) continue;
        list.push_back(
            {{"words", words_of_retry(*retry, is_after_abort)}, {"at", moment(retry->at, now)}});
        is_after_abort = retry->kind == JobRetry::Kind::abort;
    }
    return list;
}

namespace {

/// Whether its failure may be that of single services.
bool is_about_services(const Job& job) {
    switch (job.operation) {
        case Operation::cluster_create:
        case Operation::cluster_grow:
        case Operation::cluster_shrink:
        case Operation::replace_node:
        case Operation::add_services:
        case Operation::remove_services:
            return true;
        default:
            return false;
    }
}

/// Those without which the cluster can go on; of a failed addition all, if some of its services
/// need others that failed. After an abort those that it was adding, or finishing for another job.
std::vector<std::string> failed_services(store::Connection& connection, const Cluster& cluster,
                                         const Job& job,
                                         const std::vector<store::MachineGroup>& groups) {
    const auto can_spare = [&](const std::vector<std::string>& services) {
        return operations::can_spare_services(cluster, groups, services);
    };
    const bool adds = job.operation == Operation::add_services;
    if (auto failed = store::services_never_started_by(connection, job.id); can_spare(failed)) {
        return failed;
    }
    if (adds) {
        auto added = store::services_set_up_by(connection, job.id);
        if (can_spare(added)) return added;
    }
    // One that takes something away, or brings another configuration, installs only what a failed
    // addition has left.
    const bool may_finish = adds || job.operation == Operation::cluster_shrink ||
                            job.operation == Operation::remove_services;
    if (!job.aborted || !may_finish) return {};
    auto added = store::services_installed_by(connection, job.id);
    return can_spare(added) ? added : std::vector<std::string>();
}

void read_failed_machines(store::Connection& connection, EndFacts& end, const Cluster& cluster,
                          const Job& job) {
    const auto which = operations::failed_machines_after(cluster, job);
    if (!which) return;
    const auto groups = store::machine_groups(connection, cluster.id, job.id, *which);
    if (!operations::can_spare_failed(cluster, groups)) return;
    for (const store::MachineGroup& group : groups) end.failed_machines += group.failed;
    end.leaving_machines = store::leaving_machines_of(connection, cluster.id);
    if (*which == store::FailedMachines::with_failed_task) {
        end.served_machines = store::failed_serving_machines_of(connection, job.id);
    }
}

/// What can go has to be known where something has failed, or rules about services say it. Without
/// these only the number of machines counts, which pages have.
bool may_depend_on_services(const Cluster& cluster) {
    const bool may_shrink = cluster.status == ClusterStatus::active ||
                            cluster.status == ClusterStatus::incomplete ||
                            cluster.status == ClusterStatus::inconsistent;
    const bool has_rules = !cluster.snapshot.cluster_template.constraints.services.empty();
    const bool may_some_leave = cluster.status != ClusterStatus::active;
    return may_shrink && (has_rules || may_some_leave);
}

}  // namespace

EndFacts read_end(store::Connection& connection, const Cluster& cluster,
                  const std::optional<Job>& job) {
    const bool is_failed =
        job && job->status == JobStatus::failed && job->operation != Operation::cluster_delete;
    EndFacts end;
    std::vector<store::MachineGroup> groups;
    if (may_depend_on_services(cluster)) {
        groups = store::machine_groups(connection, cluster.id);
        end.are_all_needed = !operations::can_spare_any(cluster, groups);
    }
    if (!is_failed) return end;
    end.has_wrong_configuration = store::has_wrong_configuration(connection, job->id);
    end.can_go_back = store::working_config(connection, cluster.id).has_value();
    end.to_keep = operations::way_to_keep(connection, cluster, *job);
    read_failed_machines(connection, end, cluster, *job);
    if (is_about_services(*job)) {
        end.failed_services = failed_services(connection, cluster, *job, groups);
        end.left_behind = store::services_left_behind_by(connection, job->id);
        const auto failures = job->aborted ? std::vector<store::FailedService>()
                                           : store::services_failed_in(connection, job->id);
        fit_to_failures(end, failures, [&](const std::vector<std::string>& services) {
            return operations::can_spare_services(cluster, groups, services);
        });
    }
    if (!job->aborted) return end;
    const auto events = events_of(connection, cluster, "cluster.abort", 1);
    const bool is_of_job = !events.empty() && job_of(events.front().before) == job->id;
    if (is_of_job) end.aborted_by = events.front().actor.name;
    return end;
}

std::string stop_words(const std::vector<JobRetry>& retries, const Job& job) {
    if (const JobRetry* const abort = last_abort(retries, job)) {
        return translated("Aborted by {0}.", abort->user);
    }
    const auto last = std::ranges::find(retries, job.id, &JobRetry::job);
    if (last == retries.end()) return "";
    if (job.status == JobStatus::paused && last->kind == JobRetry::Kind::pause) {
        return translated("Paused by {0}.", last->user);
    }
    const bool goes_on = job.status == JobStatus::running && last->kind == JobRetry::Kind::resume;
    return goes_on ? translated("Resumed by {0}.", last->user) : "";
}

std::string configured_words(const std::vector<JobRetry>& retries, const Job& job) {
    const auto made = std::ranges::find_if(retries, [&](const JobRetry& one) {
        return one.kind == JobRetry::Kind::configure && one.job == job.id;
    });
    if (made == retries.end() || made->changed.empty()) return "";
    return translated("Changed: {0}.", listed(made->changed, most_changed));
}

}  // namespace fcgi::pages
