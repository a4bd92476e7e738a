#include "provisioner/model/node.hpp"

#include <algorithm>
#include <set>

namespace provisioner::model {

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
