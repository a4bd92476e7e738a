#include "provisioner/model/plugins/plugin_type.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "provisioner/base/ids.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"

namespace provisioner::model {

namespace {

using base::Json;

/// A required text; notes `sentence` when it is absent or empty. A value of the wrong type is noted
/// by the reader already.
std::string text_or_problem(ObjectReader& reader, std::string_view key, const char* sentence) {
    const Json* found = reader.value(key);
    const bool readable = found == nullptr || found->is_primitive();
    std::string text = reader.text(key).value_or("");
    if (text.empty() && readable) reader.problem(key, sentence);
    return text;
}

std::optional<double> bound_at(const Json& range, const char* key, ObjectReader& reader) {
    const Json* found = base::member(range, key);
    if (found == nullptr || found->is_null()) return std::nullopt;
    if (found->is_number()) return found->get<double>();
    reader.problem("number", std::string(key) + " must be a number.");
    return std::nullopt;
}

std::optional<NumberRange> read_range(ObjectReader& reader) {
    const Json* range = reader.value("number");
    if (range == nullptr) return std::nullopt;
    if (!range->is_object()) {
        reader.problem("number", "must be an object.");
        return std::nullopt;
    }
    const Json* decimals = base::member(*range, "decimals");
    return NumberRange{.least = bound_at(*range, "min", reader),
                       .most = bound_at(*range, "max", reader),
                       .is_whole = decimals == nullptr || *decimals != true};
}

PluginField read_field(std::string name, ObjectReader reader) {
    PluginField field;
    field.name = std::move(name);
    field.label = text_or_problem(reader, "label", "Field label must be specified.");
    field.kind = text_or_problem(reader, "type", "Field type must be specified.");
    field.tip = reader.text("tip").value_or("");
    if (const Json* value = reader.value("default")) field.default_value = *value;
    field.default_applies = reader.truth("applied").value_or(false);
    field.overridable = reader.truth("override").value_or(false);
    field.sensitive = reader.truth("sensitive").value_or(false);
    field.leads = reader.truth("leads").value_or(false);
    field.grants = reader.truth("grants").value_or(false);
    field.options = reader.names("options");
    field.number = read_range(reader);
    return field;
}

bool declares(const PluginParameters& parameters, const std::string& name) {
    return std::any_of(parameters.fields.begin(), parameters.fields.end(),
                       [&](const PluginField& field) { return field.name == name; });
}

void check_required(const PluginParameters& parameters, ObjectReader& reader) {
    std::vector<std::string> unknown;
    std::string text;
    for (const auto& set : parameters.required) {
        for (const std::string& name : set) {
            const bool known = declares(parameters, name) ||
                               std::find(unknown.begin(), unknown.end(), name) != unknown.end();
            if (known) continue;
            unknown.push_back(name);
            text += (text.empty() ? "" : ", ") + name;
        }
    }
    if (unknown.empty()) return;
    reader.problem("required", text + " specified as required, but are not fields.");
}

PluginParameters read_parameters(ObjectReader reader) {
    PluginParameters parameters;
    ObjectReader fields = reader.object("fields");
    for (auto& [name, field] : fields.members()) {
        parameters.fields.push_back(read_field(name, field));
    }
    parameters.required = reader.groups("required");
    check_required(parameters, reader);
    return parameters;
}

const PluginField* find_region_field(const PluginType& type) {
    for (const auto* parameters : {&type.admin, &type.user}) {
        for (const PluginField& field : parameters->fields) {
            if (field.name == type.region_field) return &field;
        }
    }
    return nullptr;
}

void check_region_field(const PluginType& type, ObjectReader& reader) {
    if (type.region_field.empty()) return;
    const PluginField* field = find_region_field(type);
    if (field == nullptr) reader.problem("regionField", type.region_field + " is not a field.");
    if (field != nullptr && field->is_secret()) {
        reader.problem("regionField", type.region_field + " is a secret field.");
    }
}

/// What the provider is told by the field, in one form for all that mean the same.
Json told(const PluginField& field, const Json& fields) {
    const Json* value = base::member(fields, field.name);
    const bool is_silent = value == nullptr || value->is_null() || *value == "";
    Json said = is_silent ? field.default_value : *value;
    if (!said.is_string()) return said;
    auto text = said.get<std::string>();
    for (auto at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at)) {
        text.erase(at, 1);
    }
    if (text.empty()) return nullptr;
    return text;
}

bool is_permission(const std::string& text) {
    const bool digits =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && (text.size() == 3 || text.size() == 4);
}

PluginResourceType read_resource_type(std::string name, ObjectReader reader) {
    PluginResourceType type;
    type.name = std::move(name);
    type.format = reader.text("format").value_or("");
    if (type.format != "archive" && type.format != "file") {
        reader.problem("format", "Format must be given.");
    }
    type.permissions = reader.text("permissions");
    if (!type.permissions) return type;
    if (!is_permission(*type.permissions)) {
        reader.problem("permissions", *type.permissions + " is an invalid file permission");
    }
    if (type.format == "archive") {
        reader.problem("permissions", "permissions are only allowed for file format.");
    }
    return type;
}

/// Whole numbers without a decimal point.
Json bound_json(double bound) {
    constexpr double exact = 1e15;
    if (std::abs(bound) < exact && bound == std::floor(bound)) {
        return static_cast<std::int64_t>(bound);
    }
    return bound;
}

Json range_json(const NumberRange& range) {
    Json json = Json::object();
    if (range.least) json["min"] = bound_json(*range.least);
    if (range.most) json["max"] = bound_json(*range.most);
    if (!range.is_whole) json["decimals"] = true;
    return json;
}

Json field_json(const PluginField& field) {
    Json json = {{"label", field.label}, {"type", field.kind}, {"tip", field.tip}};
    if (!field.default_value.is_null()) json["default"] = field.default_value;
    if (field.default_applies) json["applied"] = true;
    json["override"] = field.overridable;
    json["sensitive"] = field.sensitive;
    if (field.leads) json["leads"] = true;
    if (field.grants) json["grants"] = true;
    if (!field.options.empty()) json["options"] = field.options;
    if (field.number) json["number"] = range_json(*field.number);
    return json;
}

void write_parameters(Json& json, const char* key, const PluginParameters& parameters) {
    if (parameters.fields.empty() && parameters.required.empty()) return;
    Json fields = Json::object();
    for (const PluginField& field : parameters.fields) fields[field.name] = field_json(field);
    json[key]["fields"] = std::move(fields);
    json[key]["required"] = parameters.required;
}

Json resource_types_json(const std::vector<PluginResourceType>& types) {
    Json json = Json::object();
    for (const PluginResourceType& type : types) {
        json[type.name]["format"] = type.format;
        if (type.permissions) json[type.name]["permissions"] = *type.permissions;
    }
    return json;
}

}  // namespace

