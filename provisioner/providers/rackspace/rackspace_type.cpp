#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/rackspace/rackspace_cloud.hpp"

namespace provisioner::providers::rackspace {

namespace {

using cloud::FieldText;

std::vector<FieldText> fields_of_coopr() {
    return {{.name = "api_user", .label = "Username"},
            {.name = "api_password", .label = "API key", .kind = "password"},
            {.name = "rackspace_region",
             .label = "Region",
             .kind = "select",
             .default_value = "dfw",
             .overridable = true,
             .options = regions()}};
}

/// Coopr knew these, but its forms did not show them.
std::vector<FieldText> hidden_fields_of_coopr() {
    return {{.name = "rackspace_config_drive",
             .label = "Config drive",
             .tip = "Machines with cloud-init always have one",
             .kind = "checkbox"},
            {.name = "rackspace_metadata",
             .label = "Metadata of servers",
             .tip = "key=value, with commas, or a JSON object"},
            {.name = "rackspace_files",
             .label = "Files on servers",
             .tip = "A JSON object from path to text, at most 5 of 1,000 bytes"},
            {.name = "rackspace_auth_url",
             .label = "Identity service",
             .tip = "Empty: Rackspace's own, in the UK for region lon",
             .leads = true}};
}

}  // namespace

model::PluginType rackspace_type() {
    model::PluginType type;
    type.header.name = "rackspace";
    type.login_keys = true;
    type.header.label = "Rackspace";
    type.header.description = "Cloud Servers of Rackspace";
    for (const auto& texts : {fields_of_coopr(), hidden_fields_of_coopr()}) {
        for (const FieldText& text : texts) type.admin.fields.push_back(cloud::field(text));
    }
    type.region_field = "rackspace_region";
    type.admin.required = {{"api_user", "api_password", "rackspace_region"}};
    type.user.fields = {
        cloud::field({.name = "rackconnect_wait",
                      .label = "RackConnect Wait",
                      .tip = "A machine is ready when RackConnect's automation is DEPLOYED",
                      .kind = "checkbox"}),
        cloud::field({.name = "ssh_keypair",
                      .label = "Key Name",
                      .tip = "A key pair that may log in as well; not needed with cloud-init"}),
        cloud::field({.name = "ssh_key_resource",
                      .label = "SSH Key Resource Name",
                      .tip = "The private key that logs in; not needed with cloud-init"})};
    type.resource_types = {{.name = "ssh_keys", .format = "file", .permissions = "0400"}};
    return type;
}

}  // namespace provisioner::providers::rackspace
