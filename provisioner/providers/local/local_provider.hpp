#pragma once

#include "provisioner/providers/local/protocol.hpp"

namespace provisioner::providers::local {

/// Real hosts on this machine, made and removed by the program cooperage-local-host, which runs as
/// a child process for each verb. Image types name the shared root (`image`); hardware types may
/// set `memory_mb` and `cpus`, their `flavor` is free.
class LocalProvider final : public Provider {
 public:
    explicit LocalProvider(Settings settings) : settings_(std::move(settings)) {}

    boost::asio::awaitable<Created> create(const Account& account,
                                           const MachineSpec& spec) override;
    boost::asio::awaitable<Confirmed> confirm(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    boost::asio::awaitable<Destroyed> destroy(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    boost::asio::awaitable<std::vector<SeenMachine>> machines(const Account& account) override;
    std::string account_name(const Account& account) const override;
    bool is_shared() const override { return true; }
    model::PluginType type() const override;

 private:
    Settings settings_;
};

}  // namespace provisioner::providers::local
