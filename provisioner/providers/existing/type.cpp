#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/existing/existing_provider.hpp"

namespace provisioner::providers::existing {

namespace {

using cloud::field;

std::vector<model::PluginField> list_fields() {
    return {
        field({.name = "machines",
               .label = "Machines",
               .tip = "A list in JSON or YAML, or an Ansible inventory",
               .leads = true}),
        field({.name = "machine_list_resource",
               .label = "File with the machines",
               .tip = "Instead of Machines: a file of this plugin (machine_lists)",
               .leads = true}),
        field({.name = "pin_on_first_contact",
               .label = "Trust the first host key",
               .tip = "Allows machines without host keys: whoever answers first is trusted",
               .kind = "checkbox",
               .default_value = "false",
               .default_applies = true}),
        field({.name = "spread_by",
               .label = "Spread nodes by",
               .tip = "Key of a tag, as rack for rack=7: nodes of a cluster come from different "
                      "racks while there are some"}),
        field({.name = "ssh_key_resource",
               .label = "SSH key",
               .tip = "A file of this plugin (ssh_keys): the private key that logs in; empty: the "
                      "tenant's own"}),
    };
}

std::vector<model::PluginField> wipe_fields() {
    return {
        field({.name = "wipe_script",
               .label = "Wipe script",
               .tip = "Shell text that cleans a machine before the next node gets it; runs as "
                      "root"}),
        field({.name = "wipe_script_resource",
               .label = "File with the wipe script",
               .tip = "Instead of the script: a file of this plugin (wipe_scripts)"}),
        field({.name = "wipe_minutes",
               .label = "Longest wipe",
               .tip = "Minutes after which a wipe has failed",
               .default_value = "60",
               .default_applies = true,
               .number = model::NumberRange{.least = 1, .most = 24 * 60}}),
        field({.name = "reuse_without_wiping",
               .label = "Reuse without wiping",
               .tip = "Machines go to the next node as the last one left them",
               .kind = "checkbox",
               .default_value = "false",
               .default_applies = true}),
    };
}

}  // namespace

model::PluginType ExistingProvider::type() const {
    model::PluginType type;
    type.header.name = text_.name;
    type.header.label = text_.label;
    type.header.description = text_.description;
    type.admin.fields = list_fields();
    const auto add = [&](const std::vector<model::PluginField>& fields) {
        type.admin.fields.insert(type.admin.fields.end(), fields.begin(), fields.end());
    };
    if (power_ != nullptr) add(power_->fields());
    add(wipe_fields());
    type.admin.required = {{"machines"}, {"machine_list_resource"}};
    type.resource_types = {{.name = "machine_lists", .format = "file", .permissions = "0600"},
                           {.name = "ssh_keys", .format = "file", .permissions = "0600"},
                           {.name = "wipe_scripts", .format = "file", .permissions = "0700"}};
    return type;
}

}  // namespace provisioner::providers::existing
