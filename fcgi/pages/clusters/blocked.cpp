#include "fcgi/pages/clusters/blocked.hpp"

#include <algorithm>
#include <string>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/changes/finish.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;

namespace {

bool can_go_on_without(const EndFacts& end) {
    return !end.has_wrong_configuration && end.failed_machines > 0;
}

bool can_keep(const EndFacts& end) {
    return !end.has_wrong_configuration && end.to_keep.has_value();
}

/// To the preview of a shrink.
WayOut way_keeping(const Cluster& cluster, const provisioner::operations::WayToKeep& way) {
    std::string query = "keep=true";
    for (const int number : way.without) query += "&nodes=" + std::to_string(number);
    return {.label = label_keeping(way),
            .href = "/clusters/" + wire_id(cluster.id) + "/shrink?" + query + "#preview",
            .goes_on = true};
}

std::vector<std::string> names_of_left_behind(const EndFacts& end) {
    std::vector<std::string> names;
    for (const auto& [service, machines] : end.left_behind) names.push_back(service);
    return names;
}

bool can_leave_behind(const EndFacts& end) {
    return end.can_leave_behind && !end.left_behind.empty();
}

std::string words_of_abort(bool is_creation, const std::string& by) {
    if (by.empty()) {
        return is_creation ? translated("The creation was aborted.")
                           : translated("The latest job was aborted.");
    }
    return is_creation ? translated("The creation was aborted by {0}.", by)
                       : translated("The latest job was aborted by {0}.", by);
}

bool is_left_configuration(const Cluster& cluster, const std::optional<Job>& job) {
    return cluster.status == ClusterStatus::inconsistent && is_failed_configuration(job);
}

std::vector<std::string> labels_of_services(const Cluster& cluster,
                                            const std::vector<std::string>& names) {
    Labels labels;
    labels.add(CatalogueKind::service, texts_of_services(cluster));
    return labels.services(names);
}

/// To the preview of their removal. Services that use added ones have not been told of them: they
/// need no restart.
WayOut way_without_services(const Cluster& cluster, const Job& job, const EndFacts& end) {
    const auto& names = end.failed_services;
    std::string query;
    if (job.operation == Operation::add_services) query = "&restart=false";
    if (end.leaves_failed) query += "&force=true";
    for (const std::string& name : names) query += "&services=" + http::percent_encode(name);
    return {.label = label_without_services(labels_of_services(cluster, names)),
            .href = "/clusters/" + wire_id(cluster.id) + "/services/remove?" + query.substr(1) +
                    "#preview",
            .goes_on = true};
}

/// To the preview of a change that no longer tries to remove them.
WayOut way_leaving_behind(const Cluster& cluster, const EndFacts& end) {
    std::string query = "force=true";
    const auto names = names_of_left_behind(end);
    for (const std::string& name : names) query += "&services=" + http::percent_encode(name);
    return {.label = label_leaving_services(labels_of_services(cluster, names)),
            .href = "/clusters/" + wire_id(cluster.id) + "/services/remove?" + query + "#preview",
            .goes_on = true};
}

/// What should have been removed and is still there; empty if nothing is.
std::string words_of_left_behind(const Cluster& cluster, const EndFacts& end) {
    std::string words;
    for (const auto& [service, machines] : end.left_behind) {
        words += ' ' + translated_count(static_cast<std::size_t>(machines),
                                        "{1} is not yet removed from {0} machine.",
                                        "{1} is not yet removed from {0} machines.",
                                        labels_of_services(cluster, {service}).front());
    }
    return words;
}

/// Whether "Change configuration and retry" is a way, if the configuration is not what failed.
bool can_change_and_retry(const Cluster& cluster, const std::optional<Job>& job) {
    return is_repairable_creation(cluster, job) ||
           provisioner::operations::can_be_finished(cluster, job);
}

/// Whether "Start all services" is a way: a start that has failed is what a retry runs again.
bool can_start_all(const std::optional<Job>& job) {
    return is_failed_service_action(job) && job->operation != Operation::start_services;
}

bool can_go_back(const Cluster& cluster, const std::optional<Job>& job, const EndFacts& end) {
    return end.can_go_back &&
           (can_change_and_retry(cluster, job) || cluster.status == ClusterStatus::inconsistent);
}

/// What can be done instead of running again what is left, in the order of the buttons. A failed
/// creation says itself that its configuration can be changed.
std::vector<std::string> other_ways(const Cluster& cluster, const std::optional<Job>& job,
                                    const EndFacts& end) {
    std::vector<std::string> ways;
    if (can_start_all(job)) ways.push_back(translated("start all services"));
    if (can_keep(end)) {
        const std::size_t without = end.to_keep->without.size();
        const std::string kept = names_of_kept(*end.to_keep);
        ways.push_back(without == 0 ? translated("go on and keep {0}", kept)
                                    : translated_count(
                                          without, "go on without the new machine and keep {1}",
                                          "go on without the {0} new machines and keep {1}", kept));
    }
    if (can_go_on_without(end)) {
        ways.push_back(job->aborted ? translated("go on without the machines that are not finished")
                                    : translated("go on without the machines that failed"));
    }
    if (!end.failed_services.empty()) {
        ways.push_back(job->aborted ? translated("go on without the services that are not finished")
                                    : translated("go on without the services that failed"));
    }
    if (can_leave_behind(end)) {
        const auto labels = labels_of_services(cluster, names_of_left_behind(end));
        ways.push_back(translated_count(labels.size(), "go on and leave {1} as it is",
                                        "go on and leave {1} as they are", listed(labels)));
    }
    if (is_left_configuration(cluster, job)) {
        ways.push_back(translated("change the configuration"));
    } else if (can_change_and_retry(cluster, job) && !is_failed_creation(cluster, job)) {
        ways.push_back(translated("change the configuration and retry"));
    }
    if (can_go_back(cluster, job, end)) {
        ways.push_back(translated("go back to the last configuration that worked"));
    }
    return ways;
}

/// "go on without the machines that failed, or change the configuration and retry"; with one way
/// "or ..." alone.
std::string alternatives_in(const std::vector<std::string>& ways) {
    std::string words = translated("or {0}", ways.back());
    for (std::size_t at = ways.size() - 1; at > 0; --at) words = ways[at - 1] + ", " + words;
    return words;
}

std::string words_of_remaining_work(const std::vector<std::string>& others) {
    return others.empty() ? translated("Run the remaining tasks.")
                          : translated("Run the remaining tasks, {0}.", alternatives_in(others));
}

std::string words_of_failed_creation(const std::vector<std::string>& others) {
    if (others.empty()) {
        return translated(
            "The creation failed. Retry it, with the same configuration or another one. For "
            "another provider or type of machine, create the cluster again and delete this one.");
    }
    return translated(
        "The creation failed. Retry it, with the same configuration or another one, {0}. For "
        "another provider or type of machine, create the cluster again and delete this one.",
        alternatives_in(others));
}

std::string words_of_failed_configuration(const EndFacts& end) {
    const std::string words =
        end.can_go_back
            ? translated(
                  "The latest configuration failed. If a value of it is wrong, change it or go "
                  "back: "
                  "a retry applies the same values again.")
            : translated(
                  "The latest configuration failed. If a value of it is wrong, change it: a retry "
                  "applies the same values again.");
    if (!can_go_on_without(end)) return words;
    return words + ' ' +
           translated_count(static_cast<std::size_t>(end.failed_machines),
                            "If the machine that failed is broken, go on without it.",
                            "If the {0} machines that failed are broken, go on without them.");
}

std::string words_of_end(const Cluster& cluster, const std::optional<Job>& job,
                         const EndFacts& end) {
    if (!may_be_retried(cluster, job)) return "";
    const bool is_creation = is_repairable_creation(cluster, job);
    if (end.has_wrong_configuration) {
        return can_go_back(cluster, job, end)
                   ? translated(
                         "A value of the configuration is wrong, so a retry would fail again. "
                         "Change it or go back to the last configuration that worked.")
                   : translated(
                         "A value of the configuration is wrong, so a retry would fail again. "
                         "Change it.");
    }
    const auto others = other_ways(cluster, job, end);
    if (is_left_unfinished(job)) {
        return (job->aborted ? words_of_abort(is_creation, end.aborted_by)
                             : translated("The latest job is not finished.")) +
               ' ' + words_of_remaining_work(others);
    }
    if (is_creation) return words_of_failed_creation(others);
    if (is_left_configuration(cluster, job)) return words_of_failed_configuration(end);
    if (job->operation == Operation::cluster_delete) {
        return translated("The deletion failed. Retry it: the cluster can only be deleted.");
    }
    return others.empty()
               ? translated("The latest job failed. Retry it.")
               : translated("The latest job failed. Retry it, {0}.", alternatives_in(others));
}

std::string name_without_failed(const Job& job, const EndFacts& end) {
    const auto machines = static_cast<std::size_t>(end.failed_machines);
    if (job.aborted) {
        return translated_count(machines, "Go on without the unfinished machine",
                                "Go on without the {0} unfinished machines");
    }
    if (end.served_machines > 0 && end.served_machines < end.failed_machines) {
        return translated("Go on without the {0} machines that failed; {1} had served before",
                          provisioner::messages::grouped(end.failed_machines),
                          provisioner::messages::grouped(end.served_machines));
    }
    if (end.served_machines > 0) {
        return translated_count(
            machines, "Go on without the machine that failed, which had served before",
            "Go on without the {0} machines that failed, which had served before");
    }
    return translated_count(machines, "Go on without the machine that failed",
                            "Go on without the {0} machines that failed");
}

}  // namespace

