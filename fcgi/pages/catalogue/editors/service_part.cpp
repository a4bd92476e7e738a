#include <algorithm>
#include <chrono>
#include <set>

#include "fcgi/pages/catalogue/editors/named_files.hpp"
#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::strings_of;
using provisioner::base::text_at;
using provisioner::messages::for_translation;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::PluginField;
using provisioner::model::PluginType;

namespace {

const std::string actions_prefix = "provisioner.actions.";

/// The lifecycle of a service on a machine.
struct LifecycleRow {
    const char* action;
    const char* label;
    const char* when;
};
constexpr LifecycleRow lifecycle[] = {
    {"install", for_translation("Install"), for_translation("Once, when the machine is new")},
    {"configure", for_translation("Configure"),
     for_translation("After installing, and when the configuration changes")},
    {"initialize", for_translation("Initialize"), for_translation("Once, before the first start")},
    {"start", for_translation("Start"),
     for_translation("After initializing, and when somebody starts it")},
    {"stop", for_translation("Stop"),
     for_translation("When somebody stops it, and before removal")},
    {"remove", for_translation("Remove"), for_translation("When the service or the machine goes")}};

/// A column of the table of dependencies.
struct DependencyColumn {
    const char* name;
    const char* column;
    std::vector<const char*> path;
};

const std::vector<DependencyColumn>& dependency_columns() {
    static const std::vector<DependencyColumn> columns{
        {"dependencies.install.requires",
         for_translation("Required to install"),
         {"install", "requires"}},
        {"dependencies.runtime.requires",
         for_translation("Required to run"),
         {"runtime", "requires"}},
        {"dependencies.install.uses", for_translation("Installs after"), {"install", "uses"}},
        {"dependencies.runtime.uses", for_translation("Starts after"), {"runtime", "uses"}},
        {"dependencies.conflicts", for_translation("Conflicts with"), {"conflicts"}}};
    return columns;
}

std::vector<std::string> dependency_names(const Json& entry, const std::vector<const char*>& path) {
    const Json* found = member(entry, "dependencies");
    for (const char* name : path) {
        if (found != nullptr) found = member(*found, name);
    }
    return strings_of(found);
}

void add_once(std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::count(names, name) == 0) names.push_back(name);
}

/// What the service may depend on: other services, what they provide, and what it names already.
/// What is ticked comes first: it is found among hundreds of others.
struct DependencyRow {
    std::string name;
    std::string note;
    /// What people read for it: the label, if it has one.
    std::string title;
};

std::vector<DependencyRow> dependency_rows(const EditPage& page) {
    const std::string own = text_at(page.entry, "name");
    std::vector<DependencyRow> rows;
    const auto has = [&](const std::string& name) {
        return std::ranges::any_of(rows, [&](const auto& row) { return row.name == name; });
    };
    const auto& services =
        provisioner::operations::entries_of(page.context.entries, CatalogueKind::service);
    Labels labels;
    labels.add(CatalogueKind::service, told_apart(services));
    for (const Json& service : services) {
        const auto name = text_at(service, "name");
        if (name == own) continue;
        const std::string description = text_at(service, "description");
        const std::string title = labels.service(name);
        const std::string shown_name = title == name ? "" : name;
        rows.push_back(
            {name,
             shown_name + (shown_name.empty() || description.empty() ? "" : ": ") + description,
             title});
    }
    for (const Json& service : services) {
        const auto name = text_at(service, "name");
        if (name == own) continue;
        for (const auto& feature : dependency_names(service, {"provides"})) {
            if (!has(feature)) {
                rows.push_back({feature, translated("From {0}", labels.service(name)), feature});
            }
        }
    }
    for (const auto& column : dependency_columns()) {
        for (const auto& name : dependency_names(page.entry, column.path)) {
            if (!has(name) && name != own)
                rows.push_back({name, translated("No service provides it"), name});
        }
    }
    std::set<std::string> ticked;
    for (const auto& column : dependency_columns()) {
        for (const auto& name : dependency_names(page.entry, column.path)) ticked.insert(name);
    }
    std::ranges::stable_partition(
        rows, [&](const DependencyRow& row) { return ticked.contains(row.name); });
    return rows;
}

