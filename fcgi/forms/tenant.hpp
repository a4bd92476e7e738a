#pragma once

#include "provisioner/base/problem.hpp"
#include "provisioner/operations/access/groups.hpp"
#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/operations/tenants/users.hpp"

namespace fcgi::forms {

/// Reads {"tenant":{"name", "description", "workers", "maxClusters", "maxNodes"}, "bootstrap"};
/// only the tenant's name is required. Counts are >= 0. Defaults: no workers, no maximum of
/// clusters and nodes, no bootstrap. A Problem about a missing `tenant` or a negative count has the
/// wire contract's text. Outside the wire contract: `budget` ({"currency", "perHour", "perMonth"},
/// decimal numbers, one limit at least); null: none; absent: as it is. Likewise `providerTypes` (an
/// array of names); null: all. Used by POST and PUT; PUT ignores `bootstrap`.
provisioner::base::Checked<provisioner::operations::TenantSpec> tenant(
    const provisioner::base::Json& json);

/// The same with what can be read of it; what is wrong is added to the problems.
provisioner::operations::TenantSpec tenant_in(const provisioner::base::Json& json,
                                              provisioner::base::Problems& problems);

/// Reads {"name", "role", "password"}. The role defaults to "user". A password has at least eight
/// bytes; without one the user cannot log in and has API keys only. The operation refuses
/// superadmins outside the superadmin tenant. The Secret keeps the password out of logs.
provisioner::base::Checked<provisioner::operations::UserSpec> user(
    const provisioner::base::Json& json);

/// Reads {"description", "members": [names]} of the group of this name; both may be left out.
provisioner::base::Checked<provisioner::operations::GroupSpec> group(
    const std::string& name, const provisioner::base::Json& json);

/// Reads {"roles", "groups", "users"}, arrays of names, of an entry; each may be left out.
provisioner::base::Checked<provisioner::model::Permission> permission(
    const provisioner::model::EntryName& entry, const provisioner::base::Json& json);

/// Reads {"role", "disabled"}. Both may be left out.
provisioner::base::Checked<provisioner::operations::AccessChange> access_change(
    const provisioner::base::Json& json);

}  // namespace fcgi::forms
