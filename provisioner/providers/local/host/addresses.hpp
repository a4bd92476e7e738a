#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace provisioner::providers::local {

/// How many networks one machine can have: 10.77.0.0/22, 10.77.4.0/22, ... 10.77.252.0/22.
inline constexpr int network_count = 64;

/// How many hosts one network can have: .0.1 is the machine's own, the last address is broadcast.
inline constexpr int hosts_per_network = 1021;

/// Bits of a network's prefix.
inline constexpr int prefix_bits = 22;

/// A place in the network: network 0 to 63, host 1 (the machine) to 1022.
struct Place {
    int network = 0;
    int host = 0;

    bool operator==(const Place&) const = default;
};

/// "10.77.5.2" is host 258 of network 1.
std::string address_of(Place place);

/// The place of such an address; nothing for any other text.
std::optional<Place> place_of(std::string_view address);

/// The bridge of a network: "cooper1".
std::string bridge_of(int network);

/// The machine's end of a host's cable: "cooper1-258"; always shorter than an interface name may
/// be.
std::string cable_of(Place place);

/// The hardware address of a host: derived from its place, so that a reused address means the same
/// neighbour.
std::string mac_of(Place place);

/// Whether an IPv4 address in host byte order lies in the network's range.
bool lies_in(std::uint32_t address, int network);

/// Which host number to try at the `attempt`-th time for a machine of that name: every number once
/// in hosts_per_network attempts, and mostly the same first one for the same name. 2 to 1022.
int candidate(std::string_view name, int attempt);

}  // namespace provisioner::providers::local
