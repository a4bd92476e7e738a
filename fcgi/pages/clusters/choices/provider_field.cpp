#include "fcgi/pages/clusters/choices/provider_field.hpp"

#include <algorithm>

#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::model::PluginField;

namespace {

/// What can be chosen; empty for a field that is typed.
std::vector<std::string> choices_of(const PluginField& field) {
    if (field.kind == "checkbox") return {"true", "false"};
    return field.kind == "select" ? field.options : std::vector<std::string>{};
}

}  // namespace

std::string chosen_value_words(const PluginField& field, const std::string& value) {
    if (field.kind != "checkbox") return value;
    if (value == "true") return translated("Yes");
    return value == "false" ? translated("No") : value;
}

FormField provider_field(const PluginField& from, const ClusterForm& form) {
    FormField field{.id = "inputProviderField-" + from.name,
                    .name = "providerFields." + from.name,
                    .label = from.label};
    field.hint = from.tip;
    if (from.is_secret()) {
        field.type = "password";
        field.autocomplete = "off";
        return field;
    }
    // An empty control means that the administrator's own setting applies.
    const auto typed = form.provider_fields.find(from.name);
    if (typed != form.provider_fields.end()) field.value = typed->second;
    auto choices = choices_of(from);
    if (choices.empty()) return field;
    // A script may have given another value to the cluster that this one is like.
    const bool is_other = !field.value.empty() && std::ranges::count(choices, field.value) == 0;
    if (is_other) choices.push_back(field.value);
    field.control = FormField::Control::select;
    field.options = {{"", translated("Not set")}};
    for (const auto& value : choices) {
        field.options.emplace_back(value, chosen_value_words(from, value));
    }
    return field;
}

}  // namespace fcgi::pages
