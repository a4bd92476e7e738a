#pragma once

#include "provisioner/model/account.hpp"
#include "provisioner/store/database.hpp"

namespace provisioner::operations {

/// What accounts could be opened, and why others could not.
struct OpenedAccounts {
    std::vector<model::Account> accounts;
    std::vector<std::string> problems;
};

/// The accounts machines of a tenant may be in: those of the newest version of each of its
/// providers, then those of its clusters that are there or were there lately, newest first, with
/// what was given for them alone. Several may lead to the same place. Only reads.
OpenedAccounts accounts_of_tenant(store::Connection& connection, model::TenantId tenant);

}  // namespace provisioner::operations
