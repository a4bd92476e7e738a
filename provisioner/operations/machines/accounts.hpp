#pragma once

#include "provisioner/model/machines/account.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// The provider accounts in which machines of tenants may be, with their secrets opened. Never show
/// or log them.
struct OpenedAccounts {
    /// In the order open_accounts states. `installation` is empty.
    std::vector<model::Account> accounts;
    /// For each account whose secrets cannot be opened: its owner and the reason, without secrets.
    std::vector<std::string> problems;
};

/// Opens the newest version of each provider of all tenants. Then those of clusters that are not
/// terminated or were terminated recently (store::clusters_by_provider), newest first, with the
/// fields given for these clusters alone.
///
/// Several accounts may be the same place: the caller compares them. Only reads. The daemon calls
/// it about once a minute to look for machines without a node.
OpenedAccounts open_accounts(store::Connection& connection);

}  // namespace provisioner::operations
