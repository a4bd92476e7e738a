#include "provisioner/providers/aws/fields.hpp"

#include <algorithm>
#include <regex>

#include "provisioner/providers/cloud/failures.hpp"
#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::aws {

using cloud::is_yes;
using cloud::list_in;
using cloud::setting;
using cloud::text_of;

namespace {

constexpr auto usual_region = "us-east-1";
constexpr std::size_t longest_region = 64;
constexpr std::size_t longest_key = 128;
constexpr std::size_t longest_value = 256;
/// EC2 takes 50 tags; the mark and the name need six.
constexpr std::size_t most_tags = 40;
constexpr long long largest_volume = 16384;
/// US dollars an hour; EC2 takes six digits.
constexpr double most_price = 999'999;

/// Coopr's regions, and after them those that came later.
const std::vector<std::string> regions{
    "ap-northeast-1", "ap-northeast-2", "ap-south-1",   "ap-southeast-1", "ap-southeast-2",
    "ca-central-1",   "eu-central-1",   "eu-west-1",    "eu-west-2",      "sa-east-1",
    "us-east-1",      "us-east-2",      "us-west-1",    "us-west-2",      "af-south-1",
    "ap-east-1",      "ap-northeast-3", "ap-south-2",   "ap-southeast-3", "ap-southeast-4",
    "ca-west-1",      "eu-central-2",   "eu-north-1",   "eu-south-1",     "eu-south-2",
    "eu-west-3",      "il-central-1",   "me-central-1", "me-south-1",     "mx-central-1"};

/// Coopr's, and after them those that came later.
const std::vector<std::string> volume_types{"standard", "gp2", "gp3"};

const std::vector<cloud::FieldText>& coopr_fields() {
    static const std::vector<cloud::FieldText> fields{
        {.name = "api_user", .label = "Access Key ID", .tip = "Your AWS Access Key ID"},
        {.name = "api_password",
         .label = "Secret Access Key",
         .tip = "Your AWS Secret Access Key",
         .kind = "password"},
        {.name = "ssh_keypair",
         .label = "Key Pair Name",
         .tip = "A key pair of the region; only needed for images without cloud-init",
         .overridable = true},
        {.name = "ssh_key_resource",
         .label = "SSH Key Resource Name",
         .tip = "The private half of the key pair, uploaded as a file of this plugin",
         .overridable = true},
        {.name = "aws_region",
         .label = "AWS Region",
         .kind = "select",
         .default_value = usual_region,
         .options = regions},
        {.name = "aws_root_ebs_size",
         .label = "Root EBS size",
         .tip = "GiB; at least what the image needs",
         .default_value = "10",
         .overridable = true,
         .number = model::NumberRange{.least = 1, .most = largest_volume}},
        {.name = "aws_root_ebs_delete_on_term",
         .label = "Delete EBS root on termination",
         .tip = "Otherwise the root disk stays, and costs, when the machine is gone",
         .kind = "checkbox",
         .default_value = "true",
         .default_applies = true,
         .overridable = true},
        {.name = "aws_root_ebs_volume_type",
         .label = "Root disk type",
         .kind = "select",
         .default_value = "standard",
         .overridable = true,
         .options = volume_types},
        {.name = "security_groups",
         .label = "Security Groups",
         .tip = "Names, with commas; empty: a group is made for each cluster. Machines in a group "
                "trust each other, so only administrators choose others for a cluster",
         .default_value = "default",
         .overridable = true,
         .grants = true},
        {.name = "security_group_ids",
         .label = "Security Group IDs (VPC only)",
         .tip = "With commas; used instead of names. Machines in a group trust each other, so only "
                "administrators choose others for a cluster",
         .overridable = true,
         .grants = true},
        {.name = "subnet_id",
         .label = "Subnet ID (VPC only)",
         .tip = "Several with commas: where one has no room, the next is tried",
         .overridable = true},
        {.name = "dedicated_instance",
         .label = "Use Dedicated instances (VPC only)",
         .kind = "checkbox",
         .overridable = true},
        {.name = "associate_public_ip",
         .label = "Associate public IP (VPC only)",
         .kind = "checkbox",
         .default_value = "true",
         .overridable = true},
        {.name = "provider_hostname",
         .label = "Set hostname to provider-generated public DNS hostname (overrides DNS suffix)",
         .kind = "checkbox",
         .overridable = true},
        {.name = "availability_zone", .label = "Availability Zone", .overridable = true},
        {.name = "iam_instance_profile",
         .label = "IAM instance profile",
         .tip = "Name or ARN of the profile that machines get. Whoever is on a machine has its "
                "rights, so only administrators choose another one for a cluster",
         .overridable = true,
         .grants = true},
        {.name = "placement_group", .label = "Placement group", .overridable = true}};
    return fields;
}

const std::vector<cloud::FieldText>& own_fields() {
    static const std::vector<cloud::FieldText> fields{
        {.name = "aws_credentials",
         .label = "Credentials",
         .tip = "Not set: the keys. instance_profile: the profile of the machine that the "
                "provisioner runs on",
         .kind = "select",
         .options = {"instance_profile"}},
        {.name = "spot",
         .label = "Spot machines",
         .tip = "Cheaper; AWS may take them back, and then they are replaced",
         .kind = "checkbox",
         .overridable = true},
        {.name = "spot_max_price",
         .label = "Highest price of spot machines",
         .tip = "US dollars an hour; empty: the price of other machines",
         .overridable = true,
         .number = model::NumberRange{.least = 0, .most = most_price, .is_whole = false}},
        {.name = "aws_metadata_tokens",
         .label = "Metadata of machines",
         .tip = "optional: also by IMDSv1, for images that are too old for tokens",
         .kind = "select",
         .default_value = "required",
         .default_applies = true,
         .overridable = true,
         .options = {"required", "optional"}}};
    return fields;
}

void check_tags(const Account& account, const MachineSpec& spec, base::Problems& problems) {
    const auto tags = own_tags(account, spec);
    if (tags.size() > most_tags) problems.push_back({"tags", "there are more than 40"});
    for (const auto& [key, value] : tags) {
        const bool is_reserved = key.starts_with("aws:") || key.starts_with("cooperage-");
        if (key.empty() || is_reserved || key.size() > longest_key ||
            value.size() > longest_value) {
            problems.push_back({"tags", "\"" + key +
                                            "\" must be of the form key=value, at most 128 and 256 "
                                            "characters, and not begin with aws: or cooperage-"});
        }
    }
}

void check_choice(const Account& account, const MachineSpec& spec, const std::string& name,
                  const std::vector<std::string>& choices, base::Problems& problems) {
    const std::string text = setting(account, spec, name);
    if (text.empty() || std::find(choices.begin(), choices.end(), text) != choices.end()) return;
    std::string all;
    for (const std::string& choice : choices) all += (all.empty() ? "" : ", ") + choice;
    problems.push_back({name, "\"" + text + "\" is none of " + all});
}

void check_ids(const Account& account, const MachineSpec& spec, const std::string& name,
               const std::string& prefix, base::Problems& problems) {
    for (const std::string& id : list_in(setting(account, spec, name))) {
        if (!id.starts_with(prefix)) {
            problems.push_back({name, "\"" + id + "\" does not begin with " + prefix});
        }
    }
}

/// The length is looked at first: std::regex recurses once for each character that "+" matches.
bool is_region(const std::string& text) {
    static const std::regex form("[a-z]{2}(-[a-z]+)+-[0-9]{1,2}");
    return text.size() <= longest_region && std::regex_match(text, form);
}

/// Whether EC2 itself is there. Other names of amazonaws.com are open to everybody who has an
/// account: API gateways, load balancers, machines.
bool is_ec2(const std::string& endpoint, const std::string& region) {
    constexpr std::string_view scheme = "https://";
    if (!endpoint.starts_with(scheme)) return false;
    const std::string_view host = std::string_view(endpoint).substr(scheme.size());
    constexpr auto of_hosts = "abcdefghijklmnopqrstuvwxyz0123456789-.";
    if (host.find_first_not_of(of_hosts) != std::string_view::npos) return false;
    for (const char* domain : {".amazonaws.com", ".amazonaws.com.cn"}) {
        const std::string own = region + domain;
        if (host == "ec2." + own || host == "ec2-fips." + own) return true;
    }
    // Interface endpoints of a network.
    return host.ends_with(".ec2." + region + ".vpce.amazonaws.com");
}

}  // namespace

