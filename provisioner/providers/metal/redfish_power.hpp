#pragma once

#include "provisioner/http_client/client.hpp"
#include "provisioner/providers/existing/existing_provider.hpp"
#include "provisioner/providers/metal/redfish.hpp"

namespace provisioner::providers::metal {

/// Switches machines by the Redfish services of their controllers. A machine is asked to shut down,
/// and switched off when it has not done so after `shutdown_patience`.
class RedfishPower final : public existing::Power {
 public:
    /// How long a machine may take to shut down by itself.
    static constexpr std::chrono::minutes shutdown_patience{3};

    /// `client` must outlive this object.
    explicit RedfishPower(http_client::Client& client) : client_(client) {}

    boost::asio::awaitable<existing::SwitchAnswer> on(
        const Account& account, const inventory::ListedMachine& machine) override;
    boost::asio::awaitable<existing::SwitchAnswer> off(const Account& account,
                                                       const inventory::ListedMachine& machine,
                                                       std::chrono::milliseconds waited) override;
    boost::asio::awaitable<existing::SwitchAnswer> look(
        const Account& account, const inventory::ListedMachine& machine) override;
    base::Problems problems_with(const Account& account) const override;
    std::vector<model::PluginField> fields() const override;

 private:
    /// The machine at its controller, or why it cannot be seen.
    using Seen = std::variant<ComputerSystem, Pending, Refused>;

    boost::asio::awaitable<Seen> see(const Account& account,
                                     const inventory::ListedMachine& machine);
    /// The path of the machine, where the list does not name it: there must be one machine only.
    boost::asio::awaitable<std::variant<std::string, Pending, Refused>> path_of(
        const ControllerLogin& login, const inventory::ListedMachine& machine);
    /// The answer of a system, or what stands in its place.
    boost::asio::awaitable<existing::SwitchAnswer> reset(const Account& account,
                                                         const inventory::ListedMachine& machine,
                                                         const ComputerSystem& system,
                                                         std::vector<std::string> types,
                                                         Pending afterwards);

    http_client::Client& client_;
};

/// Name and texts of the type: existing machines that are switched on for nodes.
existing::TypeText type_text();

/// The login at a machine's controller: `bmc_logins` if it names the machine, else `bmc_user` and
/// `bmc_password`.
ControllerLogin login_of(const Account& account, const inventory::ListedMachine& machine);

}  // namespace provisioner::providers::metal
