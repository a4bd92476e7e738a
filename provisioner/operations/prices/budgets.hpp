#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// The tenant's budget as it is stored now: the caller was authenticated earlier. Nothing for a
/// tenant without one, and for a deleted tenant.
std::optional<model::Budget> present_budget(store::Connection& connection,
                                            const model::Tenant& tenant);

/// Machines that somebody asks for.
struct MoreMachines {
    model::MachineCounts machines{};
    /// End of the lease of their cluster; nothing: never.
    std::optional<base::Timestamp> until{};
    /// The member of the request that asks for them.
    std::string field = "numMachines";
};

/// Whether the tenant's budget allows more machines. Refused with conflict and all the numbers. In
/// the answer are warnings, none for a tenant without a budget. Reads the present budget, because
/// the caller was authenticated earlier. The result holds until the transaction ends only if the
/// tenant is locked.
Result<std::vector<std::string>> check_budget(store::Connection& connection,
                                              const model::Tenant& tenant, const MoreMachines& more,
                                              base::Timestamp now);

/// Whether the budget allows a cluster's machines, which are `machines`, to stay until `until`
/// instead of `before`: only the month counts. Otherwise as check_budget.
Result<void> check_budget_of_lease(store::Connection& connection, const model::Tenant& tenant,
                                   const model::MachineCounts& machines,
                                   std::optional<base::Timestamp> before,
                                   std::optional<base::Timestamp> until, base::Timestamp now);

/// A tenant's budget and its use.
struct BudgetState {
    model::Budget budget{};
    model::BudgetUse use{};
    std::vector<std::string> warnings{};
};

/// Nothing for a tenant without a budget.
std::optional<BudgetState> budget_state(store::Connection& connection, const model::Tenant& tenant,
                                        base::Timestamp now);

/// The currency of the tenant's budget, if no price that counts for its machines is in that
/// currency: it cannot create clusters then. Empty otherwise.
std::string unpriced_currency(store::Connection& connection, const model::Tenant& tenant);

}  // namespace provisioner::operations
