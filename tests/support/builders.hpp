#pragma once

#include <string>
#include <vector>

#include "provisioner/model/catalogue/hardware_type.hpp"
#include "provisioner/model/catalogue/image_type.hpp"
#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/model/clusters/node.hpp"

namespace tests {

/// A service of that name with the given actions, each done by "shell", and no dependencies.
provisioner::model::Service a_service(const std::string& name,
                                      const std::vector<provisioner::model::Action>& actions = {});

/// A hardware or image type that provider "cloud" offers under its own name.
provisioner::model::HardwareType a_hardware_type(const std::string& name);
provisioner::model::ImageType an_image_type(const std::string& name);

}  // namespace tests
