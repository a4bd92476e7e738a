#pragma once

#include <memory>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/remote/session.hpp"
#include "provisioner/simulation/ledger_file.hpp"

namespace provisioner::simulation {

/// How the host key of every simulated machine begins; its name follows.
constexpr std::string_view host_key_prefix = "simulated ";

/// The host key of the machine of that name.
std::string host_key_of(const std::string& machine);

/// Opens sessions to simulated machines, known by their host keys. A session carries nothing out:
/// it keeps the machine's ledger as a real node keeps its own, and waits until the time has passed
/// that a step takes. Both must outlive it; the clock must go on over restarts.
std::unique_ptr<remote::Connector> make_simulated_connector(const LedgerFolder& ledgers,
                                                            const base::Clock& clock);

}  // namespace provisioner::simulation
