#include "provisioner/providers/local/host/network/addresses.hpp"

#include <cstdio>

#include "provisioner/base/ids.hpp"

namespace provisioner::providers::local {

namespace {

constexpr std::string_view all_networks = "10.77.";
constexpr int first_host = 2;

/// 02 in front: unicast, given by the administrator.
std::string hardware_address(const char* front, int network, int number) {
    char text[18];
    std::snprintf(text, sizeof text, "%s:%02x:%02x:%02x", front, network & 0xff,
                  number / 256 & 0xff, number & 0xff);
    return text;
}

}  // namespace

std::string address_of(Place place) {
    const int third = place.network * 4 + place.host / 256;
    return std::string(all_networks) + std::to_string(third) + "." +
           std::to_string(place.host % 256);
}

std::optional<Place> place_of(std::string_view address) {
    if (!address.starts_with(all_networks)) return std::nullopt;
    address.remove_prefix(all_networks.size());
    const auto dot = address.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const auto third = base::parse_number(address.substr(0, dot));
    const auto fourth = base::parse_number(address.substr(dot + 1));
    if (!third || !fourth || *third > 255 || *fourth > 255) return std::nullopt;
    return Place{static_cast<int>(*third / 4), static_cast<int>(*third % 4 * 256 + *fourth)};
}

std::string name_of(int network) {
    return "cooper" + std::to_string(network);
}

std::string bridges_of(int network) {
    return name_of(network) + "b";
}

std::string bridge_of(int network, int cluster) {
    return bridges_of(network) + std::to_string(cluster);
}

std::string range_of(int network) {
    return address_of({network, 0}) + "/" + std::to_string(prefix_bits);
}

std::string cable_of(Place place) {
    return name_of(place.network) + "-" + std::to_string(place.host);
}

std::string mac_of(Place place) {
    return hardware_address("02:63:6f", place.network, place.host);
}

std::string mac_of_bridge(int network, int cluster) {
    return hardware_address("02:63:6e", network, cluster);
}

bool lies_in(std::uint32_t address, int network) {
    constexpr std::uint32_t first = 10u << 24 | 77u << 16;
    const std::uint32_t base = first | static_cast<std::uint32_t>(network) << 10;
    return address >> (32 - prefix_bits) == base >> (32 - prefix_bits);
}

int candidate(std::string_view name, int attempt) {
    std::uint32_t hash = 2166136261u;  // FNV-1a: the same on every machine
    for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619u;
    const auto from = static_cast<int>(hash % hosts_per_network);
    return first_host + (from + attempt) % hosts_per_network;
}

}  // namespace provisioner::providers::local
