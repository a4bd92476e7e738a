#include "fcgi/pages/clusters/tabs/failures.hpp"

#include <algorithm>
#include <map>

#include "fcgi/pages/clusters/tabs/failure_groups.hpp"
#include "fcgi/pages/clusters/tabs/jobs.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::store::KindCount;
using provisioner::store::ListedMachine;

namespace {

constexpr std::size_t most_groups = 5;
constexpr std::size_t most_hosts = 10;

Json hosts_json(const ClusterPage& page, const FailureGroup& group) {
    std::map<NodeId, const ListedMachine*> machines;
    for (const ListedMachine& machine : page.machines) machines[machine.node] = &machine;
    Json hosts = Json::array();
    for (const NodeId node : machines_of(group)) {
        const auto found = machines.find(node);
        if (found == machines.end() || hosts.size() == most_hosts) continue;
        const ListedMachine& machine = *found->second;
        hosts.push_back({{"host", short_name(machine.hostname)},
                         {"href", page.href() + "/machines/" + std::to_string(machine.nodenum)}});
    }
    return hosts;
}

/// What retries the machines of a group; null where nothing can be retried.
Json retry_json(const ClusterPage& page, const Job& job, const FailureGroup& group) {
    if (!page.may_retry() || page.job->id != job.id) return nullptr;
    const std::size_t count = machines_of(group).size();
    return {{"href", page.href() + "/retry"},
            {"label", label_of_retry(page.is_left_unfinished(), count)}};
}

/// The machines that have a task like those of the group. A machine that was made again has some
/// of its tasks twice.
std::size_t machines_with_task(const ClusterPage& page, const FailureGroup& group) {
    const Task& like = *group.tasks.front();
    std::size_t tasks = 0;
    for (const KindCount& count : page.kinds) {
        const bool is_like = count.kind.action == like.action && count.kind.service == like.service;
        if (is_like) tasks += static_cast<std::size_t>(count.tasks);
    }
    return std::max(std::min(tasks, page.machines.size()), machines_of(group).size());
}

/// "on 2 of 5 machines".
std::string where_words(const ClusterPage& page, const FailureGroup& group) {
    return translated(
        "on {0} of {1}", grouped(machines_of(group).size()),
        translated_count(machines_with_task(page, group), "{0} machine", "{0} machines"));
}

/// Where all that the task printed is read; empty if it printed nothing.
std::string whole_output_href(const ClusterPage& page, const Task& task) {
    const auto output = page.outputs.find(task.id);
    const bool has_output =
        output == page.outputs.end() ? !is_done_by_provider(task) : !output->second.empty();
    return has_output ? page.href() + "/tasks/" + std::to_string(task.id.value) : "";
}

Json group_json(const ClusterPage& page, const Job& job, const FailureGroup& group) {
    const Task& first = *group.tasks.front();
    const auto output = page.outputs.find(first.id);
    Json hosts = hosts_json(page, group);
    const std::size_t more = machines_of(group).size() - hosts.size();
    Json json;
    json["what"] = what_it_does(first, page.labels);
    json["number"] = first.id.value;
    json["retry"] = retry_json(page, job, group);
    json["where"] = where_words(page, group);
    json["message"] = said_once(first);
    json["hosts"] = std::move(hosts);
    json["more"] = more == 0 ? "" : translated("and {0} more", grouped(more));
    // All of that kind, whatever they say.
    json["more_href"] = page.href() + "/jobs/" + std::to_string(job.id.value) +
                        query_of_kind(first.action, first.service) + "&state=failed#tasks";
    json["task"] = whole_output_href(page, first);
    json["output"] = output == page.outputs.end() ? "" : shown(output->second);
    return json;
}

/// "Retrying 3 tasks: install cache, start web and 2 more".
std::string retried_words(const std::vector<FailureGroup>& groups, std::size_t tasks,
                          const Labels& labels, bool is_paused) {
    constexpr std::size_t most_named = 3;
    std::vector<std::string> named;
    for (const FailureGroup& group : groups) {
        const std::string what = what_it_does(*group.tasks.front(), labels);
        if (std::ranges::count(named, what) == 0) named.push_back(what);
    }
    const std::string count = translated_count(tasks, "{0} task", "{0} tasks");
    return is_paused
               ? translated("Paused before retrying {0}: {1}", count, listed(named, most_named))
               : translated("Retrying {0}: {1}", count, listed(named, most_named));
}

}  // namespace

Json failures_json(const ClusterPage& page, const Job& job) {
    Json json = Json::array();
    for (const FailureGroup& group : failure_groups(page.tasks)) {
        if (json.size() == most_groups) break;
        json.push_back(group_json(page, job, group));
        // One log is enough to see at once.
        json.back()["open"] = json.size() == 1;
    }
    return json;
}

Json retried_json(const ClusterPage& page) {
    if (page.retried.empty()) return nullptr;
    std::vector<const Task*> tasks;
    for (const Task& task : page.retried) tasks.push_back(&task);
    const auto all = groups_that_say_the_same(tasks);
    Json groups = Json::array();
    for (const FailureGroup& group : all) {
        if (groups.size() == most_groups) break;
        const Task& first = *group.tasks.front();
        groups.push_back({{"what", what_it_does(first, page.labels)},
                          {"where", where_words(page, group)},
                          {"hosts", hosts_json(page, group)},
                          {"words", next_attempt_words(first)},
                          {"message", said_once(first)},
                          {"task", page.href() + "/tasks/" + std::to_string(first.id.value)}});
    }
    return {{"words", retried_words(all, tasks.size(), page.labels,
                                    page.job && page.job->status == JobStatus::paused)},
            {"groups", std::move(groups)}};
}

}  // namespace fcgi::pages
