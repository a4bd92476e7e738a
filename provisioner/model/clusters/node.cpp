#include "provisioner/model/clusters/node.hpp"

#include <algorithm>
#include <set>

namespace provisioner::model {

std::string to_text(const MachineName& name) {
    return wire_id(name.cluster) + "-" + std::to_string(name.nodenum);
}

std::optional<MachineName> machine_name_in(std::string_view text) {
    const auto dash = text.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const auto cluster = base::parse_number(text.substr(0, dash));
    const auto number = base::parse_number(text.substr(dash + 1));
    if (!cluster || !number) return std::nullopt;
    const MachineName name{ClusterId{*cluster}, static_cast<int>(*number)};
    // Also refuses numbers beyond int, which the cast above cut.
    return to_text(name) == text ? std::optional(name) : std::nullopt;
}

std::optional<ClusterId> cluster_named(std::string_view text) {
    const auto number = base::parse_number(text);
    if (!number || wire_id(ClusterId{*number}) != text) return std::nullopt;
    return ClusterId{*number};
}

base::Json properties_json(const Node& node) {
    base::Json json = base::Json::object();
    json["ipaddresses"] = base::Json(node.addresses);
    json["hostname"] = node.hostname;
    json["nodenum"] = node.nodenum;
    json["hardwaretype"] = node.hardware_type;
    json["imagetype"] = node.image_type;
    json["flavor"] = node.flavor;
    json["image"] = node.image;
    json["sshuser"] = node.ssh_user;
    json["services"] = node.services;
    json["automators"] = node.automators;
    return json;
}

bool looks_the_same(const Node& a, const Node& b) {
    return a.uuid == b.uuid && properties_json(a) == properties_json(b);
}

std::vector<std::string> automators_of(const std::vector<std::string>& names,
                                       const std::vector<Service>& services) {
    std::set<std::string> types;
    for (const Service& service : services) {
        const bool named =
            std::find(names.begin(), names.end(), service.header.name) != names.end();
        if (!named) continue;
        for (const auto& [action, done] : service.actions) types.insert(done.type);
    }
    return {types.begin(), types.end()};
}

}  // namespace provisioner::model
