#include "provisioner/operations/identity_providers/groups.hpp"

#include <algorithm>

#include "provisioner/operations/access/groups.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

std::string problem_with_groups(store::Connection& connection, model::TenantId tenant,
                                const std::vector<std::string>& groups) {
    for (const std::string& name : groups) {
        if (!store::find_group(connection, tenant, name)) {
            return "The tenant has no group " + name + ".";
        }
    }
    return "";
}

void set_groups_of(store::Connection& connection, const model::IdentityProvider& provider,
                   const model::User& user, const std::vector<std::string>& groups) {
    const auto tenants = store::list_tenants(connection);
    const auto home = std::ranges::find(tenants, user.tenant, &model::Tenant::id);
    const bool manages_groups =
        home != tenants.end() &&
        std::ranges::any_of(provider.rules, [&](const model::MembershipRule& rule) {
            return rule.tenant == home->uid && !rule.groups.empty();
        });
    if (!manages_groups) return;
    model::Caller caller;
    caller.user = user;
    caller.tenant.id = user.tenant;
    set_memberships(connection, caller, user, groups);
}

}  // namespace provisioner::operations
