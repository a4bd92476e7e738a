#pragma once

#include <set>
#include <string>
#include <vector>

#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/machines/price.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Price lists. Each tenant may have one of its own; the tenant 0 stands for the list for all
// tenants. A price is never changed: it ends, and another one begins. So what was metered stays.

/// Whether any price is valid that machines of the tenant could have: its own or one for all.
bool has_prices(Connection& connection, model::TenantId tenant);

/// The valid prices of a list, by provider type, flavor, provider, region and image.
std::vector<model::Price> list_prices(Connection& connection, model::TenantId tenant);

/// All prices that machines of these kinds could have in the tenant's clusters at `from` or later,
/// past ones included.
model::Prices prices_for(Connection& connection, model::TenantId tenant,
                         const std::set<model::MachineKind>& kinds, base::Timestamp from);

/// The same for the kinds of these machines, as they are valid at `at`.
model::Prices prices_for(Connection& connection, model::TenantId tenant,
                         const model::MachineCounts& machines, base::Timestamp at);

/// What a new list changed.
struct PriceChanges {
    int added = 0;
    /// Other amounts for the same machines.
    int changed = 0;
    int removed = 0;
    int unchanged = 0;
};

/// Makes `prices` the list of the tenant from `now` on; their owner and times are ignored. Prices
/// that stay as they are keep their beginning. Lock the tenant first, for 0 all tenants.
PriceChanges replace_prices(Connection& connection, model::TenantId tenant,
                            const std::vector<model::Price>& prices, base::Timestamp now);

/// Deletes up to `limit` prices that ended before `moment`, unless machines are there that had
/// them; returns their number.
int delete_prices(Connection& connection, base::Timestamp moment, int limit);

}  // namespace provisioner::store
