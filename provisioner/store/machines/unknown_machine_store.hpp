#pragma once

#include <string>
#include <vector>

#include "provisioner/model/machines/unknown_machine.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// Replaces the unknown machines of an account by those that were seen there now (`tenant`,
/// `machine`, `name` and `addresses` of each). Returns those that were not seen before.
std::vector<model::UnknownMachine> save_unknown_machines(
    Connection& connection, model::ProviderAccountId account,
    const std::vector<model::UnknownMachine>& seen);

/// Unknown machines of a tenant, all for 0: those after the one of id `after`, by id; at most
/// `limit`.
std::vector<model::UnknownMachine> list_unknown_machines(Connection& connection,
                                                         model::TenantId tenant, std::int64_t after,
                                                         int limit);

/// How many there are of a tenant; all for 0.
std::int64_t count_unknown_machines(Connection& connection, model::TenantId tenant);

}  // namespace provisioner::store
