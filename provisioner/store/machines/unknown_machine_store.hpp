#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/model/machines/unknown_machine.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Unknown machines carry the mark of this installation, but no node has them. The daemon stores
// them for a person to look at, and never deletes the machine itself.

/// Replaces the unknown machines of an account by `seen` (`tenant`, `machine`, `name` and
/// `addresses` of each). A machine that is seen again keeps its id and the time it was first seen.
/// Returns those that were not stored before, in the order of `seen`. Call it after take_account,
/// so that one daemon writes at a time.
std::vector<model::UnknownMachine> save_unknown_machines(
    Connection& connection, model::ProviderAccountId account,
    const std::vector<model::UnknownMachine>& seen);

/// One page of the unknown machines of a tenant (0: of all tenants), by id. Starts after the id
/// `after`, 0 for the first page; at most `limit`. Each carries its account without tenant name and
/// error, which are not for everybody who sees the machine, and its kind without a cost.
std::vector<model::UnknownMachine> list_unknown_machines(Connection& connection,
                                                         model::TenantId tenant, std::int64_t after,
                                                         int limit);

/// As list_unknown_machines, by account and id, without the first `offset`.
std::vector<model::UnknownMachine> list_unknown_machines_by_account(Connection& connection,
                                                                    model::TenantId tenant,
                                                                    int offset, int limit);

/// How many unknown machines of a tenant (0: of all tenants) each account has; none of those
/// without.
std::map<model::ProviderAccountId, std::int64_t> count_unknown_machines_by_account(
    Connection& connection, model::TenantId tenant);

/// The number of unknown machines of a tenant; 0 counts those of all tenants.
std::int64_t count_unknown_machines(Connection& connection, model::TenantId tenant);

}  // namespace provisioner::store
