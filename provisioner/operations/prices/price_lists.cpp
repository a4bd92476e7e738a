#include "provisioner/operations/prices/price_lists.hpp"

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

/// 0 stands for all tenants.
model::TenantId list_of(const model::Caller& caller, PriceListOwner owner) {
    return owner == PriceListOwner::tenant ? caller.tenant.id : model::TenantId{};
}

}  // namespace

std::vector<model::Price> read_price_list(store::Database& database, const model::Caller& caller,
                                          PriceListOwner owner) {
    return database.read([&](store::Connection& connection) {
        return store::list_prices(connection, list_of(caller, owner));
    });
}

Result<store::PriceChanges> replace_price_list(store::Database& database,
                                               const model::Caller& caller, PriceListOwner owner,
                                               const std::vector<model::Price>& prices,
                                               base::Timestamp now,
                                               const std::optional<model::Tenant>& of) {
    const model::Tenant& tenant = of ? *of : caller.tenant;
    const bool is_own = owner == PriceListOwner::tenant && tenant.id == caller.tenant.id;
    if (!(is_own ? caller.is_admin() : caller.is_superadmin())) {
        return refuse(Refusal::Kind::forbidden, "", "This price list is not yours to change.");
    }
    const bool is_common = owner == PriceListOwner::everybody;
    const model::TenantId list = is_common ? model::TenantId{} : tenant.id;
    return database.write([&](store::Connection& connection) -> Result<store::PriceChanges> {
        if (is_common) store::lock_tenants(connection);
        store::lock_tenant(connection, tenant.id);
        const auto before = store::list_prices(connection, list).size();
        const auto changes = store::replace_prices(connection, list, prices, now);
        audit(connection, caller,
              {.action = "price-list.replace",
               .object = {.kind = audited_price_list,
                          .name = is_common ? std::string(audited_common_prices) : tenant.name},
               .before = {{"prices", before}},
               .after = {{"prices", prices.size()},
                         {"added", changes.added},
                         {"changed", changes.changed},
                         {"removed", changes.removed},
                         {"unchanged", changes.unchanged}},
               .chain = list});
        return changes;
    });
}

}  // namespace provisioner::operations
