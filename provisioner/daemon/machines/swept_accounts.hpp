#pragma once

#include <string>
#include <vector>

#include "provisioner/model/machines/unknown_machine.hpp"
#include "provisioner/providers/registry.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// A place where machines of ours may be, and the ways to log in to it.
struct SweptAccount {
    model::ProviderAccount account;
    providers::Provider* provider = nullptr;
    /// One to five: that of the catalogue first, then those of the newest clusters. Of two that
    /// differ only one may still be good.
    std::vector<model::Account> openings;
};

/// Where machines of this installation may be, each place once: of every tenant, and of the
/// installation itself. Without types this daemon lacks and providers whose required fields are not
/// filled in. What cannot be opened is added to `problems`.
std::vector<SweptAccount> find_accounts(store::Database& database,
                                        const providers::Registry& providers,
                                        const std::string& installation,
                                        std::vector<std::string>& problems);

/// Keeps the accounts in the database (store/machines/account_store.hpp) and takes those that are
/// due; the others, and what another daemon is at, are left out.
std::vector<SweptAccount> take_due(store::Database& database, std::vector<SweptAccount> found);

}  // namespace provisioner::daemon
