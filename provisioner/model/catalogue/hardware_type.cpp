#include "provisioner/model/catalogue/hardware_type.hpp"

#include "provisioner/model/catalogue/provider_map.hpp"

namespace provisioner::model {

base::Checked<HardwareType> hardware_type_from_json(const base::Json& json) {
    return mapped_type_from_json<HardwareType>(json);
}

base::Json to_json(const HardwareType& type) {
    return mapped_type_json(type);
}

}  // namespace provisioner::model
