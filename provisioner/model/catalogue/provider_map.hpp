#pragma once

#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/catalogue/hardware_type.hpp"

namespace provisioner::model {

/// The member `providermap` of a hardware or image type: provider -> settings; empty when absent.
/// Values may be numbers or booleans in JSON and become texts. Members that are null are left out.
std::map<std::string, ProviderSettings> read_provider_map(ObjectReader& reader);

/// The member `providermap` of the wire form: an object of objects of texts.
base::Json provider_map_json(const std::map<std::string, ProviderSettings>& provider_map);

}  // namespace provisioner::model
