#pragma once

#include <cstdint>
#include <string_view>

#include "provisioner/base/problem.hpp"

namespace fcgi::forms {

/// Reads the body of POST /v2/clusters/{id}: {"expireTime": milliseconds since 1970}, also as a
/// string. The value may be negative; the operation checks its range. It takes the body as text:
/// the wire contract has own texts for an empty body and for a body that is no JSON. The one
/// Problem is one of
/// * "expire time not specified", also for an empty body;
/// * "Invalid JSON";
/// * "For input string: ..." for a value that is not a whole number.
provisioner::base::Checked<std::int64_t> expire_time(std::string_view body);

}  // namespace fcgi::forms
