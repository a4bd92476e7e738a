#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/daemon/metrics/daemon_metrics.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::daemon {

/// A provider whose calls are counted: how they ended, and how long they took. Everything else goes
/// through unchanged.
class MeasuredProvider final : public providers::Provider {
 public:
    /// Counts under the provider's type in `metrics`, which must outlive it. Call it before any
    /// thread starts.
    MeasuredProvider(std::unique_ptr<providers::Provider> provider, DaemonMetrics& metrics);

    boost::asio::awaitable<providers::Created> create(const model::Account& account,
                                                      const providers::MachineSpec& spec) override;
    boost::asio::awaitable<providers::Confirmed> confirm(const model::Account& account,
                                                         const providers::MachineSpec& spec,
                                                         const base::Json& results) override;
    boost::asio::awaitable<std::optional<providers::Refused>> entered(
        const model::Account& account, const providers::MachineSpec& spec,
        const base::Json& results, const std::string& host_key) override;
    boost::asio::awaitable<providers::Destroyed> destroy(const model::Account& account,
                                                         const providers::MachineSpec& spec,
                                                         const base::Json& results) override;
    boost::asio::awaitable<std::vector<providers::SeenMachine>> machines(
        const model::Account& account) override;
    boost::asio::awaitable<providers::Tested> test(const model::Account& account) override;
    bool gives_names() const override;
    std::string account_name(const model::Account& account) const override;
    bool is_shared() const override;
    model::PluginType type() const override;

 private:
    std::unique_ptr<providers::Provider> provider_;
    ProviderCounters& counters_;
};

}  // namespace provisioner::daemon
