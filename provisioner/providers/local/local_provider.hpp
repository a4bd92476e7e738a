#pragma once

#include "provisioner/providers/local/protocol.hpp"

namespace provisioner::providers::local {

/// Real hosts on the machine of the daemon, for use without any cloud. A helper with the rights of
/// root makes and removes them (`cooperage-local-host serve`); the daemon needs none. The provider
/// sends it a line for each verb and reads its answer (protocol.hpp).
///
/// Image types name the shared root (`image`). Hardware types may set `memory_mb` and `cpus`; their
/// `flavor` may be any text. A verb throws std::runtime_error that names the socket while the
/// helper is away, for example because it restarts: the daemon waits and asks again. Objects hold
/// only settings, so any thread may call them.
class LocalProvider final : public Provider {
 public:
    explicit LocalProvider(Settings settings) : settings_(std::move(settings)) {}

    /// Refuses wrong settings before it asks the helper. Takes a fraction of a second; the host's
    /// sshd may answer later.
    boost::asio::awaitable<Created> create(const Account& account,
                                           const MachineSpec& spec) override;
    /// Reachable once the host runs and its sshd answers; Pending for 100 ms before. Refuses a host
    /// that does not run, for example after a restart of the machine.
    boost::asio::awaitable<Confirmed> confirm(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    /// Never Pending: the host is gone when the helper answers.
    boost::asio::awaitable<Destroyed> destroy(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    boost::asio::awaitable<std::vector<SeenMachine>> machines(const Account& account) override;
    /// "<host>:<state directory>".
    std::string account_name(const Account& account) const override;
    /// All tenants share the hosts of this machine.
    bool is_shared() const override { return true; }
    model::PluginType type() const override;

 private:
    Settings settings_;
};

}  // namespace provisioner::providers::local
