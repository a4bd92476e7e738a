#include "provisioner/operations/provider_fields.hpp"

#include <algorithm>

namespace provisioner::operations {

namespace {

using Alternatives = std::vector<std::vector<std::string>>;

/// Field descriptions here carry the wire contract's other spelling: "defaultValue".
base::Json field_json(const model::PluginField& field) {
    base::Json json = {{"label", field.label}, {"type", field.kind}, {"tip", field.tip}};
    if (!field.options.empty()) json["options"] = field.options;
    if (!field.default_value.is_null()) json["defaultValue"] = field.default_value;
    json["override"] = field.overridable;
    json["sensitive"] = field.sensitive;
    return json;
}

const model::PluginField* find_field(const model::PluginParameters& parameters,
                                     const std::string& name) {
    const auto found = std::find_if(parameters.fields.begin(), parameters.fields.end(),
                                    [&](const auto& field) { return field.name == name; });
    return found == parameters.fields.end() ? nullptr : &*found;
}

/// Nothing when one alternative is covered by `known`; otherwise what each of them lacks.
base::Json missing_fields(const model::PluginParameters& parameters, const base::Json& known) {
    base::Json alternatives = base::Json::array();
    for (const auto& names : parameters.required) {
        base::Json missing = base::Json::object();
        for (const std::string& name : names) {
            if (known.contains(name)) continue;
            const model::PluginField* field = find_field(parameters, name);
            if (field != nullptr) missing[name] = field_json(*field);
        }
        if (missing.empty()) return base::Json::array();
        alternatives.push_back(std::move(missing));
    }
    return alternatives;
}

const model::PluginField* settable_field(const model::PluginType& type, const std::string& name) {
    if (const auto* field = find_field(type.user, name)) return field;
    const auto* field = find_field(type.admin, name);
    return field != nullptr && field->overridable ? field : nullptr;
}

}  // namespace

Result<model::Provider> with_user_fields(const model::Provider& provider,
                                         const model::PluginType& type, const base::Json& given) {
    base::Json known = provider.fields;
    for (const auto& [name, value] : given.items()) known[name] = value;
    if (base::Json missing = missing_fields(type.user, known); !missing.empty()) {
        auto refusal = refuse(Refusal::Kind::missing_fields, "providerFields",
                              "fields of the provider are missing");
        refusal.value().missing_fields = std::move(missing);
        return refusal;
    }
    model::Provider merged = provider;
    for (const auto& [name, value] : given.items()) {
        const model::PluginField* field = settable_field(type, name);
        if (field == nullptr) continue;
        if (field->sensitive) {
            return refuse(Refusal::Kind::invalid, "providerFields." + name,
                          "secret fields cannot be given with a cluster yet; ask an administrator "
                          "to put it into the provider");
        }
        merged.fields[name] = value;
    }
    return merged;
}

}  // namespace provisioner::operations