void fit_to_failures(EndFacts& end, const std::vector<provisioner::store::FailedService>& failures,
                     const std::function<bool(const std::vector<std::string>&)>& can_spare) {
    if (failures.empty()) return;
    const auto is_any_of = [&](const std::vector<std::string>& services) {
        return std::ranges::any_of(failures, [&](const auto& failed) {
            return std::ranges::count(services, failed.name) > 0;
        });
    };
    end.can_leave_behind = is_any_of(names_of_left_behind(end));
    const bool only_leave =
        std::ranges::all_of(failures, &provisioner::store::FailedService::only_leaving);
    if (end.failed_services.empty() || is_any_of(end.failed_services) || !only_leave) return;
    auto all = end.failed_services;
    for (const auto& failed : failures) all.push_back(failed.name);
    std::ranges::sort(all);
    if (!can_spare(all)) return;
    end.failed_services = std::move(all);
    end.leaves_failed = true;
}

std::string label_without_services(const std::vector<std::string>& labels) {
    return translated("Go on without {0}", listed(labels));
}

std::string label_leaving_services(const std::vector<std::string>& labels) {
    return translated_count(labels.size(), "Go on and leave {1} as it is",
                            "Go on and leave {1} as they are", listed(labels));
}

std::string label_without_failed(const Job& job, const EndFacts& end) {
    return label_with_going(name_without_failed(job, end),
                            static_cast<std::size_t>(end.leaving_machines));
}

