#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/audit/event.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// The only place that knows how the groups of a tenant are kept.

/// What is wrong with the groups of a rule for a tenant; empty if a user can be put in all of them.
std::string problem_with_groups(store::Connection& connection, model::TenantId tenant,
                                const std::vector<std::string>& groups);

/// Who the audit log says it was when a provider's answer changes something: the provider, and from
/// where the person asked it.
model::audit::Actor actor_of(const model::IdentityProvider& provider,
                             const std::string& client = {});

/// Makes `groups` the groups of a user, as the rule of the user's identity provider says. Nothing
/// happens if no rule of the provider names a group: then administrators decide. A group that was
/// deleted meanwhile is left out. Called at every sign-in, in its transaction.
void set_groups_of(store::Connection& connection, const model::IdentityProvider& provider,
                   const model::User& user, const std::vector<std::string>& groups,
                   const std::string& client = {});

/// Takes the users of a provider out of the groups that its rules put them in, in tenants where no
/// rule of `after` names a group any more: nobody else would. Without `after` the provider is gone.
void leave_groups(store::Connection& connection, const model::IdentityProvider& before,
                  const std::optional<model::IdentityProvider>& after);

}  // namespace provisioner::operations
