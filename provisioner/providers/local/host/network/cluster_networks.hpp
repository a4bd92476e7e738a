#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::providers::local {

/// One cluster's part of a state directory's network.
struct ClusterNetwork {
    /// Number of its bridge, 0 to clusters_per_network - 1; no other cluster has it.
    int number = 0;
    /// What hosts of other clusters may reach: "80/tcp", "8000-8100/udp". Sorted, each once.
    std::vector<std::string> open_ports{};
    /// Names of the machines that are in it; never empty.
    std::set<std::string> machines{};

    bool operator==(const ClusterNetwork&) const = default;
};

/// All clusters of a network, by their names.
using ClusterNetworks = std::map<std::string, ClusterNetwork>;

/// A machine, and what its cluster declares.
struct ClusterMember {
    std::string machine;
    std::string cluster;
    /// In any order; ports that are not of these forms are left out.
    std::vector<std::string> open_ports{};
};

/// The clusters as the file has them: one line of JSON.
std::string text_of(const ClusterNetworks& networks);

/// Reads such a text; nothing for any other.
std::optional<ClusterNetworks> cluster_networks_of(std::string_view text);

/// Adds the machine to its cluster, which is made if it is not there, and gives the cluster these
/// ports. Returns the cluster's number. Linear in the number of clusters. Throws Failure if there
/// are clusters_per_network of them.
int join(ClusterNetworks& networks, const ClusterMember& member);

/// Removes the machine from its cluster. Returns the cluster's number if it was the last one there:
/// then the cluster is removed, too. A machine that is in none is fine.
std::optional<int> leave(ClusterNetworks& networks, const std::string& machine);

}  // namespace provisioner::providers::local
