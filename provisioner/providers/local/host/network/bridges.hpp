#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "provisioner/providers/local/bounds.hpp"
#include "provisioner/providers/local/host/network/addresses.hpp"
#include "provisioner/providers/local/host/network/cluster_networks.hpp"
#include "provisioner/providers/local/host/state_dir.hpp"

namespace provisioner::providers::local {

/// What the settings say of all hosts of a network.
struct Installation {
    /// Ports of the machine itself that all hosts may reach.
    std::vector<std::string> machine_ports{};
    /// How many hosts there can be at once: they share the room for connections.
    long most_hosts = default_max_hosts;
};

// Who is where in a state directory's network: each cluster has a bridge, which is made with its
// first host and goes with its last one. What is kept of it is StateDir::cluster_networks(). All
// functions take the lock "network".

/// A host that gets its place.
struct Plug {
    Place place;
    ClusterMember member;
    /// In whose network namespace eth0 is to be.
    pid_t pid = 0;
    Installation installation{};
    /// Whether hold_network() could load the rules. If not, the machine routes nothing for hosts:
    /// those of two clusters do not reach each other at all.
    bool is_guarded = false;
};

/// Sees to it that the network's rules hold and that its bridges are as they should be: somebody
/// else may have changed them, or an earlier version made them. Returns why the rules cannot be
/// had; empty if they hold. Throws Failure if bridges cannot be repaired.
std::string hold_network(const StateDir& dir, int network, const Installation& installation);

/// The same with the rules that were loaded last, if any were. A failure closes the clusters to
/// each other and is reported on standard error.
void repair_network(const StateDir& dir, int network);

/// Makes the cable (veth pair) of a host: one end on the bridge of its cluster, the other as eth0
/// in the network namespace. From then on the rules are those of the cluster with this member. The
/// kernel removes both ends as soon as one is gone. Throws Failure.
void plug_in(const StateDir& dir, const Plug& plug);

/// Removes what the machine has of the cable, and the bridge if this was its last host. Harmless to
/// repeat. Throws Failure.
void unplug(const StateDir& dir, Place place, const std::string& machine);

/// The same for a host of an earlier run of the machine: only what is kept of it is removed.
void forget_plug(const StateDir& dir, const std::string& machine);

/// Removes all interfaces and routes of a network, and its rules. Whose they are does not matter.
/// Takes no lock.
void remove_interfaces(int network);

/// Names of all interfaces that are a network's: its bridges, cables, and the one bridge that it
/// had in earlier versions.
std::vector<std::string> interfaces_of(int network);

}  // namespace provisioner::providers::local