Json dependencies_json(const EditPage& page) {
    Json table;
    table["columns"] = Json::array();
    std::vector<std::vector<std::string>> chosen;
    for (const auto& column : dependency_columns()) {
        table["columns"].push_back(Json{{"column", translated(column.column)}});
        chosen.push_back(dependency_names(page.entry, column.path));
    }
    table["rows"] = Json::array();
    for (const auto& row : dependency_rows(page)) {
        Json drawn;
        drawn["row"] = row.title;
        drawn["note"] = row.note;
        drawn["cells"] = Json::array();
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const auto& column = dependency_columns()[i];
            Json cell;
            cell["column"] = translated(column.column);
            cell["name"] = column.name;
            cell["value"] = row.name;
            cell["label"] = row.title + ": " + translated(column.column);
            cell["checked"] = std::ranges::count(chosen[i], row.name) > 0;
            drawn["cells"].push_back(std::move(cell));
        }
        table["rows"].push_back(std::move(drawn));
    }
    table["has_rows"] = !table["rows"].empty();
    table["filter"] = filter_json("dependency-table",
                                  translated("Filter {0}", plural_words(CatalogueKind::service)),
                                  table["rows"].size());
    std::string problems;
    for (const char* name : {"dependencies", "services"}) {
        problems += messages_for(name, page.problems);
    }
    table["problem"] = problems;
    return table;
}

