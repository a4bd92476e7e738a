#include "provisioner/operations/machines/unknown_machines.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "provisioner/store/machines/price_store.hpp"

namespace provisioner::operations {

namespace {

/// What has a price: so many of a kind, by the price lists of a tenant.
struct Priced {
    model::TenantId tenant{};
    model::MachineKind kind{};
    int count = 0;
};

// A part is priced by its account when its cluster is not known any more; without a region then.
std::optional<Priced> priced(const model::UnknownMachine& machine) {
    if (machine.part.empty()) {
        if (machine.kind_tenant.value == 0) return std::nullopt;
        return Priced{machine.kind_tenant, machine.kind, 1};
    }
    Priced part{.tenant = machine.kind_tenant};
    if (part.tenant.value == 0) part.tenant = machine.account.tenant;
    part.kind.provider_type = machine.account.provider_type;
    part.kind.provider = machine.account.provider;
    part.kind.region = machine.kind.region;
    if (machine.part == "disk") {
        part.kind.flavor = model::disk_gb_flavor;
        part.count = machine.size_gb;
    } else if (machine.part == "address") {
        part.kind.flavor = model::address_flavor;
        part.count = 1;
    }
    if (part.tenant.value == 0 || part.count <= 0) return std::nullopt;
    return part;
}

}  // namespace

void add_costs(store::Connection& connection, std::vector<model::UnknownMachine>& machines,
               base::Timestamp now) {
    std::map<model::TenantId, std::set<model::MachineKind>> kinds;
    for (const model::UnknownMachine& machine : machines) {
        if (const auto one = priced(machine)) kinds[one->tenant].insert(one->kind);
    }
    std::map<model::TenantId, model::Prices> prices;
    for (const auto& [tenant, of_tenant] : kinds) {
        if (!store::has_prices(connection, tenant)) continue;
        prices[tenant] = store::prices_for(connection, tenant, of_tenant, now);
    }
    for (model::UnknownMachine& machine : machines) {
        const auto one = priced(machine);
        if (!one) continue;
        const auto found = prices.find(one->tenant);
        if (found == prices.end()) continue;
        auto cost = model::hourly_cost({{one->kind, one->count}}, found->second, now);
        // Of a part nobody asks how many machines have no price.
        if (machine.part.empty() || cost.unpriced.empty()) machine.cost = std::move(cost);
    }
}

}  // namespace provisioner::operations
