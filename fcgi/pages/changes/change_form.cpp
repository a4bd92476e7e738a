#include "fcgi/pages/changes/change_form.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "fcgi/pages/changes/unfinished_part.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;

namespace {

/// How many machines are chosen.
std::size_t chosen_of_form(const ChangePage& page) {
    const auto nodes = page.asked.all("nodes");
    return std::set<std::string>(nodes.begin(), nodes.end()).size();
}

/// What the number control has: how many machines are chosen, else what was typed, else its
/// default.
std::string number_of_form(const ChangePage& page) {
    const std::size_t chosen = page.change == Change::shrink ? chosen_of_form(page) : 0;
    if (chosen > 0) return std::to_string(chosen);
    return page.asked.has("numMachines") ? page.asked.trimmed("numMachines") : "1";
}

/// The largest number that the control takes, of whatever machines.
int most_in_control(const ChangePage& page, const NeededMachines& needed) {
    if (page.change == Change::grow) return largest_change(page);
    return std::max(1, static_cast<int>(most_removable(page, needed)));
}

FormField machines_field(const ChangePage& page, const NeededMachines& needed) {
    const bool grows = page.change == Change::grow;
    const int most = most_in_control(page, needed);
    const auto& rules = page.cluster.snapshot.cluster_template.constraints;
    return {
        .id = machines_control,
        .name = "numMachines",
        .label = label_of_number(page.change),
        .value = number_of_form(page),
        .hint = translated(
            "The cluster has {0}; its template allows {1}.{2}",
            translated_count(page.nodes.size(), "{0} machine", "{0} machines"), size_words(rules),
            (grows ? translated(" At most {0} can be added.", grouped(most))
                   : translated(" At most {0} can be removed. If none is chosen below, the newest "
                                "that can be spared are removed.",
                                grouped(most)))),
        .type = "number",
        .required = true,
        .min = 1,
        .max = most};
}

FormField group_field(const ChangePage& page, const NeededMachines& needed) {
    FormField field{.id = "inputGroup",
                    .name = "group",
                    .label = translated("Of which machines"),
                    .value = page.asked.trimmed("group"),
                    .control = FormField::Control::select};
    for (const auto& [value, label] : machine_groups(page, needed))
        field.options.push_back({value, label});
    return field;
}

/// Machines that a change keeps may be started anew.
std::string hint_on_restart(const ChangePage& page) {
    if (asks_to_keep(page)) {
        return translated(
            "They are reconfigured, and many read their configuration only when they start. The "
            "preview says what is restarted.");
    }
    return translated(
        "They are reconfigured, and many read their configuration only when they start. Services "
        "that run on the changed machines themselves are never restarted: they keep serving.");
}

FormField restart_field(const ChangePage& page) {
    return {.id = "inputRestart",
            .name = "restart",
            .label = translated("Services that depend on the change"),
            .value = page.asked.first("restart").value_or("true"),
            .hint = hint_on_restart(page),
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

/// Machines that a job was removing.
FormField keep_field(const ChangePage& page) {
    const std::string names = names_of_keepable(page);
    return {
        .id = "inputKeep",
        .name = "keep",
        .label = translated("Machines that were being removed"),
        .value = page.asked.first("keep").value_or("false"),
        .hint = translated_count(
            page.keepable.size(), "{1} is still whole: what was stopped there is started again.",
            "{1} are still whole: what was stopped there is started again.", names),
        .control = FormField::Control::select,
        .options = {{"false", translated("Remove them, too")},
                    {"true", translated("Keep {0}", names)}}};
}

FormField leftovers_field(const ChangePage& page) {
    return {.id = "inputForce",
            .name = "force",
            .label = translated("Removed services on the machines"),
            .value = page.asked.first("force").value_or("false"),
            .hint = translated("For a service whose own stop or removal fails."),
            .control = FormField::Control::select,
            .options = {{"false", translated("Stop and uninstall them")},
                        {"true", translated("Leave what is installed as it is")}}};
}

std::vector<FormField> advanced_fields(const ChangePage& page) {
    switch (page.change) {
        case Change::shrink: {
            std::vector<FormField> fields{restart_field(page), force_field(page)};
            if (!page.keepable.empty()) fields.push_back(keep_field(page));
            return fields;
        }
        case Change::remove_services:
            return {leftovers_field(page)};
        case Change::add_services:
        case Change::grow:
        case Change::replace:
            return {};
    }
    throw std::logic_error("unknown change");
}

/// A group of check boxes: the services or machines to choose from.
struct Choices {
    std::string name;
    std::string legend;
    std::string hint;
    /// (value, label)
    std::vector<std::pair<std::string, std::string>> options{};
};

std::string words_without_choice(Change change) {
    return change == Change::add_services
               ? translated(
                     "No service can be added: the cluster has all that its template allows and "
                     "that you may use.")
               : translated("There is nothing to choose from.");
}

std::optional<Choices> choices_of(const ChangePage& page) {
    Choices choices;
    switch (page.change) {
        case Change::add_services:
            choices = {.name = "services",
                       .legend = translated("Services"),
                       .hint = translated(
                           "Services that the template allows and the cluster does not have.")};
            choices.options = page.offered;
            return choices;
        case Change::remove_services:
            choices = {
                .name = "services",
                .legend = translated("Services"),
                .hint = translated(
                    "A service that others require can only be removed together with them.")};
            for (const auto& name : page.cluster.services) {
                choices.options.emplace_back(name, page.labels.service(name));
            }
            for (const auto& [name, machines] : page.end.left_behind) {
                choices.options.emplace_back(
                    name, translated("{0} (not yet removed)", page.labels.service(name)));
            }
            return choices;
        case Change::shrink:
            choices = {.name = "nodes",
                       .legend = translated("Machines to remove"),
                       .hint = translated("Instead of a number: only these are removed. A number "
                                          "that is typed clears the choice.")};
            return choices;
        case Change::grow:
        case Change::replace:
            return std::nullopt;
    }
    throw std::logic_error("unknown change");
}

/// Why a service cannot be removed alone, and whether no other choice helps.
provisioner::solver::StayingReason needed_service(const ChangePage& page,
                                                  const NeededMachines& needed,
                                                  const std::string& service) {
    // What a failed job was removing is on no machine any more, as far as the rules go.
    if (std::ranges::count(page.cluster.services, service) == 0) return {};
    const auto runs_alone = std::ranges::count_if(page.nodes, [&](const Node& node) {
        return node.services == std::vector<std::string>{service};
    });
    if (runs_alone > 0) {
        const bool may_go = std::ranges::any_of(page.nodes, [&](const Node& node) {
            return node.services == std::vector<std::string>{service} &&
                   !is_never_removed(needed, node);
        });
        if (!may_go) {
            return {.sentence = translated_count(
                        runs_alone, "{0} machine runs nothing else and cannot be removed either.",
                        "{0} machines run nothing else and cannot be removed either."),
                    .is_final = true};
        }
        return {.sentence = translated_count(
                    runs_alone, "{0} machine runs nothing else; remove the machine instead.",
                    "{0} machines run nothing else; remove the machines instead."),
                .is_final = true};
    }
    const auto removed =
        provisioner::solver::remove_services({.nodes = present_nodes(page),
                                              .services = {service},
                                              .all_services = page.cluster.snapshot.services});
    if (removed) return {};
    std::string reasons;
    for (const std::string& reason : removed.error().reasons) {
        reasons += (reasons.empty() ? "" : " ") + page.labels.in(reason);
    }
    return {.sentence = reasons};
}

}  // namespace

std::string label_of_number(Change change) {
    return change == Change::grow ? translated("Machines to add")
                                  : translated("Number of machines to remove");
}

Json fields_json(const ChangePage& page, const NeededMachines& needed) {
    std::vector<FormField> fields;
    const bool asks_number = page.change == Change::grow || page.change == Change::shrink;
    if (asks_number) {
        fields.push_back(machines_field(page, needed));
    }
    if (page.change == Change::shrink && asks_number) {
        FormField group = group_field(page, needed);
        if (!group.options.empty()) fields.push_back(std::move(group));
    }
    const bool is_simple = page.change == Change::add_services || page.change == Change::shrink;
    if (!is_simple) fields.push_back(restart_field(page));
    Json json = Json::array();
    for (const FormField& field : fields) json.push_back(to_json(field, page.problems));
    return json;
}

Json how_many_json(const ChangePage& page, const NeededMachines& needed) {
    if (page.change != Change::shrink) return nullptr;
    const std::size_t chosen = chosen_of_form(page);
    const auto number = provisioner::base::parse_number(number_of_form(page));
    const bool is_possible =
        number && *number >= 1 && (chosen > 0 || *number <= largest_shrink(page, needed));
    return {{"words", is_possible ? translated("Machines to remove: {0}", grouped(*number)) : ""},
            {"chosen_before", chosen == 0 ? "" : std::to_string(chosen)}};
}

Json advanced_json(const ChangePage& page) {
    const auto fields = advanced_fields(page);
    if (fields.empty()) return nullptr;
    Json json{{"fields", Json::array()}, {"is_open", false}};
    for (const FormField& field : fields) {
        const bool is_default = field.value == field.options.front().first;
        if (!is_default || !messages_for(field.name, page.problems).empty()) json["is_open"] = true;
        json["fields"].push_back(to_json(field, page.problems));
    }
    return json;
}

Json choices_json(const ChangePage& page, const NeededMachines& needed) {
    const auto choices = choices_of(page);
    if (!choices) return nullptr;
    const auto chosen = page.asked.all(choices->name);
    const auto problem = messages_for(choices->name, page.problems);
    Json options = Json::array();
    for (const auto& [value, label] : choices->options) {
        const auto reason = page.change == Change::remove_services
                                ? needed_service(page, needed, value)
                                : provisioner::solver::StayingReason{};
        const bool is_chosen = std::ranges::count(chosen, value) > 0;
        options.push_back({{"value", value},
                           {"label", label},
                           {"with", ""},
                           {"state", ""},
                           {"state_words", ""},
                           {"is_disabled", reason.is_final},
                           {"checked", is_chosen && !reason.is_final},
                           {"needed", reason.sentence}});
    }
    Json json;
    json["name"] = choices->name;
    json["legend"] = choices->legend;
    json["options"] = std::move(options);
    json["picker"] = nullptr;
    const bool is_shrink = page.change == Change::shrink;
    if (is_shrink) add_machines(json, page, needed);
    const bool has_none = is_shrink ? page.nodes.empty() : choices->options.empty();
    json["hint"] = has_none ? words_without_choice(page.change) : choices->hint;
    json["problem"] = problem;
    json["described_by"] = problem.empty() ? "choices-hint" : "choices-hint choices-problem";
    json["is_folded"] =
        (is_shrink ? page.nodes.size() : choices->options.size()) > most_open_choices;
    json["is_open"] = !chosen.empty() || !problem.empty() || was_look(page.asked);
    return json;
}

}  // namespace fcgi::pages
