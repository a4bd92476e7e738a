#pragma once

#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/catalogue/hardware_type.hpp"

namespace provisioner::model {

/// The member `providermap` of a hardware or image type: provider -> settings; empty when absent.
/// Values may be numbers or booleans in JSON and become texts. Members that are null are left out.
std::map<std::string, ProviderSettings> read_provider_map(ObjectReader& reader);

/// The member `providermap` of the wire form: an object of objects of texts.
base::Json provider_map_json(const std::map<std::string, ProviderSettings>& provider_map);

/// Reads a HardwareType or ImageType: header and provider map.
template <class Type>
base::Checked<Type> mapped_type_from_json(const base::Json& json) {
    base::Problems problems;
    ObjectReader reader(&json, "", problems);
    Type type{.header = read_header(reader),
              .provider_map = read_provider_map(reader),
              .has_provider_map = reader.has("providermap")};
    return unless_problems(std::move(type), std::move(problems));
}

/// The wire form of a HardwareType or ImageType.
template <class Type>
base::Json mapped_type_json(const Type& type) {
    base::Json json = header_json(type.header);
    if (type.has_provider_map) json["providermap"] = provider_map_json(type.provider_map);
    return json;
}

}  // namespace provisioner::model
