#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace provisioner::providers::local {

/// Number of networks on one machine: 10.77.0.0/22, 10.77.4.0/22, ... 10.77.252.0/22. Each state
/// directory has one.
inline constexpr int network_count = 64;

/// Number of clusters that can be in one network at once: each has at least one host.
inline constexpr int clusters_per_network = 1021;

/// Number of hosts in one network. Host 1 is the machine's own address, and 1023 is broadcast.
inline constexpr int hosts_per_network = 1021;

/// Length of a network's prefix in bits.
inline constexpr int prefix_bits = 22;

/// A host's place: network 0 to 63; host 1 (the machine itself) to 1022. Address, cable and
/// hardware address follow from it, so only the address is stored.
struct Place {
    int network = 0;
    int host = 0;

    bool operator==(const Place&) const = default;
};

/// The address of a place: "10.77.5.2" is host 258 of network 1.
std::string address_of(Place place);

/// The inverse of address_of(); nothing for a text that is no address in 10.77.0.0/16.
std::optional<Place> place_of(std::string_view address);

/// Name of a network, "cooper1": what the names of its interfaces and control groups begin with.
std::string name_of(int network);

/// What the names of all bridges of a network begin with, and no other interface's: "cooper1b".
std::string bridges_of(int network);

/// Name of the bridge of a network's cluster: "cooper1b7". At most 13 characters.
std::string bridge_of(int network, int cluster);

/// The range of a network's addresses: "10.77.4.0/22".
std::string range_of(int network);

/// Name of the machine's end of a host's cable: "cooper1-258". At most 13 characters; Linux allows
/// 15.
std::string cable_of(Place place);

/// Hardware address of a host, "02:63:6f:01:01:02". It follows from the place, so a reused address
/// means the same neighbour to the ARP caches of others.
std::string mac_of(Place place);

/// Hardware address of the bridge of a network's cluster, "02:63:6e:01:00:07": always the same, so
/// hosts need not look for the machine anew when others come and go.
std::string mac_of_bridge(int network, int cluster);

/// Whether an IPv4 address, in host byte order, lies in the network.
bool lies_in(std::uint32_t address, int network);

/// The host number to try at the `attempt`-th time, from 0, for a machine of that name; 2 to 1022.
/// hosts_per_network attempts meet each number once. The first one depends on the name only. So a
/// new machine of the same name mostly gets its old address.
int candidate(std::string_view name, int attempt);

}  // namespace provisioner::providers::local
