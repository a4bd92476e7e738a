#include "provisioner/operations/machines/unknown_machines.hpp"

#include <map>
#include <set>

#include "provisioner/store/machines/price_store.hpp"

namespace provisioner::operations {

void add_costs(store::Connection& connection, std::vector<model::UnknownMachine>& machines,
               base::Timestamp now) {
    std::map<model::TenantId, std::set<model::MachineKind>> kinds;
    for (const model::UnknownMachine& machine : machines) {
        if (machine.kind_tenant.value != 0) kinds[machine.kind_tenant].insert(machine.kind);
    }
    std::map<model::TenantId, model::Prices> prices;
    for (const auto& [tenant, of_tenant] : kinds) {
        if (!store::has_prices(connection, tenant)) continue;
        prices[tenant] = store::prices_for(connection, tenant, of_tenant, now);
    }
    for (model::UnknownMachine& machine : machines) {
        const auto found = prices.find(machine.kind_tenant);
        if (found == prices.end()) continue;
        machine.cost = model::hourly_cost({{machine.kind, 1}}, found->second, now);
    }
}

}  // namespace provisioner::operations
