#pragma once

#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// The only place that knows how the groups of a tenant are kept.

/// What is wrong with the groups of a rule for a tenant; empty if a user can be put in all of them.
std::string problem_with_groups(store::Connection& connection, model::TenantId tenant,
                                const std::vector<std::string>& groups);

/// Makes `groups` the groups of a user, as the rule of the user's identity provider says. Called at
/// each sign-in and each check by the daemon, in their transaction.
void set_groups_of(store::Connection& connection, const model::User& user,
                   const std::vector<std::string>& groups);

}  // namespace provisioner::operations
