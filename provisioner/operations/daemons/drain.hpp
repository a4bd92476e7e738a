#pragma once

#include <string>

#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// What to do with which provisioner.
struct DrainSpec {
    std::string instance{};
    bool drains = true;
    /// Whether that may leave no provisioner that takes tasks.
    bool may_be_last = false;
};

/// Takes a provisioner out (`drains`) or lets it work again. One that drains claims nothing new and
/// finishes what it has begun; the flag outlives its restart. Does nothing where it is so already.
/// Recorded in the audit log of the installation. Refused with not_found when no provisioner of
/// that instance was heard of, and as a conflict when it is the last one that takes tasks and may
/// not be.
Result<void> drain_daemon(store::Database& database, const model::Caller& caller,
                          const DrainSpec& wanted, base::Timestamp now);

}  // namespace provisioner::operations
