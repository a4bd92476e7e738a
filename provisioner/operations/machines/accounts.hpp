#pragma once

#include "provisioner/model/machines/account.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// What accounts could be opened, and why others could not.
struct OpenedAccounts {
    std::vector<model::Account> accounts;
    std::vector<std::string> problems;
};

/// The accounts machines of tenants may be in: those of the newest version of each provider, then
/// those of clusters that are there or were there lately, newest first, with what was given for
/// them alone. Several may lead to the same place. Only reads.
OpenedAccounts open_accounts(store::Connection& connection);

}  // namespace provisioner::operations
