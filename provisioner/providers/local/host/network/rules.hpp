#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/local/host/network/cluster_networks.hpp"

namespace provisioner::providers::local {

/// Most connections at once that a host may have begun with hosts of other clusters and with the
/// machine, whatever room there is.
inline constexpr long most_connections_of_host = 1000;

/// What a host may begin, beside its own cluster. All of it is remembered by the machine's kernel,
/// whose room for connections is everybody's.
struct Connections {
    long at_once = most_connections_of_host;
    /// New ones, after `at_once` that may come together. Those that are over are remembered for a
    /// while and not counted, so their number is kept down by this.
    long per_second = 17;

    bool operator==(const Connections&) const = default;
};

/// What each host may begin so that three quarters of what the kernel remembers at most
/// (net.netfilter.nf_conntrack_max) are enough for all hosts that there can be: none takes room
/// from another, nor from the machine. At least one connection. Pure.
Connections connections_of_host(long most_of_machine, long most_hosts);

/// What the machine's owner lets hosts of a network do.
struct Opening {
    /// Ports of the machine itself that all hosts may reach.
    std::vector<std::string> machine_ports{};
    Connections connections{};
};

/// Name of the network's table of nftables, "cooperage_1". Nothing else is in it, and nothing
/// outside of it is touched.
std::string table_of(int network);

/// What `nft -f -` needs to make the network's table, or to put other rules in its place, in one
/// step. Who has how many connections stays known. Where there is a table of that name with other
/// sets, it fails.
///
///     what a host sends        is let through
///     within its cluster       everything (the cluster's bridge sees to it; frames get here only
///                              where the kernel shows bridged frames to nftables)
///     to another cluster       the ports that this cluster declares
///     to the machine           echo requests; `machine_ports` of the network's first address
///     anywhere else            nothing
///     in fragments             nothing but within its cluster: putting them together needs room
///                              that is everybody's
///     answers                  everything that belongs to a connection that was let through
///
/// and of what others send to a host, the ports that its cluster declares. The machine itself
/// reaches everything. What a host begins with others is counted (Connections), and of what its
/// cluster says to itself nothing is remembered. Who forges a sender is dropped first. Interfaces
/// need not exist. Ports are those of model::port_range_in(); others are left out. Pure.
std::string rules_of(int network, const ClusterNetworks& clusters, const Opening& opening);

}  // namespace provisioner::providers::local
