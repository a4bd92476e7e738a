#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/local/host/network/cluster_networks.hpp"

namespace provisioner::providers::local {

/// Most connections at once that a host may have to hosts of other clusters. All of them are
/// remembered by the machine's kernel, whose memory for them is everybody's.
inline constexpr int most_connections_of_host = 1000;

/// Name of the network's table of nftables, "cooperage_1". Nothing else is in it, and nothing
/// outside of it is touched.
std::string table_of(int network);

/// What `nft -f -` needs to make the network's table anew, in one step:
///
///     what a host sends        is let through
///     within its cluster       everything (the cluster's bridge sees to it; frames get here only
///                              where the kernel shows bridged frames to nftables)
///     to another cluster       the ports that this cluster declares
///     to the machine           echo requests, 100 a second; `machine_ports` of the network's first
///                              address
///     anywhere else            nothing
///     answers                  everything that belongs to a connection that was let through
///
/// and of what others send to a host, the ports that its cluster declares. The machine itself
/// reaches everything. Who forges a sender is dropped first. Interfaces need not exist. Ports are
/// those of model::port_range_in(); others are left out. Pure.
std::string rules_of(int network, const ClusterNetworks& clusters,
                     const std::vector<std::string>& machine_ports);

}  // namespace provisioner::providers::local
