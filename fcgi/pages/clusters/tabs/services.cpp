#include "fcgi/pages/clusters/tabs/services.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/clusters/touched_services.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
namespace operations = provisioner::operations;
using provisioner::store::ListedMachine;
using provisioner::store::ServiceState;

namespace {

bool has_run_actions(const Service& service) {
    return service.actions.contains(Action::start) || service.actions.contains(Action::stop);
}

PlaceLook look_of_state(const ServiceState& state) {
    if (state.state == TaskState::claimed) return PlaceLook::at_work;
    if (state.state == TaskState::failed) return PlaceLook::failed;
    return state.action == Action::start ? PlaceLook::running : PlaceLook::stopped;
}

void count(ServiceSummary& summary, PlaceLook look) {
    switch (look) {
        case PlaceLook::failed:
            ++summary.failed;
            return;
        case PlaceLook::at_work:
            ++summary.at_work;
            return;
        case PlaceLook::running:
            ++summary.running;
            return;
        case PlaceLook::stopped:
            ++summary.stopped;
            return;
    }
}

/// How far a service is at a machine where it was neither started nor stopped: as the overview
/// shows it, by the tasks of the service where they are known, else by those of its machine.
MachineLook look_of_place(const ClusterPage& page, const ListedMachine& machine,
                          const TaskList& tasks) {
    if (tasks.empty() || page.machines.size() > machines_with_all_tasks) {
        const MachineLook look = look_of(page, machine, MachinePart::services);
        const bool is_elsewhere = look == MachineLook::failed || look == MachineLook::running ||
                                  look == MachineLook::change_waits;
        if (!is_elsewhere) return look;
        return page.changes() ? MachineLook::waiting : MachineLook::untouched;
    }
    const Progress progress = progress_of(tasks);
    if (progress.done == progress.total) return MachineLook::ready;
    const bool is_over =
        std::ranges::all_of(tasks, [](const Task* task) { return pages::is_over(*task); });
    if (page.changes() && !is_over) return MachineLook::waiting;
    return progress.done > 0 ? MachineLook::unfinished : MachineLook::untouched;
}

/// Counts the places of which nothing is known but how far the latest job is.
void count_not_there_yet(const ClusterPage& page, const PlaceLooks& known,
                         std::map<std::string, ServiceSummary>& by_name) {
    // What an active cluster does not know about its services it once knew.
    if (page.cluster.status == ClusterStatus::active) return;
    std::map<std::pair<NodeId, std::string>, TaskList> tasks;
    for (const Task& task : page.tasks) tasks[{task.node, task.service}].push_back(&task);
    for (const ListedMachine& machine : page.machines) {
        for (const std::string& name : machine.services) {
            ServiceSummary& summary = by_name.at(name);
            if (!summary.runs || known.contains({machine.node, name})) continue;
            const MachineLook look = look_of_place(page, machine, tasks[{machine.node, name}]);
            if (look != MachineLook::ready) ++summary.not_there_yet[look];
        }
    }
}

const char* look_of(const ServiceSummary& service) {
    if (service.is_gone) return "terminated";
    if (service.failed > 0) return "failed";
    if (service.at_work > 0) return "running";
    if (service.stopped > 0 && service.running == 0) return "terminated";
    if (service.stopped > 0) return "paused";
    return service.running == service.machines || !service.runs ? "done" : "waiting";
}

/// Whether a service that uses this one is stopped, and stays so when this one is started.
bool leaves_some_stopped(const operations::TouchedServices& touched,
                         const std::vector<ServiceSummary>& all, const std::string& name) {
    const auto left = touched.left_by_start({name});
    return std::ranges::any_of(all, [&](const ServiceSummary& other) {
        return other.stopped > 0 && std::ranges::count(left, other.name) > 0;
    });
}

/// Why services have no buttons; empty where they have, or never will. The ways out are the buttons
/// of the head.
std::string services_blocked_words(const ClusterPage& page) {
    if (!page.may_operate) return "";
    const Json blocked = blocked_json(page.cluster, page.job,
                                      {ClusterStatus::active, ClusterStatus::terminated}, page.end);
    return blocked.is_null() ? "" : blocked.at("words").get<std::string>();
}

/// All services that run, together.
ServiceSummary all_of(const std::vector<ServiceSummary>& services) {
    ServiceSummary all;
    for (const ServiceSummary& service : services) {
        if (!service.runs) continue;
        all.machines += service.machines;
        all.running += service.running;
        all.stopped += service.stopped;
    }
    return all;
}

/// A row; an empty name stands for all services.
Json row_json(const ClusterPage& page, const ServiceSummary& service) {
    const std::string services = page.href() + "/services/";
    const std::string& name = service.name;
    const bool has_buttons = page.cluster.status == ClusterStatus::active && page.may_operate &&
                             (service.runs || name.empty());
    const std::string query = name.empty() ? "" : "?service=" + http::percent_encode(name);
    Json json;
    json["key"] = name.empty() ? "all" : "of-" + name;
    json["name"] = name.empty() ? translated("All services") : page.labels.service(name);
    json["service"] = name;
    json["look"] = name.empty() ? "" : look_of(service);
    json["words"] = name.empty() ? "" : words_of_service(service);
    const std::string machines = translated_count(service.machines, "{0} machine", "{0} machines");
    // Words about some of the machines end with their number.
    const bool is_said = json["words"].get<std::string>().ends_with(machines);
    json["machines"] = name.empty() || is_said ? "" : machines;
    json["operable"] = has_buttons;
    json["can_start"] = service.running < service.machines || service.machines == 0;
    json["can_stop"] = service.stopped < service.machines || service.machines == 0;
    json["start"] = services + "start";
    json["start_question"] = "";
    json["stop"] = services + "stop" + query;
    json["restart"] = services + "restart" + query;
    return json;
}

}  // namespace

