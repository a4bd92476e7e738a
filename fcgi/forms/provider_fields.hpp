#pragma once

#include <optional>
#include <string_view>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"

namespace fcgi::forms {

/// The member `key` if it is an object; nothing if it is absent or null. Anything else notes a
/// Problem in the reader.
std::optional<provisioner::base::Json> object_in(provisioner::model::ObjectReader& reader,
                                                 std::string_view key);

/// Reads the optional body {"providerFields":{...}} of calls that start, stop or restart services.
/// The result is an object, empty if none were given. Null stands for no body. Names and values are
/// checked by the operation: it keeps the fields a user may set and drops the others.
provisioner::base::Checked<provisioner::base::Json> provider_fields(
    const provisioner::base::Json& json);

}  // namespace fcgi::forms
