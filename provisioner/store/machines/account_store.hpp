#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/machines/unknown_machine.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Provider accounts: the places where machines of this installation can be. The daemon lists the
// machines of each account in turns and compares them with the nodes (daemon/machines). The rows
// share this work between daemons: one daemon takes an account, looks at it and stores when it is
// due again. All due times follow the database's clock.

/// The id of this installation: 32 hexadecimal digits, drawn at the first call and never changed.
/// It marks our machines in accounts that others use, too. Writes a row at the first call.
std::string installation_id(Connection& connection);

/// The different providers of clusters of all tenants. Considers clusters that are not terminated,
/// and terminated ones whose latest job is among the newest thousand jobs. Clusters of a tenant
/// with equal provider and secrets count once, by the newest one.
///
/// Newest first, at most 10,000. Sets id, tenant, the snapshot's provider and `secrets`, nothing
/// else. Leaves out a cluster whose provider cannot be read.
std::vector<model::Cluster> clusters_by_provider(Connection& connection);

/// An account, and which work on it is due.
struct AccountRow {
    model::ProviderAccount account;
    /// Whether it is time to list its machines.
    bool is_due = false;
    /// Whether note_account must confirm it again: the last confirmation is more than an hour old.
    bool is_fading = false;
};

/// All accounts of all tenants, by id.
std::vector<AccountRow> list_accounts(Connection& connection);

/// Whether any account is due. One statement, so Database::look is enough.
[[nodiscard]] bool is_account_due(Connection& connection);

/// The accounts of a tenant, by tenant, type and name. `tenant` 0 means all, including those of the
/// installation itself. For pages.
std::vector<model::ProviderAccount> accounts_of(Connection& connection, model::TenantId tenant);

/// Confirms that a provider or cluster leads to this account, and returns its id. Tenant, provider
/// type and name identify it. A new account is due at once; a known one keeps its due time.
/// Unconfirmed accounts are forgotten (forget_accounts).
model::ProviderAccountId note_account(Connection& connection,
                                      const model::ProviderAccount& account);

/// Takes a due account for this daemon and makes it due again after `hold`. False when it is not
/// due or another daemon has taken it. A daemon that dies during its look loses the account after
/// `hold`.
[[nodiscard]] bool take_account(Connection& connection, model::ProviderAccountId account,
                                std::chrono::seconds hold);

/// Records that its machines were listed; it is due again after `pause`. Clears failures and error.
/// Call it in the transaction that stores the list (save_unknown_machines).
void settle_look(Connection& connection, model::ProviderAccountId account,
                 std::chrono::seconds pause);

/// Records that its machines could not be listed, for the `failures`th time in a row; due again
/// after `pause`. `error` is shown to administrators and cut to its column.
void settle_failed_look(Connection& connection, model::ProviderAccountId account, int failures,
                        const std::string& error, std::chrono::seconds pause);

/// Deletes accounts that were not confirmed for `age`, with their unknown machines.
void forget_accounts(Connection& connection, std::chrono::seconds age);

}  // namespace provisioner::store