provisioner::store::ServicePlaces services_that_run(const ClusterPage& page) {
    std::set<std::string> names;
    for (const Service& service : page.cluster.snapshot.services) {
        if (has_run_actions(service)) names.insert(service.header.name);
    }
    provisioner::store::ServicePlaces places;
    for (const ListedMachine& machine : page.machines) {
        for (const std::string& name : machine.services) {
            if (names.contains(name)) places.emplace(machine.node, name);
        }
    }
    return places;
}

PlaceLooks looks_of_places(const ClusterPage& page) {
    std::map<NodeId, const ListedMachine*> machines;
    for (const ListedMachine& machine : page.machines) {
        const bool is_gone = look_of(page, machine) == MachineLook::gone;
        if (!is_gone) machines[machine.node] = &machine;
    }
    const auto is_here = [&](NodeId node, const std::string& service) {
        const auto machine = machines.find(node);
        return machine != machines.end() && std::ranges::find(machine->second->services, service) !=
                                                machine->second->services.end();
    };
    PlaceLooks looks;
    for (const Task& task : page.tasks) {
        if (task.state == TaskState::failed && is_here(task.node, task.service)) {
            looks[{task.node, task.service}] = PlaceLook::failed;
        }
    }
    for (const ServiceState& state : page.services) {
        // What was removed from a machine has run there, too.
        if (!is_here(state.node, state.service)) continue;
        const bool is_known = state.state == TaskState::done || state.state == TaskState::claimed ||
                              state.state == TaskState::failed;
        if (is_known) looks.try_emplace({state.node, state.service}, look_of_state(state));
    }
    return looks;
}

std::vector<ServiceSummary> summaries_of(const ClusterPage& page) {
    std::map<std::string, ServiceSummary> by_name;
    for (const ListedMachine& machine : page.machines) {
        for (const std::string& name : machine.services) ++by_name[name].machines;
    }
    for (const Service& service : page.cluster.snapshot.services) {
        const auto found = by_name.find(service.header.name);
        if (found != by_name.end()) found->second.runs = has_run_actions(service);
    }
    const PlaceLooks known = looks_of_places(page);
    for (const auto& [place, look] : known) count(by_name.at(place.second), look);
    count_not_there_yet(page, known, by_name);
    std::vector<ServiceSummary> summaries;
    for (auto& [name, summary] : by_name) {
        summary.name = name;
        summary.is_gone = page.cluster.status == ClusterStatus::terminated;
        summaries.push_back(std::move(summary));
    }
    return summaries;
}

std::string words_of_service(const ServiceSummary& service) {
    if (service.is_gone) return translated("gone");
    struct Part {
        int count;
        std::string words;
    };
    int left =
        service.machines - service.failed - service.at_work - service.running - service.stopped;
    std::vector<Part> parts{{service.failed, "failed"},
                            {service.at_work, translated("starting or stopping")},
                            {service.running, "running"},
                            {service.stopped, "stopped"}};
    for (const auto& [look, machines] : service.not_there_yet) {
        parts.push_back({machines, translated(words_of(look).words)});
        left -= machines;
    }
    parts.push_back({left, service.runs ? "unknown" : "installed"});
    std::vector<std::string> words;
    for (const Part& part : parts) {
        if (part.count == service.machines) return part.words;
        if (part.count > 0) words.push_back(part.words + (translated(" on {0}", part.count)));
    }
    return translated("{0} of {1}", listed(words),
                      translated_count(service.machines, "{0} machine", "{0} machines"));
}

bool may_get_more(const Cluster& cluster) {
    const auto& allowed = cluster.snapshot.cluster_template.compatibility.services;
    return allowed.empty() || std::ranges::any_of(allowed, [&](const std::string& name) {
               return std::ranges::count(cluster.services, name) == 0;
           });
}

namespace {

/// Whether there is a service without which each of its machines keeps another one.
bool may_lose_any(const ClusterPage& page) {
    std::set<std::string> all;
    std::set<std::string> alone;
    for (const ListedMachine& machine : page.machines) {
        all.insert(machine.services.begin(), machine.services.end());
        if (machine.services.size() == 1) alone.insert(machine.services.front());
    }
    return alone.size() < all.size();
}

}  // namespace

Json services_json(const ClusterPage& page) {
    Json rows = Json::array();
    const auto summaries = summaries_of(page);
    const bool any_runs = std::ranges::any_of(summaries, &ServiceSummary::runs);
    if (any_runs) rows.push_back(row_json(page, all_of(summaries)));
    const operations::TouchedServices touched(page.cluster);
    for (const ServiceSummary& service : summaries) {
        Json row = row_json(page, service);
        if (row["operable"] == true && leaves_some_stopped(touched, summaries, service.name)) {
            row["start_question"] =
                row["start"].get<std::string>() + "?service=" + http::percent_encode(service.name);
        }
        rows.push_back(std::move(row));
    }
    const bool may_change = page.cluster.status == ClusterStatus::active && page.may_operate;
    Json json;
    add_head(json, page, ClusterTab::services);
    json["services"] = std::move(rows);
    json["has_services"] = !json["services"].empty();
    json["blocked"] = any_runs ? services_blocked_words(page) : "";
    json["add"] = may_change && may_get_more(page.cluster) ? page.href() + "/services/add" : "";
    const bool may_remove = may_lose_any(page);
    json["remove"] = may_change && may_remove ? page.href() + "/services/remove" : "";
    json["needed"] = may_change && !may_remove && any_runs
                         ? translated(
                               "No service can be removed: machines would be left without "
                               "one.")
                         : "";
    return json;
}

}  // namespace fcgi::pages
