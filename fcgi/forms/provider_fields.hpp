#pragma once

#include <optional>
#include <string_view>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"

namespace fcgi::forms {

/// The object `key`; nothing when it is absent or null. Anything else is a Problem.
std::optional<provisioner::base::Json> object_in(provisioner::model::ObjectReader& reader,
                                                 std::string_view key);

/// Reads the optional body {"providerFields":{...}} of operations on a cluster: the fields, an
/// empty object when there are none. Null stands for no body.
provisioner::base::Checked<provisioner::base::Json> provider_fields(
    const provisioner::base::Json& json);

}  // namespace fcgi::forms
