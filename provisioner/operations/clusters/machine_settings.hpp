#pragma once

#include <string>
#include <vector>

#include "provisioner/model/catalogue/hardware_type.hpp"
#include "provisioner/model/catalogue/image_type.hpp"

namespace provisioner::operations {

/// What a hardware type and an image type, found by their names, say about a provider: flavor,
/// image, sshuser, memory_mb, ... The hardware type's settings come first where both have one.
/// Empty for types that are not there or do not know the provider.
model::ProviderSettings machine_settings(const std::vector<model::HardwareType>& hardware,
                                         const std::vector<model::ImageType>& image,
                                         const std::string& hardware_type,
                                         const std::string& image_type,
                                         const std::string& provider);

}  // namespace provisioner::operations
