#pragma once

#include <string>
#include <vector>

#include "provisioner/model/catalogue/hardware_type.hpp"
#include "provisioner/model/catalogue/image_type.hpp"
#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/model/clusters/node.hpp"

namespace tests {

/// A valid service of that name. Every action is done by automator "shell" without fields; there
/// are no dependencies. Unit tests of the planner, the solver and the model start from these values
/// and change the members they are about.
provisioner::model::Service a_service(const std::string& name,
                                      const std::vector<provisioner::model::Action>& actions = {});

/// A hardware type that provider "cloud" offers, with its own name as flavor.
provisioner::model::HardwareType a_hardware_type(const std::string& name);
/// An image type that provider "cloud" offers, with its own name as image.
provisioner::model::ImageType an_image_type(const std::string& name);

}  // namespace tests
