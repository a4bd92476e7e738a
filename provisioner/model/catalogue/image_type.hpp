#pragma once

#include "provisioner/model/catalogue/hardware_type.hpp"

namespace provisioner::model {

/// A system as the tenant names it. Usable with a provider when `provider_map` has it with the key
/// "image"; "sshuser" is the login name there ("root" when absent).
struct ImageType {
    EntityHeader header;
    /// By name of the provider.
    std::map<std::string, ProviderSettings> provider_map;
    /// As in HardwareType.
    bool has_provider_map = false;

    bool operator==(const ImageType&) const = default;
};

/// Reads an image type in wire form; Problems name the member that is wrong. `version` in the input
/// is ignored.
base::Checked<ImageType> image_type_from_json(const base::Json& json);

/// The wire form, `version` included.
base::Json to_json(const ImageType& type);

}  // namespace provisioner::model
