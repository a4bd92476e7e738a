#include "provisioner/providers/google/requests.hpp"

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/google/guest.hpp"
#include "provisioner/providers/google/images.hpp"
#include "provisioner/providers/google/names.hpp"

namespace provisioner::providers::google {

using base::Json;
using cloud::is_yes;
using cloud::Order;
using cloud::setting;

namespace {

std::string zone_path(const Order& order) {
    return "zones/" + order.placement.zone;
}

Json disk_body(const Order& order, const Disk& disk, bool exists) {
    Json body = {{"boot", disk.is_boot()}, {"autoDelete", true}, {"deviceName", disk.device}};
    if (exists) {
        body["source"] = zone_path(order) + "/disks/" + disk.name;
        return body;
    }
    Json params = {{"diskName", disk.name},
                   {"diskType", zone_path(order) + "/diskTypes/" + disk.type},
                   {"labels", labels_of(order.mark)}};
    if (disk.size_gb != 0) params["diskSizeGb"] = std::to_string(disk.size_gb);
    if (disk.is_boot()) {
        const std::string project = cloud::text_of(order.account, "google_project");
        params["sourceImage"] = image_place(order.spec.image, project).link();
    }
    body["initializeParams"] = std::move(params);
    return body;
}

Json interface_body(const Order& order) {
    const std::string network = setting(order.account, order.spec, "network");
    Json body = {{"network", network_link(network)}};
    const std::string subnetwork = setting(order.account, order.spec, "google_subnetwork");
    if (subnetwork.find('/') != std::string::npos) {
        body["subnetwork"] = subnetwork;
    } else if (!subnetwork.empty()) {
        body["subnetwork"] =
            "regions/" + region_of(order.placement.zone) + "/subnetworks/" + subnetwork;
    }
    if (is_yes(setting(order.account, order.spec, "external_ip"), true)) {
        body["accessConfigs"] =
            Json::array({Json{{"type", "ONE_TO_ONE_NAT"}, {"name", "External NAT"}}});
    }
    return body;
}

Json scheduling_body(const Order& order) {
    if (is_spot(order.account, order.spec)) {
        // A machine that is taken back goes with its disks, so it costs nothing afterwards.
        return {{"provisioningModel", "SPOT"},
                {"automaticRestart", false},
                {"onHostMaintenance", "TERMINATE"},
                {"instanceTerminationAction", "DELETE"}};
    }
    const std::string restart = setting(order.account, order.spec, "auto_restart");
    return {{"automaticRestart", is_yes(restart, false)}};
}

/// Guests read it. The keys that log in are always there: Google's agent reads them, cloud-init's
/// own data come first.
Json metadata_body(const Order& order, const std::vector<Disk>& disks) {
    Json items = Json::array();
    const auto put = [&](std::string_view key, const std::string& value) {
        items.push_back({{"key", key}, {"value", value}});
    };
    const MachineSpec& spec = order.spec;
    put("ssh-keys", spec.ssh_user + ":" + spec.authorized_key + " " + spec.ssh_user);
    // Project-wide OS Login would make the keys above useless.
    put("enable-oslogin", "FALSE");
    put("enable-guest-attributes", "TRUE");
    if (!order.user_data.empty()) {
        put("user-data", order.user_data);
    } else {
        put("startup-script", startup_script(disks, spec.hostname));
    }
    return {{"items", std::move(items)}};
}

Json tags_body(const Order& order) {
    Json tags = Json::array({coopr_tag, cluster_tag(order.account, order.spec.cluster)});
    for (const std::string& tag :
         cloud::list_in(setting(order.account, order.spec, "google_network_tags"))) {
        cloud::refuse_own_name("google_network_tags", tag);
        tags.push_back(tag);
    }
    return {{"items", std::move(tags)}};
}

}  // namespace

Json labels_of(const cloud::Mark& mark) {
    Json labels = Json::object();
    for (const auto& [name, value] : cloud::tags_of(mark)) labels[name] = value;
    return labels;
}

bool is_spot(const Account& account, const MachineSpec& spec) {
    return is_yes(setting(account, spec, "spot"), false);
}

std::string network_link(const std::string& network) {
    if (network.find('/') != std::string::npos) return network;
    return "global/networks/" + (network.empty() ? "default" : network);
}

std::string label_filter(const Account& account, const std::string& machine) {
    std::string filter =
        "(labels." + std::string(cloud::tag_installation) + " = \"" + account.installation + "\")";
    if (machine.empty()) return filter;
    return filter + " (labels." + std::string(cloud::tag_machine) + " = \"" + machine + "\")";
}

Json instance_body(const Order& order, const std::string& machine, const std::vector<Disk>& disks,
                   const std::set<std::string>& existing) {
    Json body = {{"name", machine},
                 {"machineType", zone_path(order) + "/machineTypes/" + order.placement.flavor},
                 {"labels", labels_of(order.mark)},
                 {"tags", tags_body(order)},
                 {"disks", Json::array()},
                 {"networkInterfaces", Json::array({interface_body(order)})},
                 {"metadata", metadata_body(order, disks)},
                 {"scheduling", scheduling_body(order)}};
    for (const Disk& disk : disks) {
        body["disks"].push_back(disk_body(order, disk, existing.contains(disk.name)));
    }
    return body;
}

}  // namespace provisioner::providers::google
