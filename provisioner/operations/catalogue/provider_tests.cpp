#include "provisioner/operations/catalogue/provider_tests.hpp"

#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/operations/catalogue/stored_entries.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/machines/provider_test_store.hpp"

namespace provisioner::operations {

Result<model::ProviderTest> ask_provider_test(store::Database& database,
                                              const model::Caller& caller,
                                              const std::string& provider) {
    return database.write([&](store::Connection& connection) -> Result<model::ProviderTest> {
        const auto kind = model::CatalogueKind::provider;
        if (!store::find_entry(connection, caller.tenant.id, kind, provider)) {
            return refuse(Refusal::Kind::not_found, "provider",
                          "provider " + provider + " not found.");
        }
        store::ask_provider_test(connection, caller.tenant.id, provider, caller.user.name);
        const auto asked = store::find_provider_test(connection, caller.tenant.id, provider);
        audit(connection, caller,
              {.action = "provider.test", .object = {.kind = "provider", .name = provider}});
        return *asked;
    });
}

std::optional<model::Account> account_to_test(store::Connection& connection,
                                              const model::ProviderTest& test) {
    const auto provider = stored_entry(connection, test.tenant, model::CatalogueKind::provider,
                                       test.provider, model::provider_from_json);
    if (!provider) return std::nullopt;
    return opened_account(connection, test.tenant, *provider);
}

}  // namespace provisioner::operations