/// "10m" for 600000: as a person writes it; what a person wrote stays.
std::string limit_text(const Json& action) {
    const Json* limit = member(action, "limit");
    if (limit == nullptr) return "";
    if (!limit->is_number_integer()) return text_of_value(*limit);
    const auto millis = limit->get<std::int64_t>();
    for (const auto& [unit, size] : {std::pair{"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}}) {
        if (millis > 0 && millis % size == 0) return std::to_string(millis / size) + unit;
    }
    return std::to_string(millis);
}

FormField automator_choice(const EditPage& page, const LifecycleRow& row, const std::string& type) {
    auto field =
        entry_field(actions_prefix + row.action + ".type", translated("Automator"), type, "");
    field.control = FormField::Control::select;
    field.options.emplace_back("", translated("Nothing to do"));
    bool is_known = type.empty();
    for (const PluginType& one : page.context.given.automator_types) {
        field.options.emplace_back(one.header.name, one.header.name);
        is_known |= one.header.name == type;
    }
    if (!is_known)
        field.options.emplace_back(type, translated("{0} (no provisioner offers it)", type));
    return field;
}

/// "scripts a and b; archives c": what nodes get.
std::string files_words(const EditContext& context, const PluginType& type) {
    std::string words;
    for (const auto& resource : type.resource_types) {
        const auto found = context.given.files.find(type.header.name + '/' + resource.name);
        if (found == context.given.files.end() || found->second.empty()) continue;
        words += (words.empty() ? "" : "; ") + resource.name + ' ' + listed(found->second);
    }
    return words;
}

Json action_fields(const EditPage& page, const PluginType& type, const LifecycleRow& row,
                   const Json& action, std::vector<NamedControl>& controls) {
    const Json* values = member(action, "fields");
    Json list = Json::array();
    const auto draw = [&](FormField control) {
        controls.push_back({control.name, control.id,
                            translated("{0} ({1})", control.label, translated(row.label))});
        list.push_back(to_json(control, page.problems));
    };
    const std::string prefix = actions_prefix + row.action + ".fields.";
    std::set<std::string> drawn;
    for (const PluginField& field : type.admin.fields) {
        const Json* value = values == nullptr ? nullptr : member(*values, field.name);
        auto control = plugin_control(field, prefix + field.name, value, values == nullptr);
        // Fields of services are no secrets: nodes and everybody who reads the catalogue get them.
        if (field.is_secret() && value != nullptr) control.value = text_of_value(*value);
        control.type = "text";
        if (control.control == FormField::Control::input) {
            if (const auto* files = files_for(page.context.given.files, type, field.name)) {
                control.suggestions = *files;
            }
        }
        control.required = is_always_required(type.admin, field.name) &&
                           control.control != FormField::Control::select;
        drawn.insert(field.name);
        draw(std::move(control));
    }
    if (values == nullptr || !values->is_object()) return list;
    for (const auto& [name, value] : values->items()) {
        if (drawn.contains(name)) continue;
        draw(entry_field(prefix + name, name, text_of_value(value),
                         translated("Unknown to the automator")));
    }
    return list;
}

Json action_row(const EditPage& page, const LifecycleRow& row,
                std::vector<NamedControl>& controls) {
    static const PluginType unknown;
    const Json* actions = member(page.entry, "provisioner");
    if (actions != nullptr) actions = member(*actions, "actions");
    const Json* found = actions == nullptr ? nullptr : member(*actions, row.action);
    const Json action = found == nullptr ? Json::object() : *found;
    const std::string type_name = text_at(action, "type");
    const auto choice = automator_choice(page, row, type_name);
    controls.push_back({choice.name, choice.id, translated(row.label)});
    const auto* type = page.context.automator_type(type_name);
    auto limit = entry_field(actions_prefix + row.action + ".limit", translated("Time limit"),
                             limit_text(action), translated("Such as 90s, 10m or 2h"));
    controls.push_back(
        {limit.name, limit.id, translated("{0} ({1})", limit.label, translated(row.label))});
    Json json;
    json["action"] = row.action;
    json["action_label"] = translated(row.label);
    json["when"] = translated(row.when);
    json["type"] = to_json(choice, page.problems);
    json["has_type"] = !type_name.empty();
    json["required"] = type == nullptr ? "" : alternatives_words(type->admin);
    json["files"] = type == nullptr ? "" : files_words(page.context, *type);
    json["fields"] = type_name.empty() ? Json::array()
                                       : action_fields(page, type == nullptr ? unknown : *type, row,
                                                       action, controls);
    json["limit"] = to_json(limit, page.problems);
    return json;
}

std::string joined_names(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

Json read_action(const http::FormData& sent, const EditContext& context, const std::string& action,
                 const Json* before) {
    const std::string prefix = actions_prefix + action;
    const std::string type_name = sent.trimmed(prefix + ".type");
    Json json;
    json["type"] = type_name;
    json["fields"] = Json::object();
    const auto* type = context.automator_type(type_name);
    const std::string fields = prefix + ".fields.";
    for (const auto& [name, value] : sent.fields) {
        if (!name.starts_with(fields)) continue;
        const std::string field = name.substr(fields.size());
        const PluginField* declared = type == nullptr ? nullptr : field_named(type->admin, field);
        const bool was_there = before != nullptr && text_at(*before, "type") == type_name;
        std::string text = value;
        std::erase(text, '\r');
        if (declared != nullptr && declared->numbers()) text = http::trim(text);
        if (!text.empty() && (declared != nullptr || was_there)) json["fields"][field] = text;
    }
    const std::string limit = sent.trimmed(prefix + ".limit");
    if (!limit.empty()) json["limit"] = limit;
    return json;
}

/// The fields of another action with that automator that an action cannot do without; empty if
/// there is none.
Json required_fields_of_another(const PluginType& type, const Json& actions) {
    Json copied = Json::object();
    for (const auto& row : lifecycle) {
        const Json* other = member(actions, row.action);
        const Json* fields = other == nullptr ? nullptr : member(*other, "fields");
        if (fields == nullptr || text_at(*other, "type") != type.header.name) continue;
        for (const auto& [name, value] : fields->items()) {
            if (is_always_required(type.admin, name)) copied[name] = value;
        }
        if (!copied.empty()) break;
    }
    return copied;
}

}  // namespace

void fill_new_actions(const http::FormData& sent, const EditContext& context, Json& entry) {
    Json& actions = entry["provisioner"]["actions"];
    const Json typed = actions;
    for (auto& [action, done] : actions.items()) {
        const std::string prefix = actions_prefix + action + ".fields.";
        const auto* type = context.automator_type(text_at(done, "type"));
        if (type == nullptr) continue;
        const bool was_drawn = std::ranges::any_of(
            type->admin.fields,
            [&](const PluginField& field) { return sent.has(prefix + field.name); });
        if (!was_drawn) done["fields"] = required_fields_of_another(*type, typed);
    }
}

Json service_part(const EditPage& page, std::vector<NamedControl>& controls) {
    Json part;
    auto provides =
        entry_field("dependencies.provides", translated("Provides"),
                    joined_names(dependency_names(page.entry, {"provides"})),
                    translated("Other names that services can depend on, separated by commas"));
    auto ports = entry_field("ports", translated("Ports"), "",
                             translated("That clients reach: 80/tcp, 8000-8100/udp"));
    const Json* listed_ports = member(page.entry, "ports");
    ports.value = joined_names(strings_of(listed_ports));
    auto links = entry_field(
        "links", translated("Links"), link_lines(page.entry),
        translated("One per line: label | address. Macros such as %ip.access_v4.self% are "
                   "expanded. Shown with every cluster that has the service"));
    links.control = FormField::Control::textarea;
    part["fields"] = Json::array();
    for (const auto& field : {provides, ports, links}) {
        controls.push_back({field.name, field.id, field.label});
        part["fields"].push_back(to_json(field, page.problems));
    }
    // Circles are problems of "services".
    for (const char* name : {"dependencies", "services"}) {
        controls.push_back({name, "dependency-table", translated("Dependencies")});
    }
    part["dependencies"] = dependencies_json(page);
    part["actions"] = Json::array();
    for (const auto& row : lifecycle) part["actions"].push_back(action_row(page, row, controls));
    return part;
}

void read_service(const http::FormData& sent, const EditContext& context, const Json& stored,
                  Json& entry) {
    Json dependencies;
    dependencies["provides"] = names_in_text(sent.trimmed("dependencies.provides"));
    dependencies["conflicts"] = Json::array();
    dependencies["install"] = {{"requires", Json::array()}, {"uses", Json::array()}};
    dependencies["runtime"] = {{"requires", Json::array()}, {"uses", Json::array()}};
    bool has_any = !dependencies["provides"].empty();
    for (const auto& column : dependency_columns()) {
        std::vector<std::string> names;
        for (const auto& name : sent.all(column.name)) add_once(names, name);
        has_any |= !names.empty();
        Json* place = &dependencies;
        for (const char* name : column.path) place = &(*place)[name];
        *place = names;
    }
    if (has_any || member(stored, "dependencies") != nullptr) {
        entry["dependencies"] = std::move(dependencies);
    }
    const Json* before = member(stored, "provisioner");
    if (before != nullptr) before = member(*before, "actions");
    Json actions = Json::object();
    for (const auto& row : lifecycle) {
        if (sent.trimmed(actions_prefix + row.action + ".type").empty()) continue;
        actions[row.action] = read_action(
            sent, context, row.action, before == nullptr ? nullptr : member(*before, row.action));
    }
    entry["provisioner"] = Json::object();
    entry["provisioner"]["actions"] = std::move(actions);
    entry["ports"] = names_in_text(sent.trimmed("ports"));
    entry["links"] = links_in_text(sent.first("links").value_or(""));
}

}  // namespace fcgi::pages
