#pragma once

#include <sys/types.h>

#include <string>

#include "provisioner/providers/local/host/addresses.hpp"
#include "provisioner/providers/local/host/state_dir.hpp"

namespace provisioner::providers::local {

/// The number of the state directory's network. If it has none, claims a free one and makes its
/// bridge. Claims lie under /run/cooperage/networks, which all state directories of the machine
/// share. Numbers whose addresses another interface uses are skipped. A number whose state
/// directory is gone is cleaned and reused. Throws Failure if none is free.
///
/// Each state directory has one bridge with a network of its own; each host has a cable to it.
/// There is no address translation, and the machine routes nothing that comes from hosts: they
/// reach each other and this machine, and nothing else. Claims are symbolic links to the state
/// directory, made under one lock for the whole machine.
int ensure_network(const StateDir& dir);

/// The number that this state directory has claimed, or -1. Takes no lock.
int claimed_network(const StateDir& dir);

/// Removes the bridge, what hosts left on it, and the claim; kills hosts that still run. The caller
/// holds StateDir::lock() exclusively, so that no start uses the network. Nothing to remove is
/// fine.
void remove_network(const StateDir& dir);

/// Makes the cable (veth pair) of a host: one end on the bridge, the other as eth0 in the network
/// namespace of `pid`. The kernel removes both ends as soon as one is gone. Throws Failure.
void plug_in(Place place, pid_t pid);

/// Removes the machine's end of the cable, if it is there.
void unplug(Place place);

/// Brings up lo and eth0 with the address and the default route. To be called in the host's network
/// namespace.
void set_up_inside(Place place);

}  // namespace provisioner::providers::local
