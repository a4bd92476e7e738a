#include "provisioner/daemon/machines/swept_accounts.hpp"

#include <map>
#include <tuple>

#include "provisioner/base/utf8.hpp"
#include "provisioner/daemon/redaction/redact.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/operations/machines/accounts.hpp"
#include "provisioner/store/machines/account_store.hpp"
#include "provisioner/store/machines/call_rate_store.hpp"

namespace provisioner::daemon {

namespace {

constexpr std::size_t longest_name = 255;
/// Most logins tried for one account.
constexpr std::size_t most_openings = 5;

/// Tenant, type of the provider, name of the account.
using Key = std::tuple<model::TenantId, std::string, std::string>;
using ByKey = std::map<Key, SweptAccount>;

Key key_of(const model::ProviderAccount& account) {
    return {account.tenant, account.provider_type, account.name};
}

void add(ByKey& all, providers::Provider& provider, model::Account opening) {
    model::ProviderAccount account;
    account.tenant = opening.tenant;
    account.provider_type = opening.provider_type;
    account.provider = opening.provider;
    const std::string name = base::to_utf8(provider.account_name(opening));
    account.name = base::utf8_prefix(name, longest_name);
    auto& swept =
        all.try_emplace(key_of(account), SweptAccount{account, &provider, {}}).first->second;
    const bool is_there =
        std::any_of(swept.openings.begin(), swept.openings.end(),
                    [&](const auto& other) { return other.fields == opening.fields; });
    const bool has_room = swept.openings.size() < most_openings;
    if (!is_there && has_room) swept.openings.push_back(std::move(opening));
}

void add_shared(ByKey& all, const providers::Registry& providers, const std::string& installation) {
    for (const auto& [type, provider] : providers.all()) {
        if (!provider->is_shared()) continue;
        model::Account opening;
        opening.provider_type = type;
        opening.installation = installation;
        add(all, *provider, std::move(opening));
    }
}

/// A provider whose fields make no sense becomes a problem and does not affect the others.
void add_of_tenants(ByKey& all, const providers::Registry& providers,
                    std::vector<model::Account> openings, const std::string& installation,
                    std::vector<std::string>& problems) {
    for (model::Account& opening : openings) {
        providers::Provider* provider = providers.find(opening.provider_type);
        if (provider == nullptr || provider->is_shared()) continue;
        if (!model::is_filled(provider->type().admin, opening.fields)) continue;
        opening.installation = installation;
        try {
            add(all, *provider, opening);
        } catch (const std::exception& error) {
            problems.push_back("provider " + opening.provider + ": " +
                               redacted(error.what(), opening.secrets));
        }
    }
}

}  // namespace

std::vector<SweptAccount> find_accounts(store::Database& database,
                                        const providers::Registry& providers,
                                        const std::string& installation,
                                        std::vector<std::string>& problems) {
    ByKey all;
    add_shared(all, providers, installation);
    auto opened = database.read(operations::open_accounts);
    problems.insert(problems.end(), opened.problems.begin(), opened.problems.end());
    add_of_tenants(all, providers, std::move(opened.accounts), installation, problems);
    std::vector<SweptAccount> found;
    for (auto& [key, swept] : all) found.push_back(std::move(swept));
    return found;
}

// Before: no account is taken by this call. After: each returned account is taken for
// timing::account_hold. The list is read without locks; take_account() decides by a conditional
// UPDATE, so of two daemons that see the same due account one gets it. One transaction per account,
// so that a slow or failing one keeps no lock on the others.
std::vector<SweptAccount> take_due(store::Database& database, std::vector<SweptAccount> found) {
    std::map<Key, store::AccountRow> rows;
    for (auto& row : database.read(
             [](store::Connection& connection) { return store::list_accounts(connection); })) {
        const Key key = key_of(row.account);
        rows[key] = std::move(row);
    }
    std::vector<SweptAccount> due;
    for (SweptAccount& swept : found) {
        const auto row = rows.find(key_of(swept.account));
        const bool is_new = row == rows.end();
        if (!is_new && !row->second.is_due) continue;
        if (!is_new) {
            swept.account.id = row->second.account.id;
            swept.account.failures = row->second.account.failures;
        }
        const bool is_ours = database.write([&](store::Connection& connection) {
            if (is_new || row->second.is_fading) {
                swept.account.id = store::note_account(connection, swept.account);
            }
            return store::take_account(connection, swept.account.id, timing::account_hold);
        });
        if (is_ours) due.push_back(std::move(swept));
    }
    database.write([](store::Connection& connection) {
        store::forget_call_rates(connection);
        store::forget_accounts(connection, timing::accounts_kept);
    });
    return due;
}

}  // namespace provisioner::daemon
