#include "provisioner/providers/digitalocean/type.hpp"

#include <algorithm>

#include "provisioner/base/ids.hpp"
#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::digitalocean {

namespace {

using cloud::text_of;

constexpr int largest_volume = 16'384;
constexpr std::size_t longest_tag = 255;

/// The regions of Coopr, then those of today. Any other name that DigitalOcean knows is taken, too.
const std::vector<std::string> regions{"sfo1", "nyc2", "ams2", "sgp1", "lon1", "nyc3",
                                       "ams3", "nyc1", "sfo2", "sfo3", "fra1", "tor1",
                                       "blr1", "syd1", "atl1", "ric1"};

std::vector<cloud::FieldText> fields_of_coopr() {
    return {{.name = "api_user",
             .label = "Client ID",
             .tip = "Not needed any more: the API of today asks for the token alone"},
            {.name = "api_password",
             .label = "API key",
             .tip = "A token of API v2, \"dop_v1_...\"",
             .kind = "password"},
            {.name = "digitalocean_region",
             .label = "Region",
             .kind = "select",
             .default_value = "nyc2",
             .overridable = true,
             .options = regions},
            {.name = "ssh_keypair",
             .label = "Key Name",
             .tip = "A key of the account that may log in as root, too; not needed for images with "
                    "cloud-init"},
            {.name = "ssh_key_resource", .label = "SSH Key Resource Name"}};
}

std::vector<cloud::FieldText> fields_of_ours() {
    return {{.name = "digitalocean_vpc",
             .label = "VPC",
             .tip = "Id of a VPC network of the region; empty: the region's default one",
             .overridable = true},
            {.name = "digitalocean_firewall",
             .label = "Firewall for each cluster",
             .tip = "Made with the cluster, kept as its services need it, and deleted with it",
             .kind = "checkbox",
             .default_value = "true",
             .default_applies = true,
             .overridable = true},
            {.name = "digitalocean_public_address",
             .label = "Public address",
             .tip = "Without it the provisioners must be in the VPC network",
             .kind = "checkbox",
             .default_value = "true",
             .default_applies = true,
             .overridable = true},
            {.name = "digitalocean_volume_size_gb",
             .label = "Data disk in GB",
             .tip = "A volume for each machine, mounted on /data and deleted with the machine; "
                    "empty: none",
             .overridable = true,
             .number = model::NumberRange{.least = 0, .most = largest_volume}},
            {.name = "digitalocean_ipv6",
             .label = "IPv6 address",
             .kind = "checkbox",
             .overridable = true},
            {.name = "digitalocean_monitoring",
             .label = "Agent for monitoring",
             .kind = "checkbox",
             .overridable = true},
            {.name = "digitalocean_backups",
             .label = "Backups",
             .kind = "checkbox",
             .overridable = true},
            {.name = "digitalocean_tags",
             .label = "More tags",
             .tip = "For each machine, with commas: for firewalls or bills of your own. Only "
                    "administrators choose others for a cluster",
             .overridable = true,
             .grants = true}};
}

bool is_tag(const std::string& text) {
    return text.size() <= longest_tag && std::all_of(text.begin(), text.end(), [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '_' || c == '-' || c == ':';
           });
}

bool is_token(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

void check_login(const Account& account, const MachineSpec& spec, base::Problems& problems) {
    const std::string token = text_of(account, "api_password");
    if (token.empty()) problems.push_back({"api_password", "a token of the API is needed"});
    if (!is_token(token)) problems.push_back({"api_password", "has characters no token has"});
    for (auto& problem : cloud::check_files(account)) problems.push_back(std::move(problem));
    if (!cloud::has_cloud_init(account, spec) && text_of(account, "ssh_keypair").empty()) {
        problems.push_back({"ssh_keypair", "is needed for images without cloud-init"});
    }
}

}  // namespace

model::PluginType provider_type() {
    model::PluginType type;
    type.header.name = "digitalocean";
    type.login_keys = true;
    type.header.label = "DigitalOcean";
    type.header.description = "Droplets of DigitalOcean, by its API v2";
    for (auto& text : fields_of_coopr()) type.admin.fields.push_back(cloud::field(std::move(text)));
    for (auto& text : fields_of_ours()) type.admin.fields.push_back(cloud::field(std::move(text)));
    type.region_field = "digitalocean_region";
    type.admin.required = {
        {"api_user", "api_password", "ssh_keypair", "ssh_key_resource", "digitalocean_region"},
        {"api_password", "digitalocean_region"}};
    model::PluginResourceType keys;
    keys.name = "ssh_keys";
    keys.format = "file";
    keys.permissions = "0400";
    type.resource_types.push_back(std::move(keys));
    return type;
}

base::Problems problems_of(const Account& account, const MachineSpec& spec) {
    base::Problems problems;
    check_login(account, spec, problems);
    if (cloud::setting(account, spec, "digitalocean_region").empty()) {
        problems.push_back({"digitalocean_region", "a region is needed, such as nyc3"});
    }
    if (spec.flavor.empty()) problems.push_back({"flavor", "a size is needed: s-1vcpu-1gb"});
    if (spec.image.empty()) problems.push_back({"image", "an image is needed: debian-12-x64"});
    const std::string vpc = text_of(account, "digitalocean_vpc");
    if (!vpc.empty() && !cloud::is_uuid(vpc)) {
        problems.push_back({"digitalocean_vpc", "must be the id of a VPC network, a UUID"});
    }
    cloud::number_in(text_of(account, "digitalocean_volume_size_gb"), "digitalocean_volume_size_gb",
                     0, largest_volume, 0, problems);
    for (const std::string& tag : own_tags(account)) {
        if (tag.starts_with("cooperage-")) {
            problems.push_back({"digitalocean_tags", "\"" + tag +
                                                         "\" belongs to Cooperage: machines of a "
                                                         "cluster trust who has it"});
        }
        if (is_tag(tag)) continue;
        problems.push_back({"digitalocean_tags", "\"" + tag +
                                                     "\" is no tag: letters, digits, hyphens, "
                                                     "underscores and colons"});
    }
    return problems;
}

int volume_size(const Account& account) {
    base::Problems ignored;
    return static_cast<int>(cloud::number_in(text_of(account, "digitalocean_volume_size_gb"), "", 0,
                                             largest_volume, 0, ignored));
}

bool has_firewall(const Account& account) {
    return cloud::is_yes(text_of(account, "digitalocean_firewall"), true);
}

bool has_public_address(const Account& account) {
    return cloud::is_yes(text_of(account, "digitalocean_public_address"), true);
}

std::vector<std::string> own_tags(const Account& account) {
    return cloud::list_in(text_of(account, "digitalocean_tags"));
}

}  // namespace provisioner::providers::digitalocean
