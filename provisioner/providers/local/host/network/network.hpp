#pragma once

#include "provisioner/providers/local/host/network/addresses.hpp"
#include "provisioner/providers/local/host/network/bridges.hpp"
#include "provisioner/providers/local/host/state_dir.hpp"

namespace provisioner::providers::local {

/// The number of the state directory's network. If it has none, claims a free one. Claims lie under
/// /run/cooperage/networks, which all state directories of the machine share. Numbers whose
/// addresses another interface uses are skipped. A number whose state directory is gone is cleaned
/// and reused. Throws Failure if none is free.
///
/// Each state directory has a network of 1024 addresses; each cluster has a bridge in it
/// (bridges.hpp), so that hosts of two clusters share no wire; and each host has a cable to that
/// bridge. Between bridges, and to the machine itself, goes what the rules let through (rules.hpp).
/// There is no address translation: hosts reach nothing outside. Claims are symbolic links to the
/// state directory, made under one lock for the whole machine.
int ensure_network(const StateDir& dir);

/// The number that this state directory has claimed, or -1. Takes no lock.
int claimed_network(const StateDir& dir);

/// Sees to it that hosts that run already are kept apart: after an upgrade, or when rules were
/// removed while nobody watched. Returns why they are not; empty if they are, or if there are none.
/// Takes the lock of the claims. Throws Failure.
std::string settle_network(const StateDir& dir, const Installation& installation);

/// Sees to it that rules and settings that somebody else has changed are back (repair_network()),
/// if the state directory has a network. Takes the lock of the claims, so that the network stays
/// meanwhile. Costs less than a millisecond if nobody changed anything.
void watch_network(const StateDir& dir);

/// Removes the bridges, what hosts left on them, the rules and the claim; kills hosts that still
/// run. The caller holds StateDir::lock() exclusively, so that no start uses the network. Nothing
/// to remove is fine.
void remove_network(const StateDir& dir);

/// Brings up lo and eth0 with the address and the default route. To be called in the host's network
/// namespace.
void set_up_inside(Place place);

}  // namespace provisioner::providers::local
