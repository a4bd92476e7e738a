#pragma once

#include <cstdint>
#include <optional>

#include "provisioner/base/json.hpp"

namespace fcgi::forms {

/// A whole number, which may be negative, written as a number or as a decimal string. Nothing for
/// any other value, fractions and numbers beyond 64 bits included. The wire contract accepts times
/// and leases in both forms; base::parse_number accepts no sign.
std::optional<std::int64_t> signed_number(const provisioner::base::Json& json);

}  // namespace fcgi::forms
