#include "provisioner/operations/machines/accounts.hpp"

#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/machines/account_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

/// An account that cannot be opened must not hide the others.
template <class Open>
void add(OpenedAccounts& all, const std::string& what, Open&& open) {
    try {
        all.accounts.push_back(open());
    } catch (const identity::VaultError& error) {
        all.problems.push_back(what + ": " + error.what());
    }
}

}  // namespace

OpenedAccounts open_accounts(store::Connection& connection) {
    OpenedAccounts all;
    for (const model::Tenant& tenant : store::list_tenants(connection)) {
        for (const base::Json& entry :
             store::list_entries(connection, tenant.id, model::CatalogueKind::provider)) {
            const auto provider = model::provider_from_json(entry);
            if (!provider) continue;
            add(all, "provider " + provider->header.name + " of tenant " + tenant.name,
                [&] { return opened_account(connection, tenant.id, *provider); });
        }
    }
    for (const model::Cluster& cluster : store::clusters_by_provider(connection)) {
        add(all, "provider of cluster " + model::wire_id(cluster.id),
            [&] { return opened_account(connection, cluster); });
    }
    return all;
}

}  // namespace provisioner::operations
