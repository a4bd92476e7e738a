#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/joyent/joyent_cloud.hpp"

namespace provisioner::providers::joyent {

using cloud::field;

namespace {

/// Coopr's own, with its labels and defaults.
void add_fields_of_coopr(std::vector<model::PluginField>& fields) {
    fields.push_back(field({.name = "api_user", .label = "CloudAPI Username"}));
    fields.push_back(
        field({.name = "api_password", .label = "CloudAPI Password", .kind = "password"}));
    fields.push_back(field({.name = "ssh_keypair", .label = "Key Name"}));
    fields.push_back(field({.name = "ssh_key_resource", .label = "SSH Key Resource Name"}));
    fields.push_back(field({.name = "joyent_version",
                            .label = "API version",
                            .default_value = "~7.0",
                            .default_applies = true}));
    const std::string before = "https://";
    const std::string after = ".api.joyentcloud.com";
    std::vector<std::string> regions;
    for (const char* region :
         {"us-east-1", "us-east-2", "us-east-3", "us-sw-1", "us-west-1", "eu-ams-1"}) {
        regions.push_back(before + region + after);
    }
    fields.push_back(field({.name = "joyent_api_url",
                            .label = "Region",
                            .kind = "select",
                            .default_value = regions.front(),
                            .overridable = true,
                            .leads = true,
                            .options = regions}));
}

void add_fields_of_ours(std::vector<model::PluginField>& fields) {
    fields.push_back(field({.name = "joyent_subuser",
                            .label = "Sub-user",
                            .tip = "Login of a user of the account (RBAC) whose key signs; needs "
                                   "API version ~7.2 or later"}));
    fields.push_back(
        field({.name = "network_ids",
               .label = "Networks",
               .tip = "Names or ids, with commas; empty: those that the account has by default",
               .overridable = true}));
    fields.push_back(
        field({.name = "joyent_firewall",
               .label = "Firewall",
               .tip = "Rules for each cluster: logins, the ports that services open, and all "
                      "between machines of the cluster",
               .kind = "checkbox",
               .default_value = "true",
               .default_applies = true,
               .overridable = true}));
    fields.push_back(field({.name = "joyent_data_disk",
                            .label = "Data disk on /data",
                            .tip = "Formats /dev/vdb if it is empty, and mounts it",
                            .kind = "checkbox",
                            .default_value = "true",
                            .default_applies = true,
                            .overridable = true}));
}

}  // namespace

model::PluginType JoyentCloud::type() const {
    model::PluginType type;
    type.header.name = "joyent";
    type.header.label = "Joyent";
    type.header.description = "Machines of a Triton data centre, by CloudAPI";
    add_fields_of_coopr(type.admin.fields);
    add_fields_of_ours(type.admin.fields);
    type.region_field = "joyent_api_url";
    type.admin.required = {{"api_user", "api_password"},
                           {"api_user", "ssh_keypair", "ssh_key_resource"}};
    model::PluginResourceType keys;
    keys.name = "ssh_keys";
    keys.permissions = "0400";
    type.resource_types.push_back(std::move(keys));
    return type;
}

}  // namespace provisioner::providers::joyent
