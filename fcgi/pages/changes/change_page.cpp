#include "fcgi/pages/changes/change_page.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/layout_picture.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/planner/plan.hpp"
#include "provisioner/solver/changes/resize.hpp"
#include "provisioner/solver/constraints.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::operations::ChangeCluster;
using provisioner::operations::NodeChange;
using provisioner::operations::PreparedChange;
using provisioner::planner::Membership;
using provisioner::solver::contains;
namespace operations = provisioner::operations;
namespace planner = provisioner::planner;

namespace {

constexpr auto machines_id = "inputNumMachines";

/// Texts of the page for one kind of change, without the title's cluster name.
struct ChangeWords {
    /// Empty for a replacement: its title names the machine, too.
    std::string verb;
    const char* path;
    std::string lede;
    std::string refused;
    std::string button;
    std::string keep;
};

ChangeWords words_of_change(Change change) {
    switch (change) {
        case Change::add_services:
            return {
                .verb = translated("Add services to"),
                .path = "services/add",
                .lede = translated("The template decides which current machines get the services."),
                .refused = translated("Couldn't add the services"),
                .button = translated("Add the services"),
                .keep = translated("Leave it as it is")};
        case Change::remove_services:
            return {.verb = translated("Remove services from"),
                    .path = "services/remove",
                    .lede = translated(
                        "Services that use them are reconfigured first. Then the services are "
                        "stopped and removed."),
                    .refused = translated("Couldn't remove the services"),
                    .button = translated("Remove the services"),
                    .keep = translated("Keep them")};
        case Change::grow:
            return {.verb = translated("Grow"),
                    .path = "grow",
                    .lede = translated("The current machines stay. Services that use the added "
                                       "ones are reconfigured."),
                    .refused = translated("Couldn't add machines"),
                    .button = translated("Add the machines"),
                    .keep = translated("Leave it as it is")};
        case Change::shrink:
            return {.verb = translated("Shrink"),
                    .path = "shrink",
                    .lede = translated("All data on the removed machines is lost."),
                    .refused = translated("Couldn't remove machines"),
                    .button = translated("Remove the machines"),
                    .keep = translated("Keep them")};
        case Change::replace:
            return {.verb = "",
                    .path = "replace",
                    .lede = translated(
                        "A new machine with the same services takes its place. All data on the "
                        "old machine is lost."),
                    .refused = translated("Couldn't replace the machine"),
                    .button = translated("Replace the machine"),
                    .keep = translated("Keep it")};
    }
    throw std::logic_error("unknown change");
}

bool takes_away(Change change) {
    return change == Change::shrink || change == Change::replace ||
           change == Change::remove_services;
}

// The form.

FormField machines_field(const ChangePage& page) {
    const bool grows = page.change == Change::grow;
    const std::string given = page.asked.trimmed("numMachines");
    const auto& rules = page.cluster.snapshot.cluster_template.constraints;
    return {
        .id = machines_id,
        .name = "numMachines",
        .label = grows ? translated("Machines to add") : translated("Number of machines to remove"),
        .value = given.empty() && page.asked.fields.empty() ? "1" : given,
        .hint = translated(
            "The cluster has {0}; its template allows {1}.{2}",
            translated_count(page.nodes.size(), "{0} machine", "{0} machines"), size_words(rules),
            (grows ? ""
                   : translated(
                         " If none is chosen below, the newest that can be spared are removed."))),
        .type = "number",
        .required = true,
        .min = 1};
}

FormField restart_field(const ChangePage& page) {
    return {
        .id = "inputRestart",
        .name = "restart",
        .label = translated("Services that depend on the change"),
        .value = page.asked.first("restart").value_or("true"),
        .hint = translated(
            "They are reconfigured, and many read their configuration only when they start. "
            "Services "
            "that run on the changed machines themselves are never restarted: they keep serving."),
        .control = FormField::Control::select,
        .options = {{"true", translated("Reconfigure and restart them")},
                    {"false", translated("Only reconfigure them")}}};
}

FormField force_field(const ChangePage& page) {
    return {.id = "inputForce",
            .name = "force",
            .label = translated("Services on the removed machines"),
            .value = page.asked.first("force").value_or("false"),
            .hint = translated("Services on a dead machine cannot be stopped."),
            .control = FormField::Control::select,
            .options = {{"false", translated("Stop them first")},
                        {"true", translated("Do not stop them: the machines do not answer")}}};
}

Json fields_json(const ChangePage& page) {
    std::vector<FormField> fields;
    if (page.change == Change::grow || page.change == Change::shrink) {
        fields.push_back(machines_field(page));
    }
    const bool is_simple = page.change == Change::add_services || page.change == Change::shrink;
    if (!is_simple) fields.push_back(restart_field(page));
    Json json = Json::array();
    for (const FormField& field : fields) json.push_back(to_json(field, page.problems));
    return json;
}

/// How machines are removed, folded below which ones; open where a choice is not the default or has
/// a problem. Null for other changes.
Json advanced_json(const ChangePage& page) {
    if (page.change != Change::shrink) return nullptr;
    Json json{{"fields", Json::array()}, {"is_open", false}};
    for (const FormField& field : {restart_field(page), force_field(page)}) {
        const bool is_default = field.value == field.options.front().first;
        if (!is_default || !messages_for(field.name, page.problems).empty()) json["is_open"] = true;
        json["fields"].push_back(to_json(field, page.problems));
    }
    return json;
}

/// More check boxes are folded away.
constexpr std::size_t most_open_choices = 20;

/// A group of check boxes: the services or machines to choose from.
struct Choices {
    std::string name;
    std::string legend;
    std::string hint;
    /// (value, label)
    std::vector<std::pair<std::string, std::string>> options{};
};

std::optional<Choices> choices_of(const ChangePage& page) {
    Choices choices;
    switch (page.change) {
        case Change::add_services:
            choices = {.name = "services",
                       .legend = translated("Services"),
                       .hint = translated(
                           "Services that the template allows and the cluster does not have.")};
            for (const auto& name : page.offered) choices.options.emplace_back(name, name);
            return choices;
        case Change::remove_services:
            choices = {
                .name = "services",
                .legend = translated("Services"),
                .hint = translated(
                    "A service that others require can only be removed together with them.")};
            for (const auto& name : page.cluster.services) {
                choices.options.emplace_back(name, name);
            }
            return choices;
        case Change::shrink:
            choices = {.name = "nodes",
                       .legend = translated("Machines to remove"),
                       .hint = translated("Instead of a number.")};
            for (const Node& node : page.nodes) {
                choices.options.emplace_back(
                    std::to_string(node.nodenum),
                    short_name(node.hostname) + ": " + listed(node.services));
            }
            return choices;
        case Change::grow:
        case Change::replace:
            return std::nullopt;
    }
    throw std::logic_error("unknown change");
}

/// Why machines are needed, by number; only for a cluster that shrinks.
std::map<std::string, provisioner::solver::StayingReason> needed_machines(const ChangePage& page) {
    std::map<std::string, provisioner::solver::StayingReason> needed;
    if (page.change != Change::shrink) return needed;
    const Snapshot& snapshot = page.cluster.snapshot;
    provisioner::solver::ShrinkProblem problem{.cluster_template = snapshot.cluster_template,
                                               .nodes = {}};
    for (const Node& node : page.nodes) {
        problem.nodes.push_back({node.nodenum, node.hardware_type, node.image_type, node.services});
    }
    for (auto& [number, reason] : provisioner::solver::staying_nodes(problem, snapshot.services)) {
        needed.emplace(std::to_string(number), reason);
    }
    return needed;
}

Json choices_json(const ChangePage& page) {
    const auto choices = choices_of(page);
    if (!choices) return nullptr;
    const auto chosen = page.asked.all(choices->name);
    const auto needed = needed_machines(page);
    const auto problem = messages_for(choices->name, page.problems);
    Json options = Json::array();
    for (const auto& [value, label] : choices->options) {
        Json option;
        option["value"] = value;
        option["label"] = label;
        const auto reason = needed.find(value);
        const bool stays = reason != needed.end() && reason->second.is_final;
        option["is_disabled"] = stays;
        option["checked"] = !stays && std::ranges::count(chosen, value) > 0;
        option["needed"] = reason == needed.end() ? "" : reason->second.sentence;
        options.push_back(std::move(option));
    }
    Json json;
    json["name"] = choices->name;
    json["legend"] = choices->legend;
    json["hint"] =
        choices->options.empty() ? translated("There is nothing to choose from.") : choices->hint;
    json["problem"] = problem;
    json["described_by"] = problem.empty() ? "choices-hint" : "choices-hint choices-problem";
    const bool is_used = !chosen.empty() || !problem.empty();
    json["is_folded"] = choices->options.size() > most_open_choices;
    json["is_open"] = is_used;
    json["options"] = std::move(options);
    return json;
}

// The preview.

bool changes(const NodeChange& node) {
    return node.membership != Membership::stays || !node.arriving.empty() || !node.leaving.empty();
}

/// (index of the node, service) of every planned task that changes something: a service that runs
/// is only started in case it is stopped.
std::set<std::pair<std::size_t, std::string>> worked_on(const PreparedChange& change) {
    std::set<std::pair<std::size_t, std::string>> places;
    for (const auto& task : change.graph.tasks()) {
        if (task.action != Action::start) places.emplace(task.node, task.service);
    }
    return places;
}

CellLook machine_look(Membership membership) {
    switch (membership) {
        case Membership::stays:
            return CellLook::stays;
        case Membership::joins:
            return CellLook::comes;
        case Membership::leaves:
        case Membership::dropped:
            return CellLook::goes;
    }
    throw std::logic_error("unknown membership");
}

CellLook service_look(const NodeChange& node, const std::string& service, bool busy) {
    if (contains(node.leaving, service)) return CellLook::goes;
    if (!contains(node.node.services, service)) return CellLook::none;
    if (contains(node.arriving, service)) return CellLook::comes;
    if (node.membership != Membership::stays) return machine_look(node.membership);
    return busy ? CellLook::worked_on : CellLook::stays;
}

/// Indices of the nodes. Nodes that change come first, so that they are visible in a large cluster.
std::vector<std::size_t> in_order_of_interest(const PreparedChange& change) {
    std::vector<std::size_t> order;
    for (const bool wanted : {true, false}) {
        for (std::size_t at = 0; at < change.nodes.size(); ++at) {
            if (changes(change.nodes[at]) == wanted) order.push_back(at);
        }
    }
    return order;
}

LayoutPicture picture_of_change(const PreparedChange& change) {
    std::set<std::string> names;
    for (const NodeChange& node : change.nodes) {
        names.insert(node.node.services.begin(), node.node.services.end());
        names.insert(node.leaving.begin(), node.leaving.end());
    }
    LayoutPicture picture{.columns = {translated("machine")}, .rows = {}};
    picture.columns.insert(picture.columns.end(), names.begin(), names.end());
    const auto busy = worked_on(change);
    for (const std::size_t at : in_order_of_interest(change)) {
        const NodeChange& node = change.nodes[at];
        PictureRow row{.title = short_name(node.node.hostname),
                       .subtitle = node.node.hardware_type,
                       .cells = {machine_look(node.membership)}};
        for (const std::string& service : names) {
            row.cells.push_back(service_look(node, service, busy.contains({at, service})));
        }
        picture.rows.push_back(std::move(row));
    }
    return picture;
}

/// `host`: the machine's name, or words for several of them.
std::string sentence_about(const NodeChange& node, const std::string& host) {
    const std::string with =
        node.node.services.empty() ? "" : translated(" with {0}", listed(node.node.services));
    if (node.membership == Membership::joins) {
        return translated("New: {0}{1}; hardware {2}, image {3}", host, with,
                          node.node.hardware_type, node.node.image_type);
    }
    if (node.membership != Membership::stays) return translated("Removed: {0}{1}", host, with);
    std::string text = host;
    if (!node.arriving.empty()) text += translated(" gets {0}", listed(node.arriving));
    if (!node.leaving.empty()) text += translated(" loses {0}", listed(node.leaving));
    return text;
}

/// "shop1-1000.local", or "57 machines (shop1-1003.local to shop1-1059.local)". The nodes are those
/// of the change in their order. All of them are named: between the ends of a range there is no
/// other one.
std::string words_of_hosts(const std::vector<const NodeChange*>& nodes) {
    if (nodes.size() == 1) return nodes.front()->node.hostname;
    std::vector<std::string> ranges;
    for (std::size_t first = 0, last = 0; first < nodes.size(); first = ++last) {
        while (last + 1 < nodes.size() && nodes[last + 1] == nodes[last] + 1) ++last;
        const std::string& host = nodes[first]->node.hostname;
        ranges.push_back(
            first == last ? host : translated("{0} to {1}", host, nodes[last]->node.hostname));
    }
    return translated("{0} machines ({1})", grouped(nodes.size()), listed(ranges));
}

/// What is done to services of machines that stay: "Restarted: web", "Reconfigured while they run:
/// db and cache".
void add_touched(Json& sentences, const PreparedChange& change) {
    std::set<std::string> stopped;
    std::set<std::string> configured;
    std::set<std::string> started;
    for (const auto& task : change.graph.tasks()) {
        const NodeChange& node = change.nodes[task.node];
        const bool is_old = node.membership == Membership::stays && !task.service.empty() &&
                            !contains(node.arriving, task.service) &&
                            !contains(node.leaving, task.service);
        if (!is_old) continue;
        if (task.action == Action::stop) stopped.insert(task.service);
        if (task.action == Action::configure) configured.insert(task.service);
        if (task.action == Action::start) started.insert(task.service);
    }
    for (const std::string& service : stopped) {
        configured.erase(service);
        started.erase(service);
    }
    for (const std::string& service : configured) started.erase(service);
    const auto add = [&](const char* text, const std::set<std::string>& services) {
        if (services.empty()) return;
        sentences.push_back(
            {{"text", translated(text, listed({services.begin(), services.end()}))}});
    };
    add(for_translation("Interrupted by a restart: {0}"), stopped);
    add(for_translation("Reconfigured without a restart: {0}"), configured);
    add(for_translation("Started in case they are stopped, and not interrupted: {0}"), started);
}

Json sentences_json(const PreparedChange& change) {
    const bool is_each_named =
        std::ranges::count_if(change.nodes, changes) <= std::ptrdiff_t{most_single_machines};
    // Those whose sentences differ by their hosts only.
    std::vector<std::vector<const NodeChange*>> alike;
    std::map<std::string, std::size_t> places;
    for (const NodeChange& node : change.nodes) {
        if (!changes(node)) continue;
        const std::string key = sentence_about(node, is_each_named ? node.node.hostname : "");
        const auto [place, is_new] = places.try_emplace(key, alike.size());
        if (is_new) alike.emplace_back();
        alike[place->second].push_back(&node);
    }
    Json sentences = Json::array();
    std::size_t left_out = 0;
    for (const auto& nodes : alike) {
        if (sentences.size() == rows_of_the_picture) {
            left_out += nodes.size();
            continue;
        }
        sentences.push_back(Json{{"text", sentence_about(*nodes.front(), words_of_hosts(nodes))}});
    }
    if (left_out > 0) sentences.push_back(Json{{"text", more_machines(left_out)}});
    add_touched(sentences, change);
    if (sentences.empty())
        sentences.push_back(Json{{"text", translated("No machine gets or loses a service.")}});
    return sentences;
}

Json hidden_json(const http::FormData& asked) {
    Json hidden = Json::array();
    for (const auto& [name, value] : asked.fields) {
        if (name != "csrf" && name != "preview")
            hidden.push_back(Json{{"field", name}, {"sent", value}});
    }
    return hidden;
}

/// ", instead of 0.20 USD per hour"; empty where the cost stays.
std::string cost_before_words(const PreparedChange& change) {
    if (!change.cost_before || change.cost_before == change.cost_after) return "";
    return translated(", instead of {0}", cost_words(*change.cost_before));
}

Json preview_json(const ChangePage& page) {
    if (!page.preview) return nullptr;
    const PreparedChange& change = *page.preview;
    const ChangeWords words = words_of_change(page.change);
    Json json;
    LayoutPicture picture = picture_of_change(change);
    json["more_machines"] = more_machines(fit_for_preview(picture));
    add_to(json, picture);
    json["picture_legend"] = legend_of_changes_json();
    json["sentences"] = sentences_json(change);
    json.update(costs_json(change.cost_after, cost_before_words(change), change.warnings));
    json.update(plan_json(planner::count_by_action(change.graph, change.operation),
                          change.graph.tasks().size(), planner::stages(change.graph).size()));
    json["hidden"] = hidden_json(page.asked);
    json["action"] = page.address();
    json["button"] = words.button;
    json["look"] = takes_away(page.change) ? "danger" : "primary";
    json["keep"] = words.keep;
    return json;
}

std::optional<int> number_in(const http::FormData& form, Problems& problems) {
    const std::string text = form.trimmed("numMachines");
    if (text.empty()) return 0;
    const auto number = provisioner::base::parse_number(text);
    if (!number || *number < 1 || *number > 10000) {
        problems.push_back({"numMachines", translated("Enter a whole number from 1 to 10,000.")});
        return std::nullopt;
    }
    return static_cast<int>(*number);
}

/// Chosen machines take precedence: the number control has a default value even if nobody typed it.
/// A larger number than that of the chosen ones was meant.
operations::ShrinkCluster shrink_in(const http::FormData& form, Problems& problems) {
    operations::ShrinkCluster wanted{.nodes = form.all("nodes"),
                                     .force = form.trimmed("force") == "true"};
    if (wanted.nodes.empty()) {
        wanted.machines = number_in(form, problems).value_or(0);
        return wanted;
    }
    const auto number = provisioner::base::parse_number(form.trimmed("numMachines"));
    if (number && *number > std::ssize(wanted.nodes)) {
        const std::string message =
            translated("{0} chosen, but the number is {1}. Choose as many, or none.",
                       translated_count(wanted.nodes.size(), "{0} machine is", "{0} machines are"),
                       grouped(*number));
        problems.push_back({"nodes", message});
        problems.push_back({"numMachines", message});
    }
    return wanted;
}

operations::ClusterChange asked_in(Change change, const std::string& node,
                                   const http::FormData& form, Problems& problems) {
    switch (change) {
        case Change::add_services:
            return operations::AddServices{.services = form.all("services")};
        case Change::remove_services:
            return operations::RemoveServices{.services = form.all("services")};
        case Change::grow:
            return operations::GrowCluster{.machines = number_in(form, problems).value_or(0)};
        case Change::shrink:
            return shrink_in(form, problems);
        case Change::replace:
            return operations::ReplaceNodes{.nodes = {node}};
    }
    throw std::logic_error("unknown change");
}

}  // namespace

