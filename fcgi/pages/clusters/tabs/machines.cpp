#include "fcgi/pages/clusters/tabs/machines.hpp"

#include <algorithm>
#include <map>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/tabs/jobs.hpp"
#include "fcgi/pages/clusters/tabs/machine_looks.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::store::ListedMachine;

namespace {

constexpr auto without_services = "-";

bool matches(const ClusterPage& page, const MachineLooks& looks, const ListedMachine& machine,
             const MachineQuery& query) {
    const MachinePart part = part_of(query.part);
    const MachineLook look = looks.of(machine, part);
    const bool is_in_it = std::ranges::any_of(machine_looks, [&](MachineLook state) {
        return query.state == words_of(state).words && is_in_state(look, machine, state, part);
    });
    if (!query.state.empty() && !is_in_it) return false;
    if (!query.services.empty() && query.services != services_word(machine.services)) return false;
    const std::string& wanted = query.text;
    return wanted.empty() || has_text(machine.hostname, wanted) ||
           has_text(machine.address, wanted) || has_text(machine.hardware_type, wanted) ||
           has_text(page.labels.hardware_type(machine.hardware_type), wanted) ||
           std::ranges::any_of(machine.services, [&](const std::string& name) {
               return has_text(name, wanted) || has_text(page.labels.service(name), wanted);
           });
}

std::vector<const ListedMachine*> chosen(const ClusterPage& page, const MachineLooks& looks,
                                         const MachineQuery& query) {
    std::vector<const ListedMachine*> machines;
    for (const ListedMachine& machine : page.machines) {
        if (matches(page, looks, machine, query)) machines.push_back(&machine);
    }
    const MachinePart part = part_of(query.part);
    std::ranges::stable_sort(machines, {}, [&](const ListedMachine* machine) {
        return std::min(looks.of(*machine, part), MachineLook::waiting);
    });
    return machines;
}

std::string href_of(const ClusterPage& page, int nodenum) {
    return page.href() + "/machines/" + std::to_string(nodenum);
}

std::string replace_href(const ClusterPage& page, const ListedMachine& machine) {
    const ClusterStatus status = page.cluster.status;
    const bool may = status == ClusterStatus::active || status == ClusterStatus::inconsistent ||
                     (status == ClusterStatus::incomplete && !page.is_half_deleted());
    if (!may || !page.may_operate || page.end.has_wrong_configuration) return "";
    if (machine.leaves) return "";
    return page.href() + "/nodes/" + std::to_string(machine.nodenum) + "/replace";
}

/// The members that a machine has in the list and on its own page.
Json state_json(const ClusterPage& page, const MachineLooks& looks, const ListedMachine& machine,
                MachinePart part = MachinePart::all) {
    const auto lost = page.lost.find(machine.node);
    return state_json(looks.of(machine, part), looks.left_words(machine, part),
                      lost == page.lost.end() ? LostSince() : lost->second, machine, page.labels,
                      page.now);
}

Json states_json(const ClusterPage& page, const MachineLooks& looks, const MachineQuery& query) {
    MachineQuery others = query;
    others.state.clear();
    const MachinePart part = part_of(query.part);
    std::map<MachineLook, std::size_t> counts;
    std::size_t all = 0;
    for (const ListedMachine& machine : page.machines) {
        if (!matches(page, looks, machine, others)) continue;
        ++all;
        const MachineLook look = looks.of(machine, part);
        for (const MachineLook state : machine_looks) {
            counts[state] += is_in_state(look, machine, state, part) ? 1 : 0;
        }
    }
    Json options = Json::array();
    options.push_back({{"value", ""},
                       {"label", translated("All ({0})", grouped(all))},
                       {"selected", query.state.empty()}});
    for (const MachineLook look : machine_looks) {
        const std::size_t count = counts[look];
        const std::string words = words_of(look).words;
        if (count == 0 && query.state != words) continue;
        options.push_back({{"value", words},
                           {"label", translated(words) + " (" + grouped(count) + ")"},
                           {"selected", query.state == words}});
    }
    return options;
}

/// What a link of the overview has chosen besides a state, in words: "Only machines with cache and
/// web, by the state of these services."
std::string chosen_words(const MachineQuery& query, const Labels& labels) {
    const MachinePart part = part_of(query.part);
    const std::string services =
        query.services.empty() ? "" : said_services(query.services, labels);
    if (services.empty()) {
        return part == MachinePart::itself
                   ? translated("By the state of the machines themselves, without their services.")
               : part == MachinePart::services ? translated("By the state of their services.")
                                               : "";
    }
    if (part == MachinePart::services) {
        return translated("Only machines with {0}, by the state of these services.", services);
    }
    return translated("Only machines with {0}.", services);
}

Json task_json(const ClusterPage& page, const Task& task) {
    const auto& words = words_of(task.state);
    const auto output = page.outputs.find(task.id);
    Json json;
    json["id"] = task.id.value;
    json["href"] = task.started_at ? page.href() + "/tasks/" + std::to_string(task.id.value) : "";
    json["state"] = words.css;
    json["state_words"] = translated(words.words);
    json["what"] = what_it_does(task, page.labels);
    json["took"] = time_taken(task, page.now);
    json["message"] = said_with_next(task);
    json["output"] = output == page.outputs.end() ? "" : shown(output->second);
    return json;
}

}  // namespace

