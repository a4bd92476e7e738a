#pragma once

#include "provisioner/base/clock.hpp"
#include "provisioner/providers/provider.hpp"
#include "provisioner/simulation/ledger_file.hpp"

namespace provisioner::providers::simulated {

/// Machines that are only records: for rehearsing templates, and for sizes there are no machines
/// for. The provider's fields say how long things take and what goes wrong.
class SimulatedProvider final : public Provider {
 public:
    /// Both must outlive it. `name`: where its machines are, as people know it.
    SimulatedProvider(simulation::LedgerFolder& ledgers, const base::Clock& clock,
                      std::string name = "simulated machines")
        : ledgers_(ledgers), clock_(clock), name_(std::move(name)) {}

    boost::asio::awaitable<Created> create(const Account& account,
                                           const MachineSpec& spec) override;
    boost::asio::awaitable<Confirmed> confirm(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    boost::asio::awaitable<Destroyed> destroy(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    boost::asio::awaitable<std::vector<SeenMachine>> machines(const Account& account) override;
    std::string account_name(const Account&) const override { return name_; }
    bool is_shared() const override { return true; }
    model::PluginType type() const override;

 private:
    Created make(simulation::LedgerFile& ledger, const Account& account, const MachineSpec& spec,
                 const simulation::Behaviour& behaviour);

    bool is_made_for_later(const std::string& name, long long task) const;

    simulation::LedgerFolder& ledgers_;
    const base::Clock& clock_;
    std::string name_;
};

/// The address of a machine, out of the block for benchmarks, 198.18.0.0/15 (RFC 2544), which no
/// network routes. Machines of one cluster have different ones; those of two may share some.
std::string address_of(const std::string& cluster, const std::string& machine);

/// How long the machine takes to boot, slow boots included.
std::chrono::milliseconds boot_of(const simulation::Behaviour& behaviour,
                                  const std::string& machine);

}  // namespace provisioner::providers::simulated