std::string label_with_going(const std::string& name, std::size_t machines) {
    if (machines == 0) return name;
    return translated_count(machines, "{1} and remove {0} machine", "{1} and remove {0} machines",
                            name);
}

std::string names_of_kept(const provisioner::operations::WayToKeep& way) {
    std::vector<std::string> hosts;
    for (const auto& machine : way.kept) hosts.push_back(machine.hostname);
    return listed_hosts(std::move(hosts));
}

std::string label_keeping(const provisioner::operations::WayToKeep& way) {
    const std::string kept = names_of_kept(way);
    const std::string name =
        way.without.empty()
            ? translated("Go on and keep {0}", kept)
            : translated_count(way.without.size(), "Go on without the new machine and keep {1}",
                               "Go on without the {0} new machines and keep {1}", kept);
    return label_with_going(name, static_cast<std::size_t>(way.others_leaving));
}

std::string label_going_back() {
    return translated("Go back to the last configuration that worked");
}

WaysOut ways_out(const Cluster& cluster, const std::optional<Job>& job, const EndFacts& end) {
    if (!may_be_retried(cluster, job)) return {};
    const std::string href = "/clusters/" + wire_id(cluster.id);
    const bool is_configuration = is_left_configuration(cluster, job);
    WaysOut out{.words = words_of_end(cluster, job, end) + words_of_left_behind(cluster, end)};
    const WayOut retry{.label = is_left_unfinished(job) ? translated("Run the remaining tasks")
                                                        : translated("Retry"),
                       .post = href + "/retry"};
    const bool is_retried = can_change_and_retry(cluster, job);
    const WayOut change{.label = is_retried ? translated("Change configuration and retry")
                                            : translated("Change the configuration"),
                        .href = href + "/configure"};
    const bool changes_first =
        is_configuration || (end.has_wrong_configuration &&
                             (is_retried || cluster.status == ClusterStatus::inconsistent));
    if (changes_first) out.ways.push_back(change);
    const WayOut back{.label = label_going_back(),
                      .href = href + "/configure?from=working#preview",
                      .goes_on = true};
    const bool goes_back = can_go_back(cluster, job, end);
    if (goes_back && is_configuration) out.ways.push_back(back);
    out.ways.push_back(retry);
    if (can_start_all(job)) {
        out.ways.push_back({.label = translated("Start all services"),
                            .href = href + "/services/start",
                            .goes_on = true});
    }
    if (can_keep(end)) out.ways.push_back(way_keeping(cluster, *end.to_keep));
    if (can_go_on_without(end)) {
        out.ways.push_back(
            {.label = label_without_failed(*job, end), .href = href + "/shrink", .goes_on = true});
    }
    if (!end.failed_services.empty()) {
        out.ways.push_back(way_without_services(cluster, *job, end));
    }
    if (can_leave_behind(end)) {
        out.ways.push_back(way_leaving_behind(cluster, end));
    }
    if (is_retried && !changes_first) out.ways.push_back(change);
    if (goes_back && !is_configuration) out.ways.push_back(back);
    if (is_failed_creation(cluster, job)) {
        out.ways.push_back({.label = translated("Create again"),
                            .href = "/clusters/new?like=" + wire_id(cluster.id)});
    }
    return out;
}