model::PluginType aws_type() {
    model::PluginType type;
    type.header.name = "aws";
    type.login_keys = true;
    type.header.label = "Amazon Web Services";
    type.header.description = "Machines of Amazon EC2, and of APIs that speak like it";
    for (const auto* fields : {&coopr_fields(), &own_fields()}) {
        for (const cloud::FieldText& text : *fields)
            type.admin.fields.push_back(cloud::field(text));
    }
    type.region_field = "aws_region";
    type.admin.required = {
        {"api_user", "api_password", "ssh_keypair", "ssh_key_resource", "aws_region",
         "security_groups"},
        {"api_user", "api_password", "ssh_keypair", "ssh_key_resource", "aws_region",
         "security_group_ids", "subnet_id"},
        // Ours: the login key and a security group are made, and the instance profile has the keys.
        {"api_user", "api_password", "aws_region"},
        {"aws_credentials", "aws_region"}};
    type.resource_types = {{.name = "ssh_keys", .format = "file", .permissions = "0400"}};
    return type;
}

std::string region_of(const Account& account) {
    const std::string region = text_of(account, "aws_region");
    return region.empty() ? usual_region : region;
}

std::string endpoint_of(const Account& account) {
    const std::string region = region_of(account);
    const bool is_china = region.starts_with("cn-");
    return cloud::endpoint_of(
        account, "https://ec2." + region + (is_china ? ".amazonaws.com.cn" : ".amazonaws.com"));
}

