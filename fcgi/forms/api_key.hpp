#pragma once

#include <cstddef>

#include "provisioner/base/problem.hpp"
#include "provisioner/operations/tenants/api_keys.hpp"

namespace fcgi::forms {

/// Clusters that a key may be limited to.
constexpr std::size_t most_clusters_of_key = 100;

/// Reads the body of POST /v2/profile/apikeys. Only `name` is required, and
/// model::problem_with_name says what it may be.
/// * `scope`: "all" (the default), "read", or "some" with `rights` like "clusters:write".
/// * `clusters`: ids; only calls about these clusters are allowed.
/// * `expireTime`: milliseconds since 1970, as a number or a string; absent or 0 means never.
///
/// The operation checks that the name is new for this user and that the time lies in the future.
/// The handler answers the Problems with 422.
provisioner::base::Checked<provisioner::operations::KeySpec> api_key(
    const provisioner::base::Json& json);

}  // namespace fcgi::forms
