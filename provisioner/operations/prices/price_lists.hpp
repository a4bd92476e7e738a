#pragma once

#include <optional>
#include <vector>

#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/machines/price_store.hpp"

namespace provisioner::operations {

/// What the audit log calls price lists, and the name of that for all tenants; that of a tenant has
/// the tenant's.
inline constexpr auto audited_price_list = "price-list";
inline constexpr auto audited_common_prices = "default";

/// Whose price list.
enum class PriceListOwner {
    /// The caller's tenant; its admins write it.
    tenant,
    /// All tenants, for machines without a price in their own list; superadmins write it.
    everybody,
};

/// The valid prices of a list.
std::vector<model::Price> read_price_list(store::Database& database, const model::Caller& caller,
                                          PriceListOwner owner);

/// Makes `prices` the list from `now` on; none: there is no list any more. What was metered before
/// keeps the prices of its time. With `of` the list of a tenant is that tenant's, for superadmins,
/// instead of the caller's. With `seen` it takes the place of that list only.
///
/// Refused with forbidden for callers who may not write it, and with conflict if the list is not
/// `seen` any more. Writers of lists and creations of clusters proceed one by one.
Result<store::PriceChanges> replace_price_list(
    store::Database& database, const model::Caller& caller, PriceListOwner owner,
    const std::vector<model::Price>& prices, base::Timestamp now,
    const std::optional<model::Tenant>& of = std::nullopt,
    const std::optional<std::vector<model::Price>>& seen = std::nullopt);

}  // namespace provisioner::operations
