#pragma once

#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"

namespace fcgi::pages {

/// What comes before the form of a new provider: the choice of its type.
/// views/catalogue/provider_types.
struct ProviderChoicePage {
    /// As daemons published them, by name. None: no daemon has reported yet.
    std::vector<provisioner::model::PluginType> types{};
};

/// A link for each type, in order of the labels. Each leads to the form of the type.
provisioner::base::Json to_json(const ProviderChoicePage& page);

}  // namespace fcgi::pages
