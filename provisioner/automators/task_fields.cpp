#include "provisioner/automators/task_fields.hpp"

#include <algorithm>

#include "provisioner/model/names.hpp"

namespace provisioner::automators {

base::Problems problems_with_task(const AutomatorTask& task, std::string_view automator) {
    base::Problems problems;
    if (auto wrong = model::problem_with_name(task.id)) problems.push_back({"id", *wrong});
    for (const Resource& resource : *task.resources) {
        auto wrong = model::problem_with_name(resource.name);
        if (resource.name == "." || resource.name == "..") wrong = "must be the name of a file";
        if (resource.name.starts_with('-')) wrong = "must not begin with a hyphen";
        if (wrong) problems.push_back({resource.type + "." + resource.name, *wrong});
    }
    if (task.action != model::Action::bootstrap && model::is_hardware_action(task.action)) {
        problems.push_back({"action", "the " + std::string(automator) + " automator does not " +
                                          base::to_word(task.action) + " machines"});
    }
    return problems;
}

std::string label_of(const AutomatorTask& task) {
    std::string action = base::to_word(task.action);
    return task.service.empty() ? action : action + " " + task.service;
}

const std::string* field_of(const AutomatorTask& task, const std::string& name) {
    const auto found = task.fields.find(name);
    return found == task.fields.end() || found->second.empty() ? nullptr : &found->second;
}

std::vector<std::string> comma_list(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    std::vector<std::string> elements;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        auto element = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
        const auto first = element.find_first_not_of(blanks);
        if (first == std::string_view::npos) continue;
        element = element.substr(first, element.find_last_not_of(blanks) - first + 1);
        elements.emplace_back(element);
    }
    return elements;
}

base::Json json_object_field(const AutomatorTask& task, const std::string& name,
                             base::Problems& problems) {
    const std::string* text = field_of(task, name);
    if (text == nullptr) return base::Json::object();
    auto json = base::parse_json(*text);
    if (json && json->is_object()) return *std::move(json);
    problems.push_back({name, json
                                  ? "must be a JSON object, like {\"key\": \"value\"}"
                                  : "is no JSON; it must be an object, like {\"key\": \"value\"}"});
    return base::Json::object();
}

bool checkbox_field(const AutomatorTask& task, const std::string& name, bool otherwise,
                    base::Problems& problems) {
    const std::string* text = field_of(task, name);
    if (text == nullptr) return otherwise;
    if (*text != "true" && *text != "false") {
        problems.push_back({name, "must be true or false, not \"" + *text + "\""});
    }
    return *text == "true";
}

void want_one_of(const AutomatorTask& task, const std::string& first, const std::string& second,
                 base::Problems& problems) {
    const bool has_first = field_of(task, first) != nullptr;
    const bool has_second = field_of(task, second) != nullptr;
    if (!has_first && !has_second) problems.push_back({first, "must be given, or " + second});
    if (has_first && has_second) {
        problems.push_back({second, "cannot be given together with " + first});
    }
}

const Resource* live_resource(const AutomatorTask& task, const std::string& type,
                              const std::string& name, const std::string& field,
                              base::Problems& problems) {
    for (const Resource& resource : *task.resources) {
        if (resource.type == type && resource.name == name) return &resource;
    }
    problems.push_back({field, "there is no live resource \"" + name + "\" of type " + type +
                                   "; upload it, stage it and sync"});
    return nullptr;
}

model::PluginField text_field(const char* name, const char* label, const char* tip) {
    model::PluginField field;
    field.name = name;
    field.label = label;
    field.tip = tip;
    return field;
}

}  // namespace provisioner::automators
