#pragma once

#include "provisioner/providers/local/host/network/addresses.hpp"

namespace provisioner::providers::local {

// The kernel remembers the connections that it has let through (conntrack). What is remembered is
// let through again, and all tenants and the machine itself share the room for it.

/// Forgets all connections from or to the address: what was established with whoever had it before
/// would be let through to the next host. Takes a millisecond, and 100 ms where the kernel
/// remembers 100,000. Throws Failure.
void forget_connections_of(Place place);

/// Forgets what the hosts of a network have begun; what the machine has begun with them goes on.
/// Throws Failure.
void forget_connections_from(int network);

}  // namespace provisioner::providers::local
