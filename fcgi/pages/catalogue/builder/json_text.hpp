#pragma once

#include <cstddef>
#include <string>

#include "fcgi/http/json_body.hpp"
#include "provisioner/base/expected.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// JSON that a person typed, or what is wrong with it and where: "Line 3, column 7: ...". Limits
/// are those of bodies of the API (http::read_json): depth and number of values.
provisioner::base::expected<provisioner::base::Json, std::string> read_typed_json(
    const std::string& text, std::size_t most_values = http::json_value_limit);

/// JSON for people to read and change: indented by two.
std::string typed_json(const provisioner::base::Json& json);

}  // namespace fcgi::pages
