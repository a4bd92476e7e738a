#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/machines/unknown_machine.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// The id of this installation: drawn when it is first asked for, the same ever after.
std::string installation_id(Connection& connection);

/// The providers of clusters of all tenants that are there, or whose deletion is among the latest
/// thousand jobs: one cluster, the newest, of all that have the same. Newest first; id, tenant, the
/// snapshot's provider and `secrets` are set, nothing else.
std::vector<model::Cluster> clusters_by_provider(Connection& connection);

/// An account and whether it is time for something.
struct AccountRow {
    model::ProviderAccount account;
    /// To look at its machines.
    bool is_due = false;
    /// To say again that something leads there: accounts nothing leads to are forgotten.
    bool is_fading = false;
};

/// All accounts, by id.
std::vector<AccountRow> list_accounts(Connection& connection);

/// Whether it is time to look at the machines of any.
[[nodiscard]] bool is_account_due(Connection& connection);

/// Those whose tenant it is, by tenant, type and name; all for 0.
std::vector<model::ProviderAccount> accounts_of(Connection& connection, model::TenantId tenant);

/// Says that something leads there now; a new one is due. Returns its id.
model::ProviderAccountId note_account(Connection& connection,
                                      const model::ProviderAccount& account);

/// Takes the account to look at its machines: false when somebody else has, or it is not due. Who
/// has it and says nothing more loses it after `hold`.
[[nodiscard]] bool take_account(Connection& connection, model::ProviderAccountId account,
                                std::chrono::seconds hold);

/// Its machines were listed; it is due again after `pause`.
void settle_look(Connection& connection, model::ProviderAccountId account,
                 std::chrono::seconds pause);

/// They could not be listed, for the `failures`th time one after the other.
void settle_failed_look(Connection& connection, model::ProviderAccountId account, int failures,
                        const std::string& error, std::chrono::seconds pause);

/// Forgets accounts, with their unknown machines, that nothing has led to for so long.
void forget_accounts(Connection& connection, std::chrono::seconds age);

}  // namespace provisioner::store
