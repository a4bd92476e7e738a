#pragma once

#include <string_view>

#include "provisioner/providers/existing/leases.hpp"
#include "provisioner/providers/existing/power.hpp"

namespace provisioner::providers::existing {

/// Why a node cannot have its machine: another lease is known by the same address, key or
/// controller, or this one has ended.
constexpr std::string_view taken_by_another =
    "another node has this machine: of another tenant, or because it is listed twice";

/// Switches the machine of a lease on. The controller has to answer to the account first, and then
/// belongs to the lease. Null `power`: it is always
/// on. References must live until the awaitable has completed.
boost::asio::awaitable<SwitchAnswer> switch_on(Leases& leases, Power* power, const Account& account,
                                               const model::MachineLease& lease);

}  // namespace provisioner::providers::existing