MachinePart part_of(const std::string& word) {
    return word == "machine"    ? MachinePart::itself
           : word == "services" ? MachinePart::services
                                : MachinePart::all;
}

MachineQuery machine_query_in(const http::Request& request, std::vector<std::string>& notes) {
    MachineQuery query{.state = request.query_value("state").value_or(""),
                       .text = request.query_value("q").value_or(""),
                       .services = request.query_value("services").value_or(""),
                       .part = request.query_value("part").value_or(""),
                       .page = page_number(request, "page", notes)};
    const bool is_state = std::ranges::any_of(
        machine_looks, [&](MachineLook look) { return query.state == words_of(look).words; });
    if (!is_state) forget_unknown(query.state, translated("state"), notes);
    if (part_of(query.part) == MachinePart::all) {
        forget_unknown(query.part, translated("part"), notes);
    }
    return query;
}

std::string services_word(std::vector<std::string> services) {
    if (services.empty()) return without_services;
    std::ranges::sort(services);
    std::string word;
    for (const std::string& name : services) word += (word.empty() ? "" : ",") + name;
    return word;
}

std::vector<std::string> services_in_word(const std::string& word) {
    std::vector<std::string> names;
    if (word == without_services) return names;
    for (std::size_t begin = 0; begin <= word.size();) {
        const std::size_t end = std::min(word.find(',', begin), word.size());
        names.push_back(word.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

std::string said_services(const std::string& word, const Labels& labels) {
    const auto names = services_in_word(word);
    return names.empty() ? translated("no services") : listed(labels.services(names));
}

Json machines_json(const ClusterPage& page, const MachineQuery& query) {
    const MachineLooks looks(page);
    const auto machines = chosen(page, looks, query);
    const Portion portion =
        portion_of(machines.size(), machines_on_a_page, static_cast<std::size_t>(query.page));
    Json rows = Json::array();
    for (std::size_t i = portion.begin(); i < portion.end(); ++i) {
        Json row = state_json(page, looks, *machines[i], part_of(query.part));
        row["href"] = href_of(page, machines[i]->nodenum);
        rows.push_back(std::move(row));
    }
    Json json;
    add_head(json, page, ClusterTab::machines);
    const bool has_filter = !query.state.empty() || !query.text.empty() ||
                            !query.services.empty() || !query.part.empty();
    json["machines"] = std::move(rows);
    json["has_machines"] = !machines.empty();
    json["has_filter"] = has_filter;
    json["states"] = states_json(page, looks, query);
    json["text"] = query.text;
    json["only_services"] = query.services;
    json["part"] = query.part;
    json["chosen_words"] = chosen_words(query, page.labels);
    json["here"] = page.href() + "/machines";
    json["summary"] =
        machines.empty()
            ? translated("No machines")
            : translated("{0}–{1} of {2}", grouped(portion.begin() + 1), grouped(portion.end()),
                         translated_count(machines.size(), "{0} machine", "{0} machines"));
    json["pager"] = pager_json(portion.page, portion.pages(), "",
                               {.path = page.href() + "/machines",
                                .parameters = {{"state", query.state},
                                               {"q", query.text},
                                               {"services", query.services},
                                               {"part", query.part}},
                                .label = translated("Pages of machines")});
    return json;
}

Json machine_json(const ClusterPage& page) {
    const ListedMachine& machine = page.machines.front();
    const Node& node = page.nodes.front();
    Json tasks = Json::array();
    // What failed is seen first.
    for (const bool has_failed : {true, false}) {
        for (const Task& task : page.tasks) {
            if ((task.state == TaskState::failed) == has_failed) {
                tasks.push_back(task_json(page, task));
            }
        }
    }
    Json json;
    add_head(json, page, ClusterTab::machines);
    json.update(state_json(page, MachineLooks(page), machine));
    json["replace"] = replace_href(page, machine);
    json["cluster_page"] = page.href();
    // What was only cancelled may wait for others; of this machine something has failed.
    json["retry"] = page.may_retry() && machine.failed > 0 ? page.href() + "/retry" : "";
    json["retry_label"] = label_of_retry(page.is_left_unfinished(), 1);
    json["image_type"] = page.labels.image_type(node.image_type);
    json["ssh"] =
        machine.address.empty() || machine.is_deleted ? "" : node.ssh_user + "@" + machine.address;
    json["list"] = page.href() + "/machines";
    json["has_tasks"] = !tasks.empty();
    json["tasks"] = std::move(tasks);
    json["job_words"] = page.job ? heading_of(*page.job, page.labels) : "";
    Json earlier = Json::array();
    for (const Job& job : page.earlier_jobs) {
        Json item = job_summary_json(page, job);
        item["href"] = item["href"].get<std::string>() +
                       "?machine=" + http::percent_encode(json["short_name"].get<std::string>()) +
                       "#tasks";
        earlier.push_back(std::move(item));
    }
    json["has_earlier"] = !earlier.empty();
    json["earlier"] = std::move(earlier);
    return json;
}

bool is_news(const Task& task) {
    return task.state == TaskState::claimed || task.state == TaskState::failed;
}

}  // namespace fcgi::pages
