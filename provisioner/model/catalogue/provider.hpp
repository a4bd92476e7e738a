#pragma once

#include "provisioner/model/catalogue/entity.hpp"

namespace provisioner::model {

/// A tenant's configured account of a provider type.
struct Provider {
    EntityHeader header;
    /// Name of the plugin, such as "aws"; never empty. No daemon needs to have it yet.
    std::string provider_type;
    /// Values of the provider type's fields, by field name: an object without null members. Secret
    /// values are sealed before they are stored (operations/catalogue/provider_secrets.hpp).
    base::Json fields = base::Json::object();

    bool operator==(const Provider&) const = default;
};

/// Reads a provider in wire form; Problems name the member that is wrong. `version` in the input is
/// ignored.
base::Checked<Provider> provider_from_json(const base::Json& json);

/// The wire form, `version` included.
base::Json to_json(const Provider& provider);

}  // namespace provisioner::model
