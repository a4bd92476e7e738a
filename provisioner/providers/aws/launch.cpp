#include "provisioner/providers/aws/launch.hpp"

#include "provisioner/base/base64.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/providers/aws/fields.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/user_data.hpp"

namespace provisioner::providers::aws {

using cloud::is_yes;
using cloud::setting;

namespace {

constexpr std::size_t longest_user_data = 16384;
constexpr std::size_t longest_name = 256;

std::string setting_of(const cloud::Order& order, std::string_view name) {
    return setting(order.account, order.spec, name);
}

bool keeps_root(const cloud::Order& order) {
    std::string text = setting_of(order, "aws_root_ebs_delete_on_term");
    if (text.empty()) text = setting_of(order, "aws_ebs_delete_on_term");
    return !is_yes(text, true);
}

/// The size of the root disk: what people want, else the image's; 0 leaves it to EC2.
long long root_size(const cloud::Order& order, const Image& image) {
    std::string field = "aws_root_ebs_size";
    if (setting_of(order, field).empty()) field = "aws_ebs_size";
    const auto wanted = base::parse_number(setting_of(order, field));
    if (!wanted) return image.root_size;
    if (*wanted < image.root_size) {
        throw cloud::wrong(field + " is " + std::to_string(*wanted) + " GiB, but the image " +
                           image.id + " needs " + std::to_string(image.root_size) + " GiB");
    }
    return *wanted;
}

void add_root_disk(Query& query, const cloud::Order& order, const Image& image) {
    if (!image.is_on_volume || image.root_device.empty()) return;
    const std::string disk = "BlockDeviceMapping.1";
    query.add(disk + ".DeviceName", image.root_device);
    const long long size = root_size(order, image);
    if (size > 0) query.add(disk + ".Ebs.VolumeSize", std::to_string(size));
    query.add(disk + ".Ebs.VolumeType", setting_of(order, "aws_root_ebs_volume_type"));
    query.add(disk + ".Ebs.DeleteOnTermination", word_of(!keeps_root(order)));
}

/// Groups stand in the interface as soon as there is one: EC2 refuses both.
void add_network(Query& query, const cloud::Order& order, const Launch& launch) {
    const std::string& place = order.placement.zone;
    const std::string subnet = place.starts_with("subnet-") ? place : "";
    const auto is_public = public_address(order.account, order.spec);
    if (subnet.empty() && !is_public) {
        query.add_list("SecurityGroupId", launch.groups);
    } else {
        const std::string interface = "NetworkInterface.1";
        query.add(interface + ".DeviceIndex", "0");
        query.add(interface + ".SubnetId", subnet);
        query.add(interface + ".DeleteOnTermination", "true");
        if (is_public) query.add(interface + ".AssociatePublicIpAddress", word_of(*is_public));
        query.add_list(interface + ".SecurityGroupId", launch.groups);
    }
    if (subnet.empty()) query.add("Placement.AvailabilityZone", place);
    query.add("Placement.GroupName", setting_of(order, "placement_group"));
    if (is_yes(setting_of(order, "dedicated_instance"), false)) {
        query.add("Placement.Tenancy", "dedicated");
    }
}

void add_profile(Query& query, const std::string& profile) {
    const std::string kind = profile.starts_with("arn:") ? "Arn" : "Name";
    query.add("IamInstanceProfile." + kind, profile);
}

void add_market(Query& query, const cloud::Order& order) {
    if (!is_spot(order.account, order.spec)) return;
    query.add("InstanceMarketOptions.MarketType", "spot");
    const std::string options = "InstanceMarketOptions.SpotOptions";
    query.add(options + ".SpotInstanceType", "one-time");
    query.add(options + ".InstanceInterruptionBehavior", "terminate");
    query.add(options + ".MaxPrice", setting_of(order, "spot_max_price"));
}

void add_all_tags(Query& query, const cloud::Order& order) {
    Tags common;
    for (const auto& [key, value] : own_tags(order.account, order.spec)) common[key] = value;
    common["Name"] = order.spec.hostname.substr(0, longest_name);
    Tags marked = common;
    for (const auto& [key, value] : cloud::tags_of(order.mark)) marked[key] = value;
    int number = 0;
    add_tags(query, ++number, "instance", marked);
    // A disk that people want to keep is not marked: nobody takes it away.
    add_tags(query, ++number, "volume", keeps_root(order) ? common : marked);
    add_tags(query, ++number, "network-interface", marked);
    if (is_spot(order.account, order.spec))
        add_tags(query, ++number, "spot-instances-request", marked);
}

void add_user_data(Query& query, const cloud::Order& order) {
    cloud::check_user_data(order.account, order.user_data, longest_user_data, "EC2");
    query.add("UserData", base::base64(order.user_data));
}

}  // namespace

bool is_spot(const Account& account, const MachineSpec& spec) {
    return is_yes(setting(account, spec, "spot"), false);
}

void add_tags(Query& query, int number, const std::string& kind, const Tags& tags) {
    const std::string specification = "TagSpecification." + std::to_string(number);
    query.add(specification + ".ResourceType", kind);
    int tag = 0;
    for (const auto& [key, value] : tags) {
        const std::string name = specification + ".Tag." + std::to_string(++tag);
        query.add(name + ".Key", key);
        query.add(name + ".Value", value);
    }
}

Query run_instances(const cloud::Order& order, const Launch& launch) {
    Query query("RunInstances");
    query.add("ImageId", launch.image.id);
    query.add("InstanceType", order.placement.flavor);
    query.add("MinCount", "1");
    query.add("MaxCount", "1");
    query.add("ClientToken", client_token(order));
    query.add("KeyName", launch.key_pair);
    add_user_data(query, order);
    add_network(query, order, launch);
    add_root_disk(query, order, launch.image);
    add_profile(query, setting_of(order, "iam_instance_profile"));
    add_market(query, order);
    add_all_tags(query, order);
    // The user data hold a private key: what asks without a token, through a proxy say, gets
    // nothing.
    const std::string tokens = setting_of(order, "aws_metadata_tokens");
    query.add("MetadataOptions.HttpTokens", tokens.empty() ? "required" : tokens);
    return query;
}

std::string client_token(const cloud::Order& order) {
    return cloud::token_of(order.account, order.spec, order.part);
}

}  // namespace provisioner::providers::aws
