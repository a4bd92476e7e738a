#pragma once

#include <string>

#include "provisioner/providers/provider.hpp"

namespace provisioner::providers {

/// Stands for a provider type that this installation does without. It refuses every verb with a
/// sentence that names the setting, so that tasks of that type fail at once instead of waiting for
/// a daemon that has it. It is neither published nor swept (Registry::refuse()).
class RefusingProvider final : public Provider {
 public:
    /// `name` is the type; `reason` a sentence for people.
    RefusingProvider(std::string name, std::string reason)
        : name_(std::move(name)), reason_(std::move(reason)) {}

    boost::asio::awaitable<Created> create(const Account& account,
                                           const MachineSpec& spec) override;
    boost::asio::awaitable<Confirmed> confirm(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    boost::asio::awaitable<Destroyed> destroy(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    /// Throws std::runtime_error: what exists is unknown.
    boost::asio::awaitable<std::vector<SeenMachine>> machines(const Account& account) override;
    std::string account_name(const Account& account) const override;
    /// So that no tenant's account is swept.
    bool is_shared() const override { return true; }
    model::PluginType type() const override;

 private:
    Refused refusal() const;

    std::string name_;
    std::string reason_;
};

}  // namespace provisioner::providers
