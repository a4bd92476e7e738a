#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/openstack/openstack_cloud.hpp"

namespace provisioner::providers::openstack {

namespace {

using cloud::FieldText;

constexpr double largest_boot_volume = 16'384;

/// Coopr's fields, as its catalogues have them.
std::vector<FieldText> fields_of_coopr() {
    return {
        {.name = "api_user", .label = "Username", .tip = "The name of a user of Keystone"},
        {.name = "api_password", .label = "Password", .kind = "password"},
        {.name = "availability_zone",
         .label = "Availability Zone",
         .tip = "Empty: the cloud chooses",
         .overridable = true},
        {.name = "openstack_tenant",
         .label = "Tenant",
         .tip = "Name or id of the project whose machines they are"},
        {.name = "openstack_auth_url",
         .label = "Auth URL",
         .tip =
             "The address of Keystone, such as https://cloud.example.org:5000/v3. Only version 3 "
             "is spoken; the older .../v2.0/tokens is understood",
         .default_value = "http://EXAMPLE.DOMAIN.COM:5000/v2.0/tokens",
         .leads = true},
        {.name = "ssh_keypair",
         .label = "Key name",
         .tip = "A key pair of the user that may log in as well; not needed with cloud-init"},
        {.name = "ssh_key_resource",
         .label = "SSH Key Resource Name",
         .tip = "The private key that logs in; not needed with cloud-init"},
        {.name = "floating_ip",
         .label = "Floating IP",
         .tip =
             "Whether machines get a floating address: a free one of the project, else a new one",
         .kind = "checkbox",
         .overridable = true},
        {.name = "network_ids",
         .label = "Network IDs",
         .tip =
             "Names or ids of networks, with commas: an interface each. Empty: the only one that "
             "there is",
         .overridable = true},
        {.name = "openstack_ssl_verify_peer",
         .label = "Verify SSL peers",
         .tip = "Certificates are always verified; give the authority below if it is your own",
         .kind = "checkbox"},
        {.name = "security_groups",
         .label = "Security Group",
         .tip = "Names or ids, with commas. Empty: a group for each cluster, with the ports of its "
                "services. Machines in a group trust each other, so only administrators choose "
                "others for a cluster",
         .default_value = "default",
         .overridable = true,
         .grants = true}};
}

std::vector<FieldText> fields_of_login() {
    return {{.name = "openstack_application_credential_id",
             .label = "Application credential",
             .tip = "Its id; then user, password and tenant are not needed"},
            {.name = "openstack_application_credential_secret",
             .label = "Secret of the application credential",
             .kind = "password"},
            {.name = "openstack_user_domain",
             .label = "Domain of the user",
             .tip = "Name or id; empty: Default"},
            {.name = "openstack_project_domain",
             .label = "Domain of the project",
             .tip = "Name or id; empty: Default"},
            {.name = "openstack_region",
             .label = "Region",
             .tip = "Empty: the only one that there is",
             .overridable = true},
            {.name = "openstack_interface",
             .label = "Interface",
             .tip = "Which of the catalogue's addresses the provisioner can reach",
             .kind = "select",
             .default_value = "public",
             .default_applies = true,
             .options = {"public", "internal", "admin"}}};
}

std::vector<FieldText> fields_of_machines() {
    return {
        {.name = "floating_network",
         .label = "Network of floating addresses",
         .tip = "Name or id of an external network; empty: the only one that there is",
         .overridable = true},
        {.name = "server_group",
         .label = "Server group",
         .tip = "Name or id of a server group that exists, for all machines",
         .overridable = true},
        {.name = "anti_affinity",
         .label = "Spread over hosts",
         .tip =
             "Machines of a cluster get hosts of their own (anti-affinity), or do so where there "
             "are enough (soft-anti-affinity): in a server group that is made for the cluster",
         .kind = "select",
         .overridable = true,
         .options = {"", "anti-affinity", "soft-anti-affinity"}},
        {.name = "boot_volume_size",
         .label = "Boot volume",
         .tip = "GB of a volume of Cinder to boot from, deleted with the machine; empty: the "
                "flavor's disk",
         .overridable = true,
         .number = model::NumberRange{.least = 1, .most = largest_boot_volume}},
        {.name = "config_drive",
         .label = "Config drive",
         .tip = "For networks without a metadata service",
         .kind = "checkbox",
         .overridable = true}};
}

}  // namespace

model::PluginType openstack_type() {
    model::PluginType type;
    type.header.name = "openstack";
    type.login_keys = true;
    type.header.label = "OpenStack";
    type.header.description = "Servers of an OpenStack cloud";
    for (const auto& texts : {fields_of_coopr(), fields_of_login(), fields_of_machines()}) {
        for (const FieldText& text : texts) type.admin.fields.push_back(cloud::field(text));
    }
    type.region_field = "openstack_region";
    type.admin.required = {{"api_user", "api_password", "openstack_tenant", "openstack_auth_url",
                            "ssh_keypair", "ssh_key_resource"},
                           {"api_user", "api_password", "openstack_tenant", "openstack_auth_url"},
                           {"openstack_application_credential_id",
                            "openstack_application_credential_secret", "openstack_auth_url"}};
    type.user.fields = {cloud::field(
        {.name = "user_data_resource",
         .label = "User Data Resource Name",
         .tip = "A file that cloud-init runs or reads at the first boot, besides our own"})};
    type.resource_types = {{.name = "ssh_keys", .format = "file", .permissions = "0400"},
                           {.name = "user_data", .format = "file", .permissions = "0755"}};
    return type;
}

}  // namespace provisioner::providers::openstack
