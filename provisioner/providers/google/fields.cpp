// The fields of the provider, and what is checked without a call.

#include "provisioner/providers/cloud/fields.hpp"

#include <algorithm>

#include "provisioner/providers/google/google_cloud.hpp"
#include "provisioner/providers/google/requests.hpp"

namespace provisioner::providers::google {

using cloud::FieldText;
using cloud::text_of;

namespace {

/// Coopr's, in its order: labels, defaults and options are part of the contract.
std::vector<FieldText> fields_of_coopr() {
    const std::vector<std::string> zones{
        "asia-east1-a",      "asia-east1-b",      "asia-east1-c",   "asia-northeast1-a",
        "asia-northeast1-b", "asia-northeast1-c", "europe-west1-b", "europe-west1-c",
        "europe-west1-d",    "us-central1-a",     "us-central1-b",  "us-central1-c",
        "us-central1-f",     "us-east1-b",        "us-east1-c",     "us-east1-d",
        "us-west1-a",        "us-west1-b"};
    return {{.name = "google_project", .label = "Project ID"},
            {.name = "google_client_email", .label = "Service account email address"},
            {.name = "api_key_resource", .label = "API Key Resource Name"},
            {.name = "ssh_key_resource", .label = "SSH Key Resource Name"},
            {.name = "ssh_user", .label = "SSH Username"},
            {.name = "google_data_disk_size_gb",
             .label = "Data disk size(s) in GB",
             .tip = "Numbers with commas, one a disk; mounted on /data, /data2 and so on",
             .default_value = "200",
             .overridable = true},
            {.name = "google_data_disk_type",
             .label = "Data disk(s) type",
             .kind = "select",
             .default_value = "standard",
             .default_applies = true,
             .overridable = true,
             .options = {"standard", "ssd"}},
            {.name = "google_root_disk_size_gb",
             .label = "Root disk size in GB",
             .default_value = "10",
             .overridable = true,
             .number = model::NumberRange{.least = 1, .most = 65'536}},
            {.name = "google_root_disk_type",
             .label = "Root disk type",
             .kind = "select",
             .default_value = "standard",
             .default_applies = true,
             .overridable = true,
             .options = {"standard", "ssd"}},
            {.name = "zone_name",
             .label = "Zone",
             .kind = "select",
             .default_value = "us-central1-a",
             .overridable = true,
             .options = zones},
            {.name = "bootstrap_interface",
             .label = "Bootstrap interface",
             .tip = "access_v4 is the public address, bind_v4 the private one",
             .kind = "select",
             .default_value = "access_v4",
             .default_applies = true,
             .overridable = true,
             .options = {"access_v4", "bind_v4"}},
            {.name = "external_ip",
             .label = "Associate public IP",
             .kind = "checkbox",
             .default_value = "true",
             .default_applies = true,
             .overridable = true},
            {.name = "auto_restart",
             .label = "Automatically restart instances on failure",
             .kind = "checkbox",
             .overridable = true},
            {.name = "provider_hostname",
             .label = "Set hostname to provider-specific public DNS hostname (overrides DNS "
                      "suffix)",
             .kind = "checkbox",
             .overridable = true},
            {.name = "network",
             .label = "Network name",
             .default_value = "default",
             .default_applies = true,
             .overridable = true}};
}

std::vector<FieldText> fields_of_ours() {
    return {
        {.name = "google_key_json",
         .label = "API key",
         .tip = "Text of the service account's JSON key file, in place of a resource",
         .kind = "password"},
        {.name = "google_subnetwork",
         .label = "Subnetwork",
         .tip = "Its name in the zone's region; only for networks in custom mode",
         .overridable = true},
        {.name = "google_network_tags",
         .label = "More network tags",
         .tip =
             "With commas, beside coopr and the cluster's own. Firewall rules go by them, so only "
             "administrators choose others for a cluster",
         .overridable = true,
         .grants = true},
        {.name = "google_firewall",
         .label = "Make firewall rules for each cluster",
         .kind = "checkbox",
         .default_value = "true",
         .default_applies = true,
         .overridable = true},
        {.name = "spot",
         .label = "Spot machines",
         .tip = "Cheaper machines that Google may take back at any time",
         .kind = "checkbox",
         .overridable = true}};
}

/// Names that stand in a path, in a form that Compute Engine could have. The bounds are wide:
/// Google itself says what it does not like.
bool is_word(const std::string& text, std::string_view more) {
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               more.find(c) != std::string_view::npos;
    });
}

void check_word(const std::string& field, const std::string& text, std::string_view more,
                bool is_required, base::Problems& problems) {
    if (text.empty() && is_required) problems.push_back({field, "is missing"});
    if (is_word(text, more)) return;
    problems.push_back({field, "\"" + text + "\" has characters that such names cannot have"});
}

}  // namespace

model::PluginType GoogleCloud::type() const {
    model::PluginType type;
    type.header.name = "google";
    type.header.label = "Google Compute Engine";
    type.header.description = "Machines of Google Compute Engine";
    for (FieldText& text : fields_of_coopr()) {
        type.admin.fields.push_back(cloud::field(std::move(text)));
    }
    for (FieldText& text : fields_of_ours()) {
        type.admin.fields.push_back(cloud::field(std::move(text)));
    }
    type.region_field = "zone_name";
    type.admin.required = {{"google_project", "google_client_email", "api_key_resource",
                            "ssh_key_resource", "zone_name"},
                           {"google_project", "google_key_json", "zone_name"}};
    type.resource_types = {{.name = "api_keys", .format = "file", .permissions = "0400"},
                           {.name = "ssh_keys", .format = "file", .permissions = "0400"}};
    return type;
}

bool GoogleCloud::may_take_back(const Account& account, const MachineSpec& spec) const {
    return is_spot(account, spec);
}

base::Problems GoogleCloud::check(const Account& account, const MachineSpec& spec) const {
    base::Problems problems;
    if (const auto key = service_key_of(account); !key) problems = key.error();
    const auto add = [&](const base::Problems& more) {
        problems.insert(problems.end(), more.begin(), more.end());
    };
    check_word("google_project", text_of(account, "google_project"), "-.:", true, problems);
    check_word("zone_name", cloud::setting(account, spec, "zone_name"), "-", true, problems);
    check_word("flavor", spec.flavor, "-", true, problems);
    check_word("image", spec.image, "-._/:", true, problems);
    check_word("network", cloud::setting(account, spec, "network"), "-._/:", false, problems);
    const std::string login = cloud::setting(account, spec, "bootstrap_interface");
    if (!login.empty() && login != "access_v4" && login != "bind_v4") {
        problems.push_back({"bootstrap_interface", "must be access_v4 or bind_v4"});
    }
    add(check_disks(account, spec));
    return problems;
}

}  // namespace provisioner::providers::google
