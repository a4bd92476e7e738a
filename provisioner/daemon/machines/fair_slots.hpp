#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "provisioner/model/tenants/tenant.hpp"

namespace provisioner::daemon {

/// How many tries go on for each tenant.
using SlotsInUse = std::map<model::TenantId, int>;

/// Chooses who gets the next free slots: each time the first candidate, in their order, of the
/// tenant with the fewest slots. So one whose nodes hang keeps nobody waiting but itself. No tenant
/// gets more than `of_tenant` slots in all. Returns the places of the chosen. Pure.
std::vector<std::size_t> fair_slots(const std::vector<model::TenantId>& candidates,
                                    SlotsInUse in_use, int free, int of_tenant);

}  // namespace provisioner::daemon
