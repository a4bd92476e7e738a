#pragma once

#include <optional>

#include "provisioner/http_client/client.hpp"
#include "provisioner/providers/existing/washing.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::existing {

/// Names and texts of a type that leases existing machines.
struct TypeText {
    std::string name = "existing";
    std::string label = "Existing machines";
    std::string description =
        "Machines that are there already, leased to nodes and wiped when they come back";
};

/// Leases machines of a list to nodes and takes them back wiped; never makes or deletes one
/// (README.md). Nothing is kept in the object: leases are, by Leases.
///
/// destroy() waits for the wash of its machine for five minutes. After that the node has none any
/// more, and each machines() goes on washing what is left.
class ExistingProvider final : public Provider {
 public:
    /// All references must outlive the provider. `power` switches machines on before nodes get them
    /// and off when they are clean; null: they are always on. `own_network`: whether the list may
    /// name this host itself and link-local addresses.
    ExistingProvider(Leases& leases, Scripts& scripts, const base::Clock& clock,
                     http_client::OwnNetwork own_network, Power* power = nullptr,
                     TypeText text = {})
        : leases_(leases),
          power_(power),
          own_network_(own_network),
          clock_(clock),
          washing_(leases, scripts, power, clock),
          text_(std::move(text)) {}

    /// Leases a machine. Pending while all that fit are taken and one is being wiped.
    boost::asio::awaitable<Created> create(const Account& account,
                                           const MachineSpec& spec) override;
    /// Switches the machine on, and waits for its sshd.
    boost::asio::awaitable<Confirmed> confirm(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    /// Whether the machine is the node's: another one may have logged in to the same before it.
    boost::asio::awaitable<std::optional<Refused>> entered(const Account& account,
                                                           const MachineSpec& spec,
                                                           const base::Json& results,
                                                           const std::string& host_key) override;
    /// Gives the machine back. A machine that cannot be wiped is out of use, and Gone.
    boost::asio::awaitable<Destroyed> destroy(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    /// The machines that nodes have. Goes on washing those that no node has.
    boost::asio::awaitable<std::vector<SeenMachine>> machines(const Account& account) override;
    /// Reads the list, counts what is free, and asks controllers.
    boost::asio::awaitable<Tested> test(const Account& account) override;
    /// The provider's name: it has no account elsewhere.
    std::string account_name(const Account& account) const override;
    bool gives_names() const override { return false; }
    model::PluginType type() const override;

 private:
    inventory::Rules rules() const {
        return {.needs_host_key = true, .needs_controller = power_ != nullptr};
    }
    /// What is wrong with fields that all verbs need; nothing if they are right.
    base::Checked<Fields> checked_fields(const Account& account) const;
    /// One step of giving a machine back. What goes wrong with it holds up no other machine: it is
    /// noted at the lease, and the answer is Pending.
    boost::asio::awaitable<Destroyed> give_back(const Account& account, model::MachineLease lease,
                                                const base::Json& results);
    /// Keeps the host key that a login was shown for the wash, if the machine was listed without.
    boost::asio::awaitable<void> keep_first_login(model::MachineLease& lease,
                                                  const std::string& host_key);
    /// Enters the machine for the node; false if it is another's.
    boost::asio::awaitable<bool> take_in(model::MachineLease& lease, const std::string& host_key);
    boost::asio::awaitable<std::optional<model::MachineLease>> held_by(std::string node);
    boost::asio::awaitable<void> ask_controllers(const Account& account, const Fields& fields,
                                                 Offer& offer);

    Leases& leases_;
    Power* power_;
    http_client::OwnNetwork own_network_;
    const base::Clock& clock_;
    Washing washing_;
    TypeText text_;
};

}  // namespace provisioner::providers::existing
