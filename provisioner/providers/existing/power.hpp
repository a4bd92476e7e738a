#pragma once

#include <chrono>
#include <utility>
#include <variant>
#include <vector>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>

#include "provisioner/inventory/machine.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::existing {

/// The machine is on, or off, as was wanted.
struct Switched {};
/// The answer of a switch. Refused: a person must look; worth_retrying: the controller may answer
/// later.
using SwitchAnswer = std::variant<Switched, Pending, Refused>;

/// Switches machines on and off. Both verbs are short and harmless to repeat.
class Power {
 public:
    virtual ~Power() = default;

    virtual boost::asio::awaitable<SwitchAnswer> on(const Account& account,
                                                    const inventory::ListedMachine& machine) = 0;
    /// `waited`: how long it is wanted off already.
    virtual boost::asio::awaitable<SwitchAnswer> off(const Account& account,
                                                     const inventory::ListedMachine& machine,
                                                     std::chrono::milliseconds waited) = 0;
    /// Whether the controller answers and knows the machine; changes nothing.
    virtual boost::asio::awaitable<SwitchAnswer> look(const Account& account,
                                                      const inventory::ListedMachine& machine) = 0;
    /// What is wrong with the account's fields.
    virtual base::Problems problems_with(const Account& account) const = 0;
    /// Fields that the account has for it.
    virtual std::vector<model::PluginField> fields() const = 0;
};

}  // namespace provisioner::providers::existing
