#pragma once

#include <string>
#include <vector>

#include "provisioner/model/machines/unknown_machine.hpp"
#include "provisioner/providers/registry.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// An account that may contain machines of this installation, and the ways to log in to it. Several
/// providers and clusters may lead to one account; it is swept once.
struct SweptAccount {
    /// `id` and `failures` are set by take_due().
    model::ProviderAccount account;
    /// Owned by the registry, which must outlive this; never null.
    providers::Provider* provider = nullptr;
    /// One to five logins, different in their fields: that of the catalogue first, then those of
    /// the newest clusters. After a change of password only one of them may still be valid.
    std::vector<model::Account> openings;
};

/// All accounts that may contain machines of this installation, each once, ordered by tenant, type
/// and name. Leaves out types this daemon has no provider for, and providers whose required fields
/// are empty. Reads the database and opens secrets; sends nothing to providers. Accounts that
/// cannot be opened are added to `problems` as sentences without secrets. Throws what the database
/// throws.
std::vector<SweptAccount> find_accounts(store::Database& database,
                                        const providers::Registry& providers,
                                        const std::string& installation,
                                        std::vector<std::string>& problems);

/// Writes new accounts to the database (store/machines/account_store.hpp) and returns those that
/// are due and that this call has taken. An account taken by another daemon is not due for
/// timing::account_hold, so of two daemons one gets it. Forgets accounts that nothing has led to
/// for timing::accounts_kept. One transaction per account that is due.
std::vector<SweptAccount> take_due(store::Database& database, std::vector<SweptAccount> found);

}  // namespace provisioner::daemon
