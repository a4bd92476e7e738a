#include "fcgi/pages/clusters/tabs/services.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/changes/change.hpp"
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

/// The services of the cluster that have a start or stop action.
std::set<std::string> names_that_run(const ClusterPage& page) {
    std::set<std::string> names;
    for (const Service& service : page.cluster.snapshot.services) {
        if (has_run_actions(service)) names.insert(service.header.name);
    }
    return names;
}

void count(ServiceSummary& summary, MachineLook look) {
    if (look == MachineLook::failed) {
        ++summary.failed;
    } else if (look == MachineLook::running) {
        ++summary.at_work;
    } else if (look == MachineLook::runs) {
        ++summary.running;
    } else if (look == MachineLook::stopped) {
        ++summary.stopped;
    } else if (look == MachineLook::lost) {
        ++summary.lost;
    } else if (look != MachineLook::ready && look != MachineLook::installed &&
               look != MachineLook::unknown) {
        ++summary.not_there_yet[look];
    }
}

/// What `find` finds in all that the page knows of services.
template <class Find>
auto from_known(const ClusterPage& page, Find find) {
    const auto run = names_that_run(page);
    return find(KnownOfServices{.cluster = at_work(page),
                                .run = run,
                                .machines = page.machines,
                                .states = page.services,
                                .work = page.work,
                                .lost = page.lost});
}

const char* look_of(const ServiceSummary& service) {
    if (service.is_gone) return "terminated";
    if (service.failed > 0 || service.lost > 0) return "failed";
    if (service.at_work > 0) return "running";
    if (service.stopped > 0 && service.running == 0) return "terminated";
    if (service.stopped > 0) return "paused";
    const bool is_there = !service.runs && service.not_there_yet.empty();
    return service.running == service.machines || is_there ? "done" : "waiting";
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
        all.lost += service.lost;
    }
    return all;
}

/// A row; an empty name stands for all services.
Json row_json(const ClusterPage& page, const ServiceSummary& service) {
    const std::string services = page.href() + "/services/";
    const std::string& name = service.name;
    const bool is_active = page.cluster.status == ClusterStatus::active;
    const bool is_failed = page.cluster.status == ClusterStatus::inconsistent;
    const bool may_act = name.empty()
                             ? is_active || (is_failed && is_failed_service_action(page.job))
                             : is_active && service.runs;
    const bool has_buttons = may_act && page.may_operate;
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
    // Nothing starts or stops on a machine that is not there.
    const int present = service.machines - service.lost;
    json["can_start"] = service.running < present || service.machines == 0;
    json["can_stop"] = service.stopped < present || service.machines == 0;
    json["start"] = services + "start";
    json["start_question"] = "";
    json["stop"] = services + "stop" + query;
    json["restart"] = services + "restart" + query;
    return json;
}

/// A service that a failed job has not removed from all machines.
Json row_of_left_behind(const ClusterPage& page, const std::string& name, int machines) {
    Json json = row_json(page, {.name = name});
    json["key"] = "left-" + name;
    json["look"] = page.is_left_unfinished() ? "terminated" : "failed";
    json["words"] =
        translated_count(static_cast<std::size_t>(machines), "not yet removed from {0} machine",
                         "not yet removed from {0} machines");
    json["machines"] = "";
    json["operable"] = false;
    return json;
}

}  // namespace

provisioner::store::ServicePlaces services_that_run(const ClusterPage& page) {
    return places_of(names_that_run(page), page.machines);
}

PlaceLooks looks_of_places(const ClusterPage& page) {
    return from_known(page, [](const KnownOfServices& known) { return looks_of_places(known); });
}

provisioner::store::ServicePlaces places_that_were_there(const ClusterPage& page) {
    return from_known(page,
                      [](const KnownOfServices& known) { return places_that_were_there(known); });
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
    for (const auto& [place, look] : looks_of_places(page)) {
        count(by_name.at(place.second), look);
    }
    std::vector<ServiceSummary> summaries;
    for (auto& [name, summary] : by_name) {
        summary.name = name;
        summary.is_gone = page.cluster.status == ClusterStatus::terminated;
        summaries.push_back(std::move(summary));
    }
    return summaries;
}

std::string words_of_service(const ServiceSummary& service) {
    if (service.is_gone) return translated("deleted");
    struct Part {
        int count;
        std::string words;
    };
    int left = service.machines - service.failed - service.lost - service.at_work -
               service.running - service.stopped;
    std::vector<Part> parts{{service.failed, "failed"},
                            {service.lost, translated(words_of(MachineLook::lost).words)},
                            {service.at_work, translated("in progress")},
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
    for (const auto& [name, machines] : page.end.left_behind) {
        rows.push_back(row_of_left_behind(page, name, machines));
    }
    const bool may_change = page.cluster.status == ClusterStatus::active && page.may_operate;
    Json json;
    add_head(json, page, ClusterTab::services);
    json["services"] = std::move(rows);
    json["has_services"] = !json["services"].empty();
    json["blocked"] = any_runs ? services_blocked_words(page) : "";
    json["add"] = may_change && may_get_more(page.cluster) ? page.href() + "/services/add" : "";
    const bool may_remove = may_lose_any(page);
    const bool can_remove = page.may_operate && operations::can_lose_parts(page.cluster, page.job);
    json["remove"] = can_remove && may_remove ? page.href() + "/services/remove" : "";
    json["needed"] = may_change && !may_remove && any_runs
                         ? translated(
                               "No service can be removed: machines would be left without "
                               "one.")
                         : "";
    return json;
}

}  // namespace fcgi::pages
