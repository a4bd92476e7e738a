#pragma once

#include <memory>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/remote/session.hpp"
#include "provisioner/simulation/ledger_file.hpp"

namespace provisioner::simulation {

/// Begins the host key of every simulated machine; the machine's name follows. The daemon routes
/// connections by this prefix.
constexpr std::string_view host_key_prefix = "simulated ";

/// The host key of the machine with that name. Its provider reports it.
std::string host_key_of(const std::string& machine);

/// A connector that opens sessions to simulated machines, identified by their host keys.
///
/// A session executes nothing. It appends to the machine's ledger, as a real node does to its own.
/// Then it waits on timers until the step's time has passed. Uploads are accepted and discarded.
/// Connecting fails with remote::TransportError until the machine has booted, and with
/// remote::UntrustedHost for another kind of host key. Ledger calls block the calling loop briefly.
///
/// `ledgers` and `clock` must outlive the connector and its sessions. The clock must run on across
/// restarts, because ledgers store its times.
std::unique_ptr<remote::Connector> make_simulated_connector(const LedgerFolder& ledgers,
                                                            const base::Clock& clock);

/// Begins the host key of a guest: a machine that a stand-in for a cloud made. Its address follows.
constexpr std::string_view guest_key_prefix = "simulated-guest ";

/// A connector that opens simulated sessions to guests, so that clusters of hundreds of machines
/// can be rehearsed on a stand-in for a cloud, and passes all other endpoints to `otherwise`.
///
/// A guest has an address of the block for benchmarks, 198.18.0.0/15, which no network routes, and
/// a host key that no provider told; it exists only while the folder of `guests` does. Nothing but
/// a test makes that folder. Its ledger is made at the first connection and is never removed.
///
/// All three must outlive the connector and its sessions.
std::unique_ptr<remote::Connector> make_guest_connector(const LedgerFolder& guests,
                                                        const base::Clock& clock,
                                                        remote::Connector& otherwise);

}  // namespace provisioner::simulation