bool uses_instance_profile(const Account& account) {
    return text_of(account, "aws_credentials") == "instance_profile";
}

std::optional<bool> public_address(const Account& account, const MachineSpec& spec) {
    const std::string text = setting(account, spec, "associate_public_ip");
    if (text.empty()) return std::nullopt;
    return is_yes(text, false);
}

std::vector<std::pair<std::string, std::string>> own_tags(const Account& account,
                                                          const MachineSpec& spec) {
    std::vector<std::string> texts = base::strings_of(base::member(account.fields, "tags"));
    if (texts.empty()) texts = list_in(setting(account, spec, "tags"));
    std::vector<std::pair<std::string, std::string>> tags;
    for (const std::string& text : texts) {
        const auto equals = text.find('=');
        // Without a key, so that the check finds it.
        if (equals == std::string::npos) {
            tags.emplace_back("", text);
        } else {
            tags.emplace_back(text.substr(0, equals), text.substr(equals + 1));
        }
    }
    return tags;
}

std::vector<std::string> subnets_of(const Account& account, const MachineSpec& spec) {
    return list_in(setting(account, spec, "subnet_id"));
}

base::Problems check_account(const Account& account, bool allows_instance_profile,
                             http_client::OwnNetwork own_network) {
    base::Problems problems;
    const std::string key = text_of(account, "api_user");
    if (uses_instance_profile(account)) {
        if (!allows_instance_profile) {
            problems.push_back({"aws_credentials",
                                "this installation does not lend the instance profile of its "
                                "machine (setting aws.instance_profile)"});
        }
        const bool is_open = own_network == http_client::OwnNetwork::open;
        if (!is_open && !is_ec2(endpoint_of(account), region_of(account))) {
            problems.push_back({"api_endpoint",
                                "cannot be given with the instance profile: its credentials are "
                                "for EC2 of aws_region only"});
        }
    } else if (key.empty() || text_of(account, "api_password").empty()) {
        problems.push_back({key.empty() ? "api_user" : "api_password",
                            "Credential validation failed! The key has no id or no secret"});
    } else if (key.find_first_of(": /") != std::string::npos) {
        problems.push_back({"api_user", "is no access key id"});
    }
    const std::string region = region_of(account);
    if (!is_region(region)) {
        problems.push_back({"aws_region", "\"" + cloud::words_of(region) +
                                              "\" is no region such as eu-central-1"});
    }
    return problems;
}

base::Problems check_machine(const Account& account, const MachineSpec& spec) {
    base::Problems problems;
    static const std::regex image("ami-[0-9a-f]{8,17}");
    if (!std::regex_match(spec.image, image)) {
        problems.push_back({"image", "Invalid AMI specified: \"" + spec.image +
                                         "\" is not of the form ami-0123456789abcdef0"});
    }
    if (spec.flavor.empty()) problems.push_back({"flavor", "the hardware type names none for aws"});
    for (const char* name : {"aws_root_ebs_size", "aws_ebs_size"}) {
        cloud::number_in(setting(account, spec, name), name, 1, largest_volume, 0, problems);
    }
    check_choice(account, spec, "aws_root_ebs_volume_type", volume_types, problems);
    check_choice(account, spec, "aws_metadata_tokens", {"required", "optional"}, problems);
    check_ids(account, spec, "security_group_ids", "sg-", problems);
    check_ids(account, spec, "subnet_id", "subnet-", problems);
    static const std::regex price("0*[0-9]{1,6}([.][0-9]+)?");
    const std::string most = setting(account, spec, "spot_max_price");
    if (!most.empty() && !std::regex_match(most, price)) {
        problems.push_back({"spot_max_price", "must be US dollars an hour, such as 0.035"});
    }
    check_tags(account, spec, problems);
    return problems;
}

}  // namespace provisioner::providers::aws
