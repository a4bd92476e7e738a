#include "fcgi/pages/form_field.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/problem_words.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Problem;
using provisioner::base::Problems;

namespace {

bool concerns(const Problem& problem, const std::string& name) {
    return problem.field == name || problem.field.starts_with(name + '.');
}

Json number_or_null(const std::optional<int>& number) {
    return number ? Json(*number) : Json();
}

Json options_json(const FormField& field) {
    Json options = Json::array();
    for (const auto& [value, label] : field.options) {
        Json option;
        option["value"] = value;
        option["label"] = label;
        option["id"] = field.id + '-' + value;
        option["selected"] = field.control == FormField::Control::checks
                                 ? std::ranges::count(field.ticked, value) > 0
                                 : value == field.value;
        // For pages that put options into groups.
        option["opens_group"] = "";
        option["closes_group"] = false;
        options.push_back(std::move(option));
    }
    return options;
}

Json suggestions_json(const FormField& field) {
    Json list = Json::array();
    for (const auto& value : field.suggestions) {
        Json item;
        item["suggestion"] = value;
        list.push_back(std::move(item));
    }
    return list;
}

/// The message without the label that is written before it: "medium has no flavor" for "Hardware
/// type". A verb alone says too little.
std::string without_label(const std::string& message, const std::string& label) {
    if (message.starts_with(label + ": ")) return message.substr(label.size() + 2);
    if (!message.starts_with(label + ' ')) return message;
    constexpr std::array verbs{"must", "is", "are", "has", "cannot", "may", "can", "and", "of"};
    auto rest = message.substr(label.size() + 1);
    const auto first = rest.substr(0, rest.find(' '));
    return std::ranges::find(verbs, first) == verbs.end() ? rest : message;
}

std::string described_by(const FormField& field, const std::string& problem) {
    std::string ids = field.hint.empty() ? "" : field.id + "-hint";
    if (!problem.empty()) ids += (ids.empty() ? "" : " ") + field.id + "-problem";
    if (!field.caution.empty()) ids += (ids.empty() ? "" : " ") + field.id + "-caution";
    return ids;
}

}  // namespace

std::string messages_for(const std::string& name, const Problems& problems) {
    std::string messages;
    for (const Problem& problem : problems) {
        if (!concerns(problem, name)) continue;
        messages += (messages.empty() ? "" : " ") + problem_words(problem.message);
    }
    return messages;
}

Json to_json(const FormField& field, const Problems& problems) {
    const auto problem = messages_for(field.name, problems);
    Json json;
    json["id"] = field.id;
    json["name"] = field.name;
    json["label"] = field.label;
    json["value"] = field.value;
    json["hint"] = field.hint;
    json["problem"] = problem;
    json["caution"] = field.caution;
    json["described_by"] = described_by(field, problem);
    json["required"] = field.required;
    json["takes_focus"] = field.takes_focus;
    const bool is_typed =
        field.control == FormField::Control::input || field.control == FormField::Control::textarea;
    json["optional"] = !field.required && is_typed;
    json["input"] = field.control == FormField::Control::input;
    json["type"] = field.type;
    json["inputmode"] = field.inputmode;
    json["autocomplete"] = field.autocomplete;
    json["min"] = number_or_null(field.min);
    json["max"] = number_or_null(field.max);
    json["longest"] = number_or_null(field.longest);
    json["select"] = field.control == FormField::Control::select;
    json["options"] = options_json(field);
    json["checks"] = field.control == FormField::Control::checks;
    json["textarea"] = field.control == FormField::Control::textarea;
    json["fixed"] = field.control == FormField::Control::fixed;
    json["rows"] = field.rows;
    json["code"] = field.code;
    json["list_id"] = field.suggestions.empty() ? "" : field.id + "-list";
    json["suggestions"] = suggestions_json(field);
    json["clear_name"] = field.clear_name;
    json["is_cleared"] = field.is_cleared;
    json["redraw"] = field.redraw;
    json["redraw_label"] = field.redraw_label;
    return json;
}

Json problems_json(const std::string& title, const Problems& problems,
                   const std::vector<NamedControl>& controls) {
    Json list = Json::array();
    // As they stand in the form; what is about no control comes last.
    Problems in_order = problems;
    std::ranges::stable_sort(in_order, {}, [&](const Problem& problem) {
        return std::ranges::find_if(
                   controls,
                   [&](const NamedControl& control) { return concerns(problem, control.name); }) -
               controls.begin();
    });
    for (const Problem& problem : in_order) {
        Json item;
        item["target"] = nullptr;
        item["label"] = nullptr;
        item["message"] = problem_words(problem.message);
        for (const NamedControl& control : controls) {
            if (!concerns(problem, control.name)) continue;
            item["target"] = control.id;
            item["label"] = control.label;
            item["message"] = without_label(problem_words(problem.message), control.label);
        }
        list.push_back(std::move(item));
    }
    Json json;
    json["has_problems"] = !problems.empty();
    json["problems_title"] = title;
    json["problems"] = std::move(list);
    return json;
}

Json form_json(const std::string& title, const std::vector<FormField>& fields,
               const Problems& problems, const std::vector<NamedControl>& others) {
    std::vector<NamedControl> controls;
    for (const FormField& field : fields) {
        controls.push_back({.name = field.name, .id = field.id, .label = field.label});
    }
    controls.insert(controls.end(), others.begin(), others.end());
    Json json = problems_json(title, problems, controls);
    json["fields"] = Json::array();
    for (const FormField& field : fields) json["fields"].push_back(to_json(field, problems));
    return json;
}

Json filter_json(const std::string& list, const std::string& label, std::size_t items) {
    constexpr std::size_t is_long = 15;
    if (items < is_long) return nullptr;
    Json json;
    json["filtered_list"] = list;
    json["filter_label"] = label;
    return json;
}

std::vector<std::string> names_in(const std::string& text) {
    std::vector<std::string> names;
    std::string separated = text;
    std::ranges::replace(separated, ',', '\n');
    std::istringstream stream(separated);
    for (std::string line; std::getline(stream, line);) {
        if (const auto name = http::trim(line); !name.empty()) names.emplace_back(name);
    }
    return names;
}

}  // namespace fcgi::pages
