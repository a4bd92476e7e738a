#include "provisioner/providers/openstack/servers.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>

#include "provisioner/base/base64.hpp"
#include "provisioner/providers/cloud/user_data.hpp"

namespace provisioner::providers::openstack {
using cloud::CloudMachine;
using State = cloud::CloudMachine::State;

namespace {

std::map<std::string, std::string> texts_in(const base::Json& object) {
    std::map<std::string, std::string> texts;
    if (!object.is_object()) return texts;
    for (const auto& [name, value] : object.items()) {
        if (value.is_string()) texts[name] = value.get<std::string>();
    }
    return texts;
}

std::string encoded(const cloud::Order& order) {
    std::string text = base::base64(order.user_data);
    cloud::check_user_data(order.account, text, longest_user_data, "Nova");
    return text;
}

base::Json boot_volume(const ServerParts& parts) {
    return base::Json::array({{{"boot_index", 0},
                               {"uuid", parts.image_id},
                               {"source_type", "image"},
                               {"destination_type", "volume"},
                               {"volume_size", parts.volume_size},
                               {"delete_on_termination", true}}});
}

void add_networks(base::Json& server, const ServerParts& parts) {
    if (!parts.ports.empty()) {
        server["networks"] = base::Json::array();
        for (const std::string& port : parts.ports) server["networks"].push_back({{"port", port}});
        return;
    }
    if (parts.auto_network) server["networks"] = "auto";
    if (parts.security_groups.empty()) return;
    server["security_groups"] = base::Json::array();
    for (const std::string& group : parts.security_groups) {
        server["security_groups"].push_back({{"name", group}});
    }
}

struct Seen {
    std::string floating{};
    std::string open{};
    std::string hidden{};
    std::string v6{};
};

void look_at(const base::Json& each, Seen& seen) {
    const std::string address = base::text_at(each, "addr");
    boost::system::error_code wrong;
    const auto read = boost::asio::ip::make_address(address, wrong);
    if (wrong) return;
    const auto take = [&](std::string& place) {
        if (place.empty()) place = address;
    };
    if (base::text_at(each, "OS-EXT-IPS:type") == "floating") return take(seen.floating);
    if (read.is_v6()) return take(seen.v6);
    take(is_private(address) ? seen.hidden : seen.open);
}

/// Volumes that people attached stay.
bool is_deleted_with_server(const base::Json& volume) {
    const base::Json* deleted = base::member(volume, "delete_on_termination");
    return deleted != nullptr && deleted->is_boolean() && deleted->get<bool>();
}

State state_of(const std::string& status, const std::string& task) {
    if (status == "DELETED" || status == "SOFT_DELETED") return State::gone;
    if (task == "deleting" || task == "soft-deleting") return State::leaving;
    if (status == "ERROR") return State::failed;
    return status == "ACTIVE" ? State::running : State::starting;
}

}  // namespace

base::Json metadata_of(const cloud::Mark& mark) {
    base::Json metadata = base::Json::object();
    for (const auto& [name, value] : cloud::tags_of(mark)) metadata[name] = value;
    return metadata;
}

cloud::Mark mark_of_server(const base::Json& server) {
    return cloud::mark_in(texts_in(server.value("metadata", base::Json::object())));
}

std::vector<std::string> server_tags(const cloud::Mark& mark) {
    std::vector<std::string> tags;
    for (const auto& [name, value] : cloud::tags_of(mark)) tags.push_back(name + "=" + value);
    return tags;
}

base::Json server_body(const cloud::Order& order, const ServerParts& parts) {
    base::Json server = base::Json::object();
    server["name"] = order.spec.hostname;
    server["flavorRef"] = parts.flavor_id;
    if (parts.volume_size == 0) server["imageRef"] = parts.image_id;
    if (parts.volume_size > 0) server["block_device_mapping_v2"] = boot_volume(parts);
    server["metadata"] = metadata_of(order.mark);
    if (parts.floating) {
        server["metadata"][std::string(floating_key)] = *parts.floating ? "yes" : "no";
    }
    if (parts.has_tags) server["tags"] = server_tags(order.mark);
    if (!parts.key_pair.empty()) server["key_name"] = parts.key_pair;
    if (!parts.zone.empty()) server["availability_zone"] = parts.zone;
    if (parts.config_drive) server["config_drive"] = true;
    if (!order.user_data.empty()) server["user_data"] = encoded(order);
    add_networks(server, parts);
    base::Json body = {{"server", std::move(server)}};
    if (!parts.server_group.empty()) body["os:scheduler_hints"] = {{"group", parts.server_group}};
    return body;
}

bool is_private(const std::string& address) {
    boost::system::error_code wrong;
    const auto read = boost::asio::ip::make_address_v4(address, wrong);
    if (wrong) return false;
    for (const char* range :
         {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16"}) {
        const auto network = boost::asio::ip::make_network_v4(range);
        if (boost::asio::ip::network_v4(read, network.prefix_length()).canonical() == network) {
            return true;
        }
    }
    return false;
}

std::map<std::string, std::string> addresses_in(const base::Json& server) {
    Seen seen;
    const base::Json networks = server.value("addresses", base::Json::object());
    for (const base::Json& network : networks) {
        for (const base::Json& each : network) look_at(each, seen);
    }
    std::map<std::string, std::string> addresses;
    for (const std::string* best : {&seen.floating, &seen.open, &seen.hidden, &seen.v6}) {
        if (best->empty()) continue;
        addresses["access_v4"] = *best;
        break;
    }
    if (!seen.hidden.empty())
        addresses["bind_v4"] = seen.hidden;
    else if (!seen.open.empty())
        addresses["bind_v4"] = seen.open;
    return addresses;
}

std::string fault_in(const base::Json& server) {
    const base::Json fault = server.value("fault", base::Json::object());
    const std::string words = cloud::words_of(base::text_at(fault, "message"));
    if (words.find("No valid host") == std::string::npos) return words;
    return "the cloud has no host with room for this flavor in this zone, or none that the server "
           "group allows (" +
           words + ")";
}

CloudMachine machine_in(const base::Json& server) {
    CloudMachine machine;
    machine.id = base::text_at(server, "id");
    machine.mark = mark_of_server(server);
    const std::string status = base::text_at(server, "status");
    const std::string task = base::text_at(server, "OS-EXT-STS:task_state");
    machine.state = state_of(status, task);
    if (machine.state == State::failed) machine.reason = fault_in(server);
    if (machine.state == State::starting && status != "BUILD") machine.reason = "it is " + status;
    if (machine.state == State::starting && status == "BUILD") machine.reason = task;
    machine.addresses = addresses_in(server);
    const auto metadata = texts_in(server.value("metadata", base::Json::object()));
    const auto floating = metadata.find(std::string(floating_key));
    if (floating != metadata.end()) machine.details["floating"] = floating->second == "yes";
    const base::Json volumes =
        server.value("os-extended-volumes:volumes_attached", base::Json::array());
    for (const base::Json& volume : volumes) {
        if (is_deleted_with_server(volume)) {
            machine.details["volumes"].push_back(base::text_at(volume, "id"));
        }
    }
    return machine;
}

}  // namespace provisioner::providers::openstack
