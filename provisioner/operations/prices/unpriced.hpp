#pragma once

#include <string>
#include <vector>

#include "provisioner/model/machines/price.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/operations/catalogue/references.hpp"

namespace provisioner::operations {

/// A hardware type that a provider has.
struct TypeAtProvider {
    std::string hardware_type{};
    std::string provider{};

    bool operator==(const TypeAtProvider&) const = default;
};

/// The machines that a hardware type makes at a provider: a kind for each image that it has.
using KindsOfTypes = std::vector<std::pair<TypeAtProvider, std::vector<model::MachineKind>>>;

/// By provider and hardware type. `types` are those of providers. Pure.
KindsOfTypes kinds_of_types(const CatalogueEntries& entries,
                            const std::vector<model::PluginType>& types);

/// Those of which no machine has a price in this currency. Pure.
std::vector<TypeAtProvider> types_without_price(const KindsOfTypes& kinds,
                                                const model::Prices& prices,
                                                const std::string& currency, base::Timestamp now);

/// The hardware types of a tenant with a budget that machines cannot have for lack of a price; none
/// for a tenant without one. Reads the catalogue.
std::vector<TypeAtProvider> unpriced_types(store::Connection& connection,
                                           const model::Tenant& tenant, base::Timestamp now);

}  // namespace provisioner::operations
