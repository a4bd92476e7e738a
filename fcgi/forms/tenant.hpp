#pragma once

#include "provisioner/base/problem.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/operations/tenants/users.hpp"

namespace fcgi::forms {

/// {"tenant":{"name", "description", "workers", "maxClusters", "maxNodes"}, "bootstrap"}; only the
/// tenant's name is required.
provisioner::base::Checked<provisioner::operations::TenantSpec> tenant(
    const provisioner::base::Json& json);

/// {"name", "role", "password"}; the role is "user" when it is not given, a password has at least
/// eight characters.
provisioner::base::Checked<provisioner::operations::UserSpec> user(
    const provisioner::base::Json& json);

}  // namespace fcgi::forms
