#include "provisioner/providers/local/host/network/cluster_networks.hpp"

#include <algorithm>

#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/ports.hpp"
#include "provisioner/providers/local/host/network/addresses.hpp"
#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {

namespace {

std::vector<std::string> understood(const std::vector<std::string>& ports) {
    std::vector<std::string> sorted;
    for (const std::string& port : ports) {
        if (model::port_range_in(port)) sorted.push_back(port);
    }
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return sorted;
}

int free_number(const ClusterNetworks& networks) {
    std::set<int> taken;
    for (const auto& [name, network] : networks) taken.insert(network.number);
    for (int number = 0; number < clusters_per_network; ++number) {
        if (!taken.contains(number)) return number;
    }
    throw Failure("all " + std::to_string(clusters_per_network) +
                  " clusters of a network for local hosts are in use");
}

std::optional<ClusterNetwork> network_in(const base::Json& json) {
    const base::Json* number = base::member(json, "number");
    if (number == nullptr || !number->is_number_integer()) return std::nullopt;
    ClusterNetwork network;
    network.number = number->get<int>();
    if (network.number < 0 || network.number >= clusters_per_network) return std::nullopt;
    network.open_ports = understood(base::strings_of(base::member(json, "open_ports")));
    for (std::string& name : base::strings_of(base::member(json, "machines"))) {
        network.machines.insert(std::move(name));
    }
    return network;
}

}  // namespace

std::string text_of(const ClusterNetworks& networks) {
    base::Json json = base::Json::object();
    for (const auto& [name, network] : networks) {
        json[name] = {{"number", network.number},
                      {"open_ports", network.open_ports},
                      {"machines", network.machines}};
    }
    return base::to_text(json) + "\n";
}

std::optional<ClusterNetworks> cluster_networks_of(std::string_view text) {
    const auto json = base::parse_json(text);
    if (!json || !json->is_object()) return std::nullopt;
    ClusterNetworks networks;
    for (const auto& [name, value] : json->items()) {
        const auto network = network_in(value);
        if (!network) return std::nullopt;
        networks[name] = *network;
    }
    return networks;
}

int join(ClusterNetworks& networks, const ClusterMember& member) {
    auto at = networks.find(member.cluster);
    if (at == networks.end()) {
        const int number = free_number(networks);
        at = networks.emplace(member.cluster, ClusterNetwork{.number = number}).first;
    }
    at->second.machines.insert(member.machine);
    at->second.open_ports = understood(member.open_ports);
    return at->second.number;
}

std::optional<int> leave(ClusterNetworks& networks, const std::string& machine) {
    for (auto at = networks.begin(); at != networks.end(); ++at) {
        if (at->second.machines.erase(machine) == 0) continue;
        if (!at->second.machines.empty()) return std::nullopt;
        const int number = at->second.number;
        networks.erase(at);
        return number;
    }
    return std::nullopt;
}

}  // namespace provisioner::providers::local
