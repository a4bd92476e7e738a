#pragma once

#include <cstdint>
#include <string_view>

#include "provisioner/base/problem.hpp"

namespace fcgi::forms {

/// Reads the body of POST /v2/clusters/{id}, {"expireTime": milliseconds since 1970}. The Problem
/// is the wire contract's own text: "expire time not specified" (an empty body too), "Invalid
/// JSON", or "For input string: ..." for what is no whole number.
provisioner::base::Checked<std::int64_t> expire_time(std::string_view body);

}  // namespace fcgi::forms
