#pragma once

#include <sys/types.h>

#include <string>

#include "provisioner/providers/local/host/addresses.hpp"
#include "provisioner/providers/local/host/state_dir.hpp"

namespace provisioner::providers::local {

/// The number of the state directory's network: claimed machine-wide under /run/cooperage/networks
/// and its bridge made, if that is not so yet. Numbers whose addresses some other interface has are
/// left alone; a number whose state directory is gone is cleaned and given anew. Throws Failure
/// when none is free.
int ensure_network(const StateDir& dir);

/// The number this state directory has claimed, or -1.
int claimed_network(const StateDir& dir);

/// Removes the bridge, what is left of hosts on it, and the claim. Nothing to remove is fine.
void remove_network(const StateDir& dir);

/// Makes the cable of a host: one end on the bridge, the other as eth0 in the network namespace of
/// `pid`. It is gone as soon as either end is.
void plug_in(Place place, pid_t pid);

/// Removes the machine's end of the cable, if it is there.
void unplug(Place place);

/// Inside a host's namespace: brings up lo and eth0 with the address and the default route.
void set_up_inside(Place place);

}  // namespace provisioner::providers::local
