#pragma once

#include "provisioner/base/problem.hpp"
#include "provisioner/operations/tenants/api_keys.hpp"

namespace fcgi::forms {

/// {"name", "scope": "all" or "read", "expireTime": milliseconds since 1970}; only the name is
/// required. Without a scope it is "all", without a time (or with 0) it is for ever.
provisioner::base::Checked<provisioner::operations::KeySpec> api_key(
    const provisioner::base::Json& json);

}  // namespace fcgi::forms
