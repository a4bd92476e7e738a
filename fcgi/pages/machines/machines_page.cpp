#include "fcgi/pages/machines/machines_page.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
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
    if (word == "leaving") return translated("To delete");
    if (word == "stopped") return translated("Stopped");
    return word == "ready" ? translated("Running or ready") : translated("All");
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
    if (page.choice == "leaving") return translated("No machine waits to be deleted");
    if (page.choice == "stopped") return translated("No stopped machines");
    return page.choice == "ready" ? translated("No running machines")
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
            {"order", page.order},
            {"before", before.value > 0 ? wire_id(before) : ""}};
}

std::string machines_href(const MachinesPage& page, const std::string& choice, bool is_of_all,
                          ClusterId before = {}) {
    return address_with("/machines", machine_parameters(page, choice, is_of_all, before));
}

Json machine_choices_json(const MachinesPage& page) {
    Json links = Json::array();
    for (const MachineChoice& choice : machine_choices()) {
        const std::string title = title_of_machines(choice.word);
        links.push_back(filter_link(
            page.counts ? translated("{0} ({1})", title, grouped(page.counts->at(choice.word)))
                        : title,
            machines_href(page, choice.word, page.is_of_all), page.choice == choice.word));
    }
    return links;
}

Json machine_row_json(const MachinesPage& page, const MachineRow& row) {
    const bool is_own = row.cluster.tenant == page.tenant;
    Json json = state_json(row.look, row.left, row.lost, row.machine,
                           is_own ? page.labels : Labels(), page.now);
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

/// A word of the address and what the order is called.
struct MachineOrder {
    std::string_view word;
    const char* label;
};

constexpr std::array machine_orders{
    MachineOrder{"name", for_translation("by name, A to Z")},
    MachineOrder{"-name", for_translation("by name, Z to A")},
    MachineOrder{"state", for_translation("by state, problems first")},
    MachineOrder{"-state", for_translation("by state, problems last")}};

const char* label_of_order(const std::string& word) {
    const auto found = std::ranges::find(machine_orders, word, &MachineOrder::word);
    return found == machine_orders.end() ? "" : found->label;
}

/// The options of a select, for phones, and none where the list cannot be put in order.
Json machine_orders_json(const MachinesPage& page) {
    Json options = Json::array();
    if (!page.counts || page.portion.total < 2) return options;
    options.push_back(
        {{"value", ""}, {"label", translated("newest first")}, {"selected", page.order.empty()}});
    for (const MachineOrder& order : machine_orders) {
        options.push_back({{"value", order.word},
                           {"label", translated(order.label)},
                           {"selected", page.order == order.word}});
    }
    return options;
}

/// The heading of a column; its link only where the list can be put in order.
Json machine_column(const MachinesPage& page, const std::string& label, const std::string& word) {
    Json column =
        sorted_column_json(label, page.order, {.word = word, .then = "-" + word}, "/machines",
                           machine_parameters(page, page.choice, page.is_of_all));
    if (!page.counts) column["sort_href"] = "";
    return column;
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
    if (!page.order.empty()) {
        return translated("{0}, {1}.", words, translated(label_of_order(page.order)));
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
        {"pending", {running, waiting, change_waits}, {pending}},
        {"unfinished",
         {unfinished, untouched, change_left, unknown},
         {pending, incomplete, inconsistent}},
        {"leaving", {leaves}, {pending, incomplete, inconsistent}},
        {"stopped", {stopped, partly_stopped}, {pending, active, incomplete, inconsistent}},
        {"ready", {runs, installed, ready}, {pending, active, incomplete, inconsistent}}};
    return choices;
}

const MachineChoice& machine_choice(const std::string& word) {
    const auto found = std::ranges::find(machine_choices(), word, &MachineChoice::word);
    return found == machine_choices().end() ? machine_choices().front() : *found;
}

bool MachineChoice::has(const MachineRow& row) const {
    return looks.empty() || std::ranges::any_of(looks, [&](MachineLook state) {
               return is_in_state(row.look, row.machine, state);
           });
}

std::string machine_order(const std::string& word) {
    const auto is_known = [&](const MachineOrder& order) { return order.word == word; };
    return std::ranges::any_of(machine_orders, is_known) ? word : "";
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
    json["by_name"] = machine_column(page, translated("Machine"), "name");
    json["by_state"] = machine_column(page, translated("State"), "state");
    json["orders"] = machine_orders_json(page);
    json["has_orders"] = !json["orders"].empty();
    MachinesPage unsearched{.choice = page.choice, .order = page.order};
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
