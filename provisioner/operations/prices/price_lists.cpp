#include "provisioner/operations/prices/price_lists.hpp"

#include <map>

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

/// 0 stands for all tenants.
model::TenantId list_of(const model::Caller& caller, PriceListOwner owner) {
    return owner == PriceListOwner::tenant ? caller.tenant.id : model::TenantId{};
}

/// The prices that differ, by what they are for: at most this many are recorded.
constexpr int most_recorded = 20;

std::map<std::string, std::string> recorded_prices(const std::vector<model::Price>& prices) {
    std::map<std::string, std::string> texts;
    for (const model::Price& price : prices) {
        if (price.valid_until) continue;
        std::string kind = price.of.provider_type;
        for (const auto* part :
             {&price.of.provider, &price.of.region, &price.of.flavor, &price.of.image}) {
            if (!part->empty()) kind += ", " + *part;
        }
        texts[kind] = model::to_text(price.per_hour);
    }
    return texts;
}

/// Adds each price that changed to what is recorded before and after.
void add_changed_prices(const std::vector<model::Price>& old, const std::vector<model::Price>& next,
                        base::Json& before, base::Json& after) {
    const auto left = recorded_prices(old);
    const auto right = recorded_prices(next);
    int recorded = 0;
    const auto add = [&](const std::string& kind) {
        const auto was = left.find(kind);
        const auto is = right.find(kind);
        const bool has_both = was != left.end() && is != right.end();
        if ((has_both && was->second == is->second) || recorded == most_recorded) return;
        if (was != left.end()) before["perHour"][kind] = was->second;
        if (is != right.end()) after["perHour"][kind] = is->second;
        ++recorded;
    };
    for (const auto& [kind, text] : right) add(kind);
    for (const auto& [kind, text] : left) {
        if (!right.contains(kind)) add(kind);
    }
}

}  // namespace

std::vector<model::Price> read_price_list(store::Database& database, const model::Caller& caller,
                                          PriceListOwner owner) {
    return database.read([&](store::Connection& connection) {
        return store::list_prices(connection, list_of(caller, owner));
    });
}

Result<store::PriceChanges> replace_price_list(
    store::Database& database, const model::Caller& caller, PriceListOwner owner,
    const std::vector<model::Price>& prices, base::Timestamp now,
    const std::optional<model::Tenant>& of, const std::optional<std::vector<model::Price>>& seen) {
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
        const auto old = store::list_prices(connection, list);
        if (seen && *seen != old) {
            return refuse(Refusal::Kind::conflict, "", "The price list is another one meanwhile.");
        }
        const auto changes = store::replace_prices(connection, list, prices, now);
        base::Json before{{"prices", old.size()}};
        base::Json after{{"prices", prices.size()},
                         {"added", changes.added},
                         {"changed", changes.changed},
                         {"removed", changes.removed},
                         {"unchanged", changes.unchanged}};
        add_changed_prices(old, prices, before, after);
        audit(connection, caller,
              {.action = "price-list.replace",
               .object = {.kind = audited_price_list,
                          .name = is_common ? std::string(audited_common_prices) : tenant.name},
               .before = std::move(before),
               .after = std::move(after),
               .chain = list});
        return changes;
    });
}

}  // namespace provisioner::operations
