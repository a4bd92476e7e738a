#include "provisioner/providers/aws/replies.hpp"

#include <algorithm>
#include <pugixml.hpp>

#include "provisioner/base/ids.hpp"
#include "provisioner/providers/aws/xml.hpp"
#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::aws {

namespace {

using State = cloud::CloudMachine::State;

std::map<std::string, std::string> tags_in(const pugi::xml_node& node) {
    std::map<std::string, std::string> tags;
    for (const pugi::xml_node& item : node.child("tagSet").children("item")) {
        tags[text_in(item, "key")] = text_in(item, "value");
    }
    return tags;
}

std::string first_text(const pugi::xml_node& node, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        std::string text = text_in(node, name);
        if (!text.empty()) return text;
    }
    return {};
}

State state_of(const std::string& name) {
    if (name == "pending") return State::starting;
    if (name == "running") return State::running;
    if (name == "shutting-down") return State::leaving;
    if (name == "terminated") return State::gone;
    // A stopped machine does not come back by itself.
    return State::failed;
}

/// "AWS took the spot machine back", or EC2's own words.
std::string reason_of(const pugi::xml_node& instance, const std::string& state) {
    const pugi::xml_node why = instance.child("stateReason");
    if (text_in(why, "code") == "Server.SpotInstanceTermination") {
        return "AWS took the spot machine back (Server.SpotInstanceTermination)";
    }
    if (state == "pending" || state == "running") return {};
    const std::string words = first_text(why, {"message", "code"});
    return state + (words.empty() ? "" : ": " + cloud::words_of(words));
}

cloud::CloudMachine machine_in(const pugi::xml_node& instance, bool uses_public_name,
                               bool waits_for_public) {
    cloud::CloudMachine machine;
    machine.id = text_in(instance, "instanceId");
    machine.mark = cloud::mark_in(tags_in(instance));
    const std::string state = text_in(instance.child("instanceState"), "name");
    machine.state = state_of(state);
    machine.reason = reason_of(instance, state);
    const std::string within = text_in(instance, "privateIpAddress");
    std::string access = text_in(instance, "ipAddress");
    if (access.empty() && !waits_for_public) access = within;
    if (!access.empty()) machine.addresses["access_v4"] = access;
    if (!within.empty()) machine.addresses["bind_v4"] = within;
    if (uses_public_name) machine.hostname = text_in(instance, "dnsName");
    machine.details["zone"] = text_in(instance.child("placement"), "availabilityZone");
    machine.details["type"] = text_in(instance, "instanceType");
    return machine;
}

Image image_in(const pugi::xml_node& item) {
    Image image;
    image.id = text_in(item, "imageId");
    image.name = text_in(item, "name");
    image.state = text_in(item, "imageState");
    image.root_device = text_in(item, "rootDeviceName");
    image.is_on_volume = text_in(item, "rootDeviceType") == "ebs";
    image.architecture = text_in(item, "architecture");
    for (const pugi::xml_node& device : item.child("blockDeviceMapping").children("item")) {
        if (text_in(device, "deviceName") != image.root_device) continue;
        image.root_size =
            base::parse_number(text_in(device.child("ebs"), "volumeSize")).value_or(0);
    }
    return image;
}

/// -1 is all types, or codes, of ICMP.
int port_in(const pugi::xml_node& permission, const char* name) {
    const std::string text = text_in(permission, name);
    if (text == "-1") return -1;
    const auto port = base::parse_number(text);
    return port ? static_cast<int>(std::min<std::int64_t>(*port, 65535)) : no_port;
}

void add_rules(const pugi::xml_node& permission, Group& group) {
    cloud::FirewallRule rule;
    rule.protocol = text_in(permission, "ipProtocol");
    rule.first_port = port_in(permission, "fromPort");
    rule.last_port = port_in(permission, "toPort");
    const auto add = [&](const char* set, const char* range) {
        for (const pugi::xml_node& item : permission.child(set).children("item")) {
            rule.range = text_in(item, range);
            group.rules.push_back(rule);
        }
    };
    add("ipRanges", "cidrIp");
    add("ipv6Ranges", "cidrIpv6");
    for (const pugi::xml_node& item : permission.child("groups").children("item")) {
        const bool is_own = text_in(item, "groupId") == group.id;
        if (is_own && rule.protocol == "-1") group.is_open_inside = true;
    }
}

}  // namespace

std::vector<Thing> things_in(const http_client::Reply& reply, const std::string& set,
                             const std::string& id) {
    pugi::xml_document document;
    std::vector<Thing> things;
    const pugi::xml_node root = root_of(reply, document);
    for (const pugi::xml_node& item : root.child(set.c_str()).children("item")) {
        Thing thing;
        thing.id = text_in(item, id.c_str());
        thing.name = first_text(item, {"groupName", "keyName", "name"});
        thing.state = first_text(item, {"status", "state"});
        thing.vpc = text_in(item, "vpcId");
        thing.zone = text_in(item, "availabilityZone");
        thing.tags = tags_in(item);
        thing.size_gb = cloud::gigabytes_in(text_in(item, "size"));
        things.push_back(std::move(thing));
    }
    return things;
}

std::vector<Image> images_in(const http_client::Reply& reply) {
    pugi::xml_document document;
    std::vector<Image> images;
    const pugi::xml_node root = root_of(reply, document);
    for (const pugi::xml_node& item : root.child("imagesSet").children("item")) {
        images.push_back(image_in(item));
    }
    return images;
}

std::vector<Group> groups_in(const http_client::Reply& reply) {
    pugi::xml_document document;
    std::vector<Group> groups;
    const pugi::xml_node root = root_of(reply, document);
    for (const pugi::xml_node& item : root.child("securityGroupInfo").children("item")) {
        Group group;
        group.id = text_in(item, "groupId");
        for (const pugi::xml_node& rule : item.child("ipPermissions").children("item")) {
            add_rules(rule, group);
        }
        std::sort(group.rules.begin(), group.rules.end());
        groups.push_back(std::move(group));
    }
    return groups;
}

std::vector<cloud::CloudMachine> machines_in(const http_client::Reply& reply, bool uses_public_name,
                                             bool waits_for_public) {
    pugi::xml_document document;
    const pugi::xml_node root = root_of(reply, document);
    std::vector<cloud::CloudMachine> machines;
    const auto add = [&](const pugi::xml_node& reservation) {
        for (const pugi::xml_node& item : reservation.child("instancesSet").children("item")) {
            machines.push_back(machine_in(item, uses_public_name, waits_for_public));
        }
    };
    add(root);
    for (const pugi::xml_node& item : root.child("reservationSet").children("item")) add(item);
    return machines;
}

std::vector<std::string> texts_in(const http_client::Reply& reply, const std::string& set,
                                  const std::string& element) {
    pugi::xml_document document;
    std::vector<std::string> texts;
    const pugi::xml_node root = root_of(reply, document);
    for (const pugi::xml_node& item : root.child(set.c_str()).children("item")) {
        texts.push_back(text_in(item, element.c_str()));
    }
    return texts;
}

std::string text_below_root(const http_client::Reply& reply, const std::string& element) {
    pugi::xml_document document;
    return text_in(root_of(reply, document), element.c_str());
}

std::string next_page(const http_client::Reply& reply) {
    return text_below_root(reply, "nextToken");
}

}  // namespace provisioner::providers::aws
