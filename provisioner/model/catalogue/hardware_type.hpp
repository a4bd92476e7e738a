#pragma once

#include <map>

#include "provisioner/model/catalogue/entity.hpp"

namespace provisioner::model {

/// A provider's word for a size or system, and other settings it may carry: key -> value.
using ProviderSettings = std::map<std::string, std::string>;

/// A size of machine as the tenant names it. Usable with a provider when `provider_map` has it with
/// the key "flavor".
struct HardwareType {
    EntityHeader header;
    /// By name of the provider.
    std::map<std::string, ProviderSettings> provider_map;
    /// Whether the input had a provider map at all; an absent one stays absent in the output.
    bool has_provider_map = false;

    bool operator==(const HardwareType&) const = default;
};

/// Reads a hardware type in wire form; Problems name the member that is wrong. `version` in the
/// input is ignored.
base::Checked<HardwareType> hardware_type_from_json(const base::Json& json);

/// The wire form, `version` included.
base::Json to_json(const HardwareType& type);

/// The setting `key` for `provider`; nothing when the map lacks either.
std::optional<std::string> setting(const std::map<std::string, ProviderSettings>& provider_map,
                                   const std::string& provider, const std::string& key);

}  // namespace provisioner::model
