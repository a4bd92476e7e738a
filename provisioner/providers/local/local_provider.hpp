#pragma once

#include "provisioner/providers/local/protocol.hpp"

namespace provisioner::providers::local {

/// Real hosts on the machine of the daemon, for use without any cloud. The program
/// cooperage-local-host makes and removes them; each verb runs it as a child process, so a crash of
/// either leaves the other alone. The provider itself only builds its command line and reads its
/// answer (protocol.hpp).
///
/// Image types name the shared root (`image`). Hardware types may set `memory_mb` and `cpus`; their
/// `flavor` may be any text. The daemon must run as root. Objects hold only settings, so any thread
/// may call them.
class LocalProvider final : public Provider {
 public:
    explicit LocalProvider(Settings settings) : settings_(std::move(settings)) {}

    /// Refuses wrong settings before it starts a program. Takes a fraction of a second; the host's
    /// sshd may answer later.
    boost::asio::awaitable<Created> create(const Account& account,
                                           const MachineSpec& spec) override;
    /// Reachable once the host runs and its sshd answers; Pending for 100 ms before. Refuses a host
    /// that does not run, for example after a restart of the machine.
    boost::asio::awaitable<Confirmed> confirm(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    /// Never Pending: the host is gone when the program ends.
    boost::asio::awaitable<Destroyed> destroy(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    /// Empty, without a child process, if the state directory does not exist.
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