Json ways_json(const WaysOut& out, bool leads) {
    Json ways = Json::array();
    for (const WayOut& way : out.ways) {
        ways.push_back({{"label", way.label},
                        {"post", way.post},
                        {"href", way.href},
                        {"look", leads && ways.empty() ? "primary" : ""}});
    }
    return {{"words", out.words}, {"ways", std::move(ways)}};
}

bool is_failed_creation(const Cluster& cluster, const std::optional<Job>& job) {
    return is_repairable_creation(cluster, job) && !is_left_unfinished(job);
}

bool is_repairable_creation(const Cluster& cluster, const std::optional<Job>& job) {
    return cluster.status == ClusterStatus::incomplete && job &&
           job->operation == Operation::cluster_create && job->status == JobStatus::failed;
}

Json blocked_json(const Cluster& cluster, const std::optional<Job>& job,
                  const std::vector<ClusterStatus>& allowed, const EndFacts& end) {
    if (std::ranges::count(allowed, cluster.status) > 0) return nullptr;
    const std::string href = "/clusters/" + wire_id(cluster.id);
    WaysOut out;
    switch (cluster.status) {
        case ClusterStatus::pending:
            if (job && job->status == JobStatus::paused && !job->aborted) {
                out = {.words = translated(
                           "A job of this cluster is paused. You can change the cluster when the "
                           "job has ended. It goes on when you resume it."),
                       .ways = {{.label = translated("Resume"), .post = href + "/resume"},
                                {.label = translated("See the job"), .href = href}}};
                break;
            }
            out = {.words = translated(
                       "A job is running on this cluster. You can change the cluster when it has "
                       "ended."),
                   .ways = {{.label = translated("Follow the job"), .href = href}}};
            break;
        case ClusterStatus::terminated:
            out = {.words = was_never_created(job) ? translated("This cluster was never created.")
                                                   : translated("This cluster was deleted."),
                   .ways = {{.label = translated("Create it again"),
                             .href = "/clusters/new?like=" + wire_id(cluster.id)}}};
            break;
        default:
            out = ways_out(cluster, job, end);
    }
    if (out.ways.empty()) {
        out = {.words = translated("This cluster cannot be changed now."),
               .ways = {{.label = translated("See its state"), .href = href}}};
    }
    return ways_json(out);
}

}  // namespace fcgi::pages
