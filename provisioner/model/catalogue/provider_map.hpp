#pragma once

#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/catalogue/hardware_type.hpp"

namespace provisioner::model {

/// The `providermap` of a hardware or image type: provider -> settings; empty when absent.
std::map<std::string, ProviderSettings> read_provider_map(ObjectReader& reader);
base::Json provider_map_json(const std::map<std::string, ProviderSettings>& provider_map);

}  // namespace provisioner::model
