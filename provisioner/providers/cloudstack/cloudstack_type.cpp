#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloudstack/cloudstack_cloud.hpp"

namespace provisioner::providers::cloudstack {

using cloud::field;

namespace {

void add_login(std::vector<model::PluginField>& fields) {
    fields.push_back(field({.name = "api_endpoint",
                            .label = "API URL",
                            .tip = "Such as https://cloud.example.org/client/api",
                            .leads = true}));
    fields.push_back(field({.name = "api_key", .label = "API key"}));
    fields.push_back(field({.name = "api_secret", .label = "Secret key", .kind = "password"}));
}

void add_places(std::vector<model::PluginField>& fields) {
    fields.push_back(field(
        {.name = "availability_zone", .label = "Zone", .tip = "Name or id", .overridable = true}));
    fields.push_back(field({.name = "network_ids",
                            .label = "Networks",
                            .tip = "Names or ids, with commas, the first is the default one; "
                                   "empty: that of the zone",
                            .overridable = true}));
    fields.push_back(field({.name = "security_groups",
                            .label = "Security groups",
                            .tip = "Names, with commas; empty: one for each cluster is made, where "
                                   "the zone has security groups. Machines in a group trust each "
                                   "other, so only administrators choose others for a cluster",
                            .overridable = true,
                            .grants = true}));
    fields.push_back(field({.name = "cloudstack_address",
                            .label = "Public address",
                            .tip = "static_nat: one for each machine, for networks behind a "
                                   "router; its ports are opened as services need them",
                            .kind = "select",
                            .default_value = "none",
                            .default_applies = true,
                            .overridable = true,
                            .options = {"none", "static_nat"}}));
}

void add_the_rest(std::vector<model::PluginField>& fields) {
    fields.push_back(field({.name = "ssh_keypair",
                            .label = "Key pair",
                            .tip = "Name of a key pair that may log in, too",
                            .overridable = true}));
    fields.push_back(field({.name = "cloudstack_group",
                            .label = "Instance group",
                            .tip = "Shown in the cloud's pages; made if it does not exist",
                            .overridable = true}));
    fields.push_back(field({.name = "expunge",
                            .label = "Expunge at once",
                            .tip = "Else, or if the account may not, the cloud keeps destroyed "
                                   "machines for a while",
                            .kind = "checkbox",
                            .default_value = "true",
                            .default_applies = true}));
}

}  // namespace

model::PluginType CloudStackCloud::type() const {
    model::PluginType type;
    type.header.name = "cloudstack";
    type.login_keys = true;
    type.header.label = "CloudStack";
    type.header.description = "Machines of Apache CloudStack";
    add_login(type.admin.fields);
    add_places(type.admin.fields);
    add_the_rest(type.admin.fields);
    type.region_field = "availability_zone";
    type.admin.required = {{"api_endpoint", "api_key", "api_secret", "availability_zone"}};
    return type;
}

}  // namespace provisioner::providers::cloudstack
