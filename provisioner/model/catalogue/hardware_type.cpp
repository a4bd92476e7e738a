#include "provisioner/model/catalogue/hardware_type.hpp"

#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/catalogue/provider_map.hpp"

namespace provisioner::model {

base::Checked<HardwareType> hardware_type_from_json(const base::Json& json) {
    base::Problems problems;
    ObjectReader reader(&json, "", problems);
    HardwareType type{.header = read_header(reader),
                      .provider_map = read_provider_map(reader),
                      .has_provider_map = reader.has("providermap")};
    return unless_problems(std::move(type), std::move(problems));
}

base::Json to_json(const HardwareType& type) {
    base::Json json = header_json(type.header);
    if (type.has_provider_map) json["providermap"] = provider_map_json(type.provider_map);
    return json;
}

}  // namespace provisioner::model
