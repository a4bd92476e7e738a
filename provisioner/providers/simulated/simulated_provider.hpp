#pragma once

#include "provisioner/base/clock.hpp"
#include "provisioner/providers/provider.hpp"
#include "provisioner/simulation/ledger_file.hpp"

namespace provisioner::providers::simulated {

/// Machines that exist only as records in a folder of ledgers: to rehearse templates, and for sizes
/// beyond any real account. The provider's fields say how long things take and how often they fail.
///
/// Failures are drawn from a seed, the machine's name and the decision, so equal settings give
/// equal runs. Several daemons may share the folder. The object is safe for several threads. Each
/// verb but machines() reads or writes one small file, and none waits.
class SimulatedProvider final : public Provider {
 public:
    /// `ledgers` and `clock` must outlive the provider. `name` is its account_name(), so it must
    /// say where the ledgers are.
    SimulatedProvider(simulation::LedgerFolder& ledgers, const base::Clock& clock,
                      std::string name = "simulated machines")
        : ledgers_(ledgers), clock_(clock), name_(std::move(name)) {}

    /// The machine of that name, or a record of a new one. May refuse by the quota or the password.
    /// A new machine may exist although the answer is Refused or an exception, as the fields
    /// demand.
    boost::asio::awaitable<Created> create(const Account& account,
                                           const MachineSpec& spec) override;
    /// Pending until the drawn boot time has passed, but at most one second at a time.
    boost::asio::awaitable<Confirmed> confirm(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    /// Removes the record, or keeps it among the gone ones if the fields say so.
    boost::asio::awaitable<Destroyed> destroy(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    /// Reads every ledger of the folder.
    boost::asio::awaitable<std::vector<SeenMachine>> machines(const Account& account) override;
    /// The name given at construction.
    std::string account_name(const Account&) const override { return name_; }
    /// All tenants share the folder.
    bool is_shared() const override { return true; }
    model::PluginType type() const override;

 private:
    /// Draws the failures of a creation and writes the record. Throws for a reply that is to be
    /// lost.
    Created make(simulation::LedgerFile& ledger, const Account& account, const MachineSpec& spec,
                 const simulation::Behaviour& behaviour);

    /// Whether the machine exists and was made for a task later than `task`; false for 0.
    bool is_made_for_later(const std::string& name, long long task) const;

    simulation::LedgerFolder& ledgers_;
    const base::Clock& clock_;
    std::string name_;
};

/// The address of a machine, from the block for benchmarks, 198.18.0.0/15 (RFC 2544), which no
/// network routes. It follows from the cluster and the number at the end of the machine's name.
/// Machines of one cluster have different addresses; machines of two clusters may share one.
std::string address_of(const std::string& cluster, const std::string& machine);

/// How long the machine takes to boot, slow boots included. Equal arguments give equal times.
std::chrono::milliseconds boot_of(const simulation::Behaviour& behaviour,
                                  const std::string& machine);

}  // namespace provisioner::providers::simulated
