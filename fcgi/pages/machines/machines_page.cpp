#include "fcgi/pages/machines/machines_page.hpp"

#include <algorithm>

#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::store::MachineTrouble;

namespace {

std::string title_of_machines(const std::string& word) {
    if (word == "failed") return translated("Failed");
    if (word == "lost") return translated("Lost");
    if (word == "pending") return translated("In progress");
    if (word == "unfinished") return translated("Not finished");
    return word == "ready" ? translated("Ready") : translated("All");
}

std::string no_machines_title(const MachinesPage& page) {
    if (page.looked_at) {
        return translated("None among {0}",
                          translated_count(*page.looked_at, "{0} machine", "{0} machines"));
    }
    if (!page.text.empty()) return translated("No machine matches");
    if (page.choice == "failed") return translated("No failed machines");
    if (page.choice == "lost") return translated("No lost machines");
    if (page.choice == "pending") return translated("Nothing in progress");
    if (page.choice == "unfinished") return translated("No unfinished machines");
    return page.choice == "ready" ? translated("No ready machines")
                                  : translated("No current machines");
}

std::string no_machines_text(const MachinesPage& page) {
    if (page.rest) return translated("There are older ones.");
    if (!page.text.empty()) {
        return translated("Host names and addresses of current machines are searched.");
    }
    if (!page.choice.empty()) return translated("No current machine is in this state.");
    return page.may_create ? translated("Machines are made with a cluster.")
                           : translated("Machines of clusters will be listed here.");
}

/// What the addresses of the list keep.
std::vector<std::pair<std::string, std::string>> machine_parameters(const MachinesPage& page,
                                                                    const std::string& choice,
                                                                    bool is_of_all,
                                                                    ClusterId before = {}) {
    return {{"tenants", is_of_all ? "all" : ""},
            {"state", choice},
            {"q", page.text},
            {"before", before.value > 0 ? wire_id(before) : ""}};
}

std::string machines_href(const MachinesPage& page, const std::string& choice, bool is_of_all,
                          ClusterId before = {}) {
    return address_with("/machines", machine_parameters(page, choice, is_of_all, before));
}

Json machine_choices_json(const MachinesPage& page) {
    Json links = Json::array();
    for (const MachineChoice& choice : machine_choices()) {
        links.push_back(filter_link(title_of_machines(choice.word),
                                    machines_href(page, choice.word, page.is_of_all),
                                    page.choice == choice.word));
    }
    return links;
}

Json machine_row_json(const MachinesPage& page, const MachineRow& row) {
    const bool is_own = row.cluster.tenant == page.tenant;
    Json json =
        state_json(row.look(), row.lost, row.machine, is_own ? page.labels : Labels(), page.now);
    const std::string path = "/clusters/" + wire_id(row.cluster.id);
    const std::string cluster =
        page.is_of_all && !is_own ? in_view(row.cluster.tenant, path) : path;
    json["node"] = row.machine.node.value;
    json["href"] = cluster + "/machines/" + std::to_string(row.machine.nodenum);
    json["cluster"] = row.cluster.name;
    json["cluster_href"] = cluster;
    json["tenant"] = row.cluster.tenant;
    json["owner"] = row.cluster.owner;
    json["provider"] = title_of(row.cluster.provider);
    return json;
}

std::string machines_summary(const MachinesPage& page) {
    if (page.machines.empty()) return "";
    const Portion& part = page.portion;
    const auto known = static_cast<std::size_t>(page.total);
    const std::size_t total = page.is_whole() ? std::max(known, part.total) : part.total;
    std::string words = translated_count(total, "{0} machine", "{0} machines");
    const bool are_all_listed = !page.is_filtered() || page.looked_at == part.total;
    if (page.rest && total == part.total && are_all_listed) {
        words = translated("more than {0}", words);
    }
    const bool is_part = part.pages() > 1 || page.rest;
    if (is_part) {
        words = translated("{0}–{1} of {2}", grouped(part.begin() + 1), grouped(part.end()), words);
    }
    if (page.is_whole()) {
        return translated("{0} of current clusters, those of the newest cluster first.", words);
    }
    if (page.looked_at && !are_all_listed) {
        return translated("{0} among {1}, those of the newest cluster first. There are older ones.",
                          words, grouped(*page.looked_at));
    }
    return is_part ? translated("{0}, those of the newest cluster first.", words)
                   : translated("{0}.", words);
}

}  // namespace

