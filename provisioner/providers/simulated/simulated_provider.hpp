#pragma once

#include "provisioner/base/clock.hpp"
#include "provisioner/providers/provider.hpp"
#include "provisioner/simulation/ledger_file.hpp"

namespace provisioner::providers::simulated {

/// Machines that are only records: for rehearsing templates, and for sizes there are no machines
/// for. The provider's fields say how long things take and what goes wrong.
class SimulatedProvider final : public Provider {
 public:
    /// Both must outlive it.
    SimulatedProvider(simulation::LedgerFolder& ledgers, const base::Clock& clock)
        : ledgers_(ledgers), clock_(clock) {}

    boost::asio::awaitable<Created> create(const MachineSpec& spec) override;
    boost::asio::awaitable<Confirmed> confirm(const MachineSpec& spec,
                                              const base::Json& results) override;
    boost::asio::awaitable<Destroyed> destroy(const MachineSpec& spec,
                                              const base::Json& results) override;
    boost::asio::awaitable<std::vector<std::string>> machines() override;
    model::PluginType type() const override;

 private:
    Created make(simulation::LedgerFile& ledger, const MachineSpec& spec,
                 const simulation::Behaviour& behaviour);

    bool is_made_for_later(const std::string& name, long long task) const;

    simulation::LedgerFolder& ledgers_;
    const base::Clock& clock_;
};

/// The address of a machine, out of the block for benchmarks, 198.18.0.0/15 (RFC 2544), which no
/// network routes. Machines of one cluster have different ones; those of two may share some.
std::string address_of(const std::string& cluster, const std::string& machine);

/// How long the machine takes to boot, slow boots included.
std::chrono::milliseconds boot_of(const simulation::Behaviour& behaviour,
                                  const std::string& machine);

}  // namespace provisioner::providers::simulated