bool NumberRange::holds(std::string_view text) const {
    const bool is_negative = text.starts_with('-');
    const auto digits = is_negative ? text.substr(1) : text;
    const auto allowed = is_whole ? "0123456789" : "0123456789.";
    if (digits.empty() || digits.find_first_not_of(allowed) != std::string_view::npos) return false;
    // Plugins read no sign where nothing below 0 is meant, no number that ends or begins with its
    // point, and whole numbers of 64 bits.
    if (is_negative && least && *least >= 0) return false;
    if (digits.front() == '.' || digits.back() == '.') return false;
    if (is_whole && !base::parse_number(digits)) return false;
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return false;
    return (!least || number >= *least) && (!most || number <= *most);
}

bool is_filled(const PluginParameters& parameters, const Json& fields) {
    const auto says_something = [&](const std::string& name) {
        const Json* value = base::member(fields, name);
        return value != nullptr && !value->is_null() && *value != "";
    };
    if (parameters.required.empty()) return true;
    return std::any_of(
        parameters.required.begin(), parameters.required.end(),
        [&](const auto& names) { return std::all_of(names.begin(), names.end(), says_something); });
}

std::string region_of(const PluginType& type, const Json& fields) {
    if (type.region_field.empty()) return "";
    std::string region = base::text_at(fields, type.region_field);
    const PluginField* field = find_region_field(type);
    if (!region.empty() || field == nullptr || !field->default_value.is_string()) return region;
    return field->default_value.get<std::string>();
}

std::vector<std::string> leading_changes(const PluginType& type, const Json& before,
                                         const Json& after) {
    std::vector<std::string> changes;
    for (const auto* parameters : {&type.admin, &type.user}) {
        for (const PluginField& field : parameters->fields) {
            if (!field.leads) continue;
            if (told(field, before) != told(field, after)) changes.push_back(field.name);
        }
    }
    return changes;
}

base::Checked<PluginType> plugin_type_from_json(PluginKind kind, const Json& json) {
    base::Problems problems;
    ObjectReader reader(&json, "", problems);
    PluginType type;
    type.header = read_header(reader);
    type.kind = kind;
    ObjectReader parameters = reader.object("parameters");
    type.admin = read_parameters(parameters.object("admin"));
    type.user = read_parameters(parameters.object("user"));
    ObjectReader resource_types = reader.object("resourceTypes");
    for (auto& [name, resource_type] : resource_types.members()) {
        type.resource_types.push_back(read_resource_type(name, resource_type));
    }
    type.region_field = reader.text("regionField").value_or("");
    check_region_field(type, reader);
    type.login_keys = reader.truth("loginKeys").value_or(false);
    return unless_problems(std::move(type), std::move(problems));
}

Json to_json(const PluginType& type) {
    Json parameters = Json::object();
    write_parameters(parameters, "admin", type.admin);
    write_parameters(parameters, "user", type.user);
    Json json = header_json(type.header);
    json["parameters"] = std::move(parameters);
    json["resourceTypes"] = resource_types_json(type.resource_types);
    if (!type.region_field.empty()) json["regionField"] = type.region_field;
    if (type.login_keys) json["loginKeys"] = true;
    return json;
}

}  // namespace provisioner::model
