#include "tests/support/builders.hpp"

namespace tests {

using namespace provisioner::model;

Service a_service(const std::string& name, const std::vector<Action>& actions) {
    Service service;
    service.header.name = name;
    for (const Action action : actions) service.actions[action] = {.type = "shell", .fields = {}};
    return service;
}

HardwareType a_hardware_type(const std::string& name) {
    HardwareType type;
    type.header.name = name;
    type.provider_map["cloud"]["flavor"] = name;
    type.has_provider_map = true;
    return type;
}

ImageType an_image_type(const std::string& name) {
    ImageType type;
    type.header.name = name;
    type.provider_map["cloud"]["image"] = name;
    type.has_provider_map = true;
    return type;
}

}  // namespace tests
