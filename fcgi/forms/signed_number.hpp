#pragma once

#include <cstdint>
#include <optional>

#include "provisioner/base/json.hpp"

namespace fcgi::forms {

/// A whole number written as a number or as a string, negative ones too; nothing for anything else.
std::optional<std::int64_t> signed_number(const provisioner::base::Json& json);

}  // namespace fcgi::forms
