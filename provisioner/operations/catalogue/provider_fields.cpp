#include "provisioner/operations/catalogue/provider_fields.hpp"

#include <algorithm>

#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/plugins/sealed.hpp"

namespace provisioner::operations {

namespace {

using Alternatives = std::vector<std::vector<std::string>>;

/// The wire contract spells one member differently here: "defaultValue".
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

/// Empty when one alternative is covered by `known`; otherwise the missing fields of each.
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

/// Whether it is a new secret: neither empty nor the mask, which stands for the stored one.
bool says_something(const base::Json& secret) {
    return !secret.is_null() && secret != "" && secret != model::secret_mask;
}

bool is_settable(const model::PluginType& type, const std::string& name) {
    if (find_field(type.user, name) != nullptr) return true;
    const auto* field = find_field(type.admin, name);
    return field != nullptr && field->overridable;
}

/// Of the fields that would lead secrets of others elsewhere: those with values that the type does
/// not offer.
base::Problems problems_with_direction(const model::PluginType& type,
                                       const model::Provider& provider,
                                       const model::Provider& changed) {
    base::Problems problems;
    for (const auto& name : model::leading_changes(type, provider.fields, changed.fields)) {
        const auto* field = find_field(type.admin, name);
        if (field == nullptr) field = find_field(type.user, name);
        const std::string value = base::text_at(changed.fields, name);
        const auto& options = field->options;
        if (std::find(options.begin(), options.end(), value) != options.end()) continue;
        problems.push_back({.field = "providerFields." + name,
                            .message = "must be one of the choices that there are: the stored "
                                       "secrets would go elsewhere"});
    }
    return problems;
}

/// Fields that grant rights and have another value than the provider's.
base::Problems problems_with_grants(const model::PluginType& type, const model::Provider& provider,
                                    const base::Json& given) {
    base::Problems problems;
    for (const model::PluginField& field : type.admin.fields) {
        if (!field.grants || !field.overridable || !given.contains(field.name)) continue;
        const base::Json& value = given.at(field.name);
        if (value == "" || value == provider.fields.value(field.name, base::Json(""))) continue;
        problems.push_back({.field = "providerFields." + field.name,
                            .message = "only administrators may choose it: it gives machines "
                                       "rights in the provider's account"});
    }
    return problems;
}

/// Whether there are secrets that calls of the provider use: sealed values, and fields that name a
/// file which is kept as a secret ("ssh_key_resource").
bool has_secrets(const base::Json& fields) {
    const auto items = fields.items();
    return std::any_of(items.begin(), items.end(), [](const auto& field) {
        const bool names_a_file = field.key().ends_with("_resource") &&
                                  field.key() != "user_data_resource" && field.value() != "";
        return names_a_file || model::is_sealed(field.value());
    });
}

}  // namespace

Result<TakenFields> with_user_fields(const model::Provider& provider, const model::PluginType& type,
                                     const base::Json& asked, FieldsOf whose,
                                     const base::Json& known) {
    const base::Json given = model::without_nulls(asked);
    base::Json covered = provider.fields;
    for (const auto& [name, value] : known.items()) covered[name] = true;
    for (const auto& [name, value] : given.items()) {
        const bool is_dropped = model::is_secret_field(&type, name) && !says_something(value);
        if (!is_dropped) covered[name] = true;
    }
    if (base::Json missing = missing_fields(type.user, covered); !missing.empty()) {
        auto refusal = refuse(Refusal::Kind::missing_fields, "providerFields",
                              "fields of the provider are missing");
        refusal.value().missing_fields = std::move(missing);
        return refusal;
    }
    if (whose == FieldsOf::user) {
        auto wrong = problems_with_grants(type, provider, given);
        if (!wrong.empty()) return refuse(Refusal::Kind::invalid, std::move(wrong));
    }
    TakenFields taken{.provider = provider};
    for (const auto& [name, value] : given.items()) {
        if (!is_settable(type, name)) continue;
        if (model::is_secret_field(&type, name)) {
            if (says_something(value)) taken.secrets[name] = value;
        } else if (model::is_sealed(value)) {
            return refuse(Refusal::Kind::invalid, "providerFields." + name,
                          "an object of \"sealed\" cannot be kept");
        } else {
            taken.provider.fields[name] = value;
        }
    }
    if (auto problems = model::problems_with_sizes("providerFields", taken.secrets);
        !problems.empty()) {
        return refuse(Refusal::Kind::invalid, std::move(problems));
    }
    if (!has_secrets(provider.fields) && !has_secrets(known)) return taken;
    auto problems = problems_with_direction(type, provider, taken.provider);
    if (!problems.empty()) return refuse(Refusal::Kind::invalid, std::move(problems));
    return taken;
}

}  // namespace provisioner::operations