std::string ChangePage::title() const {
    if (change == Change::replace)
        return translated("Replace machine {0} of {1}", node, cluster.name);
    return std::string(words_of_change(change).verb) + ' ' + cluster.name;
}

std::string ChangePage::address() const {
    const std::string below =
        change == Change::replace ? "nodes/" + http::percent_encode(node) + "/" : "";
    return "/clusters/" + wire_id(cluster.id) + "/" + below + words_of_change(change).path;
}

Checked<ChangeCluster> change_in(Change change, const std::string& node,
                                 const http::FormData& form) {
    Problems problems;
    ChangeCluster wanted{.change = asked_in(change, node, form, problems),
                         .restart = form.trimmed("restart") != "false"};
    if (!problems.empty()) return provisioner::base::unexpected(std::move(problems));
    return wanted;
}

Json to_json(const ChangePage& page) {
    const ChangeWords words = words_of_change(page.change);
    auto json = problems_json(words.refused, page.problems,
                              {{"numMachines", machines_id, translated("Machines")},
                               {"services", "choices", translated("Services")},
                               {"nodes", "choices", translated("Machines")}});
    json["cluster_href"] = "/clusters/" + wire_id(page.cluster.id);
    json["cluster_name"] = page.cluster.name;
    json["heading"] = page.title();
    json["lede"] = words.lede;
    json["address"] = page.address();
    json["fields"] = fields_json(page);
    json["choices"] = choices_json(page);
    json["advanced"] = advanced_json(page);
    // Machines to remove may also be given by their number.
    const bool has_nothing = json["choices"].is_object() && json["choices"]["options"].empty();
    json["can_ask"] = !has_nothing || page.change == Change::shrink;
    json["preview"] = preview_json(page);
    return json;
}

}  // namespace fcgi::pages