const std::vector<MachineChoice>& machine_choices() {
    using enum ClusterStatus;
    using enum MachineLook;
    static const std::vector<MachineChoice> choices{
        {"", {}, {pending, active, incomplete, inconsistent}},
        {"failed", {failed}, {pending, incomplete, inconsistent}, MachineTrouble::failed},
        {"lost", {lost}, {active, incomplete, inconsistent}, MachineTrouble::lost},
        {"pending", {running, begun, waiting, change_waits}, {pending}},
        {"unfinished", {unfinished, change_left}, {incomplete, inconsistent}},
        {"ready", {ready}, {pending, active, incomplete, inconsistent}}};
    return choices;
}

const MachineChoice& machine_choice(const std::string& word) {
    const auto found = std::ranges::find(machine_choices(), word, &MachineChoice::word);
    return found == machine_choices().end() ? machine_choices().front() : *found;
}

MachineLook MachineRow::look() const {
    const auto& job = cluster.latest_job;
    return look_of(
        {.status = cluster.status, .operation = job ? std::optional(job->operation) : std::nullopt},
        lost, machine);
}

bool MachinesPage::changes() const {
    return std::ranges::any_of(machines, [](const MachineRow& row) {
        return row.cluster.status == ClusterStatus::pending;
    });
}

Json to_json(const MachinesPage& page) {
    Json rows = Json::array();
    for (const MachineRow& row : page.machines) rows.push_back(machine_row_json(page, row));
    const bool is_first = page.before.value == 0 && page.portion.page == 1;
    const bool is_last = page.portion.page == page.portion.pages();
    Json json;
    json["heading"] = translated("Machines");
    json["summary"] = machines_summary(page);
    json["filters"] = machine_choices_json(page);
    json["scopes"] = page.may_see_all
                         ? scope_links(page.tenant, machines_href(page, page.choice, false),
                                       machines_href(page, page.choice, true), page.is_of_all)
                         : Json::array();
    json["has_scopes"] = page.may_see_all;
    json["is_of_all"] = page.is_of_all;
    json["choice"] = page.choice;
    json["text"] = page.text;
    MachinesPage unsearched{.choice = page.choice};
    json["without_text"] =
        page.text.empty() ? "" : machines_href(unsearched, page.choice, page.is_of_all);
    json["pager"] = pager_json(
        page.portion.page, page.portion.pages(), "",
        {.path = "/machines",
         .parameters = machine_parameters(page, page.choice, page.is_of_all, page.before),
         .label = translated("Pages of machines")});
    json["newest"] =
        page.before.value > 0 ? machines_href(page, page.choice, page.is_of_all) : std::string();
    json["older"] = page.rest && is_last
                        ? machines_href(page, page.choice, page.is_of_all, *page.rest)
                        : std::string();
    json["follow"] = page.changes() ? "yes" : "no";
    json["show_owner"] = page.show_owner;
    json["has_machines"] = !page.machines.empty();
    json["machines"] = std::move(rows);
    json["empty_title"] = no_machines_title(page);
    json["empty_text"] = no_machines_text(page);
    json["create"] = page.may_create && !page.is_filtered() && is_first ? "/templates" : "";
    json["all"] = page.is_filtered() || !is_first
                      ? machines_href(MachinesPage{}, "", page.is_of_all)
                      : std::string();
    return json;
}

}  // namespace fcgi::pages
