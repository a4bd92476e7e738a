#include "provisioner/operations/prices/unpriced.hpp"

#include <algorithm>
#include <set>

#include "provisioner/model/catalogue/hardware_type.hpp"
#include "provisioner/model/catalogue/image_type.hpp"
#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/store/machines/price_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace provisioner::operations {

namespace {

/// The images of a provider; an empty one if it has none.
std::set<std::string> images_at(const CatalogueEntries& entries, const std::string& provider) {
    std::set<std::string> images;
    for (const base::Json& entry : entries_of(entries, model::CatalogueKind::image_type)) {
        const auto type = model::image_type_from_json(entry);
        if (!type) continue;
        if (auto image = model::setting(type->provider_map, provider, "image")) {
            images.insert(*std::move(image));
        }
    }
    if (images.empty()) images.insert("");
    return images;
}

std::string region_at(const model::Provider& provider,
                      const std::vector<model::PluginType>& types) {
    const auto type = std::ranges::find(types, provider.provider_type,
                                        [](const auto& one) { return one.header.name; });
    return type == types.end() ? "" : model::region_of(*type, provider.fields);
}

}  // namespace

KindsOfTypes kinds_of_types(const CatalogueEntries& entries,
                            const std::vector<model::PluginType>& types) {
    KindsOfTypes kinds;
    for (const base::Json& entry : entries_of(entries, model::CatalogueKind::provider)) {
        const auto provider = model::provider_from_json(entry);
        if (!provider) continue;
        const std::string& name = provider->header.name;
        const auto images = images_at(entries, name);
        const auto region = region_at(*provider, types);
        for (const base::Json& one : entries_of(entries, model::CatalogueKind::hardware_type)) {
            const auto type = model::hardware_type_from_json(one);
            const auto flavor =
                type ? model::setting(type->provider_map, name, "flavor") : std::nullopt;
            if (!flavor) continue;
            auto& machines = kinds.emplace_back(TypeAtProvider{type->header.name, name},
                                                std::vector<model::MachineKind>{});
            for (const std::string& image : images) {
                machines.second.push_back({.provider_type = provider->provider_type,
                                           .provider = name,
                                           .region = region,
                                           .flavor = *flavor,
                                           .image = image});
            }
        }
    }
    return kinds;
}

std::vector<TypeAtProvider> types_without_price(const KindsOfTypes& kinds,
                                                const model::Prices& prices,
                                                const std::string& currency, base::Timestamp now) {
    std::vector<TypeAtProvider> without;
    for (const auto& [type, machines] : kinds) {
        const bool has_one = std::ranges::any_of(machines, [&](const model::MachineKind& kind) {
            const model::Price* const price = prices.find(kind, now);
            return price != nullptr && price->per_hour.currency == currency;
        });
        if (!has_one) without.push_back(type);
    }
    return without;
}

std::vector<TypeAtProvider> unpriced_types(store::Connection& connection,
                                           const model::Tenant& tenant, base::Timestamp now) {
    const auto budget = present_budget(connection, tenant);
    if (!budget) return {};
    const auto kinds =
        kinds_of_types(read_catalogue(connection, tenant.id),
                       store::list_plugin_types(connection, model::PluginKind::provider));
    std::set<model::MachineKind> all;
    for (const auto& [type, machines] : kinds) all.insert(machines.begin(), machines.end());
    const auto prices = store::prices_for(connection, tenant.id, all, now);
    return types_without_price(kinds, prices, budget->currency, now);
}

}  // namespace provisioner::operations
