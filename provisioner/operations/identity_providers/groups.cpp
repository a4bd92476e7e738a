#include "provisioner/operations/identity_providers/groups.hpp"

#include <algorithm>
#include <set>

#include "provisioner/operations/access/groups.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/sign_in/external_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

constexpr int users_per_step = 1000;

/// The groups that rules of a provider name for a tenant (uid).
std::set<std::string> groups_in_rules(const model::IdentityProvider& provider,
                                      const std::string& tenant) {
    std::set<std::string> groups;
    for (const model::MembershipRule& rule : provider.rules) {
        if (rule.tenant == tenant) groups.insert(rule.groups.begin(), rule.groups.end());
    }
    return groups;
}

}  // namespace

std::string problem_with_groups(store::Connection& connection, model::TenantId tenant,
                                const std::vector<std::string>& groups) {
    for (const std::string& name : groups) {
        if (!store::find_group(connection, tenant, name)) {
            return "The tenant has no group " + name + ".";
        }
    }
    return "";
}

model::audit::Actor actor_of(const model::IdentityProvider& provider, const std::string& client) {
    model::audit::Actor actor;
    actor.name = "identity provider " + provider.name;
    actor.client = client;
    return actor;
}

void set_groups_of(store::Connection& connection, const model::IdentityProvider& provider,
                   const model::User& user, const std::vector<std::string>& groups,
                   const std::string& client) {
    const auto tenants = store::list_tenants(connection);
    const auto home = std::ranges::find(tenants, user.tenant, &model::Tenant::id);
    if (home == tenants.end() || groups_in_rules(provider, home->uid).empty()) return;
    set_memberships(connection, actor_of(provider, client), user, groups);
}

void leave_groups(store::Connection& connection, const model::IdentityProvider& before,
                  const std::optional<model::IdentityProvider>& after) {
    for (const model::Tenant& tenant : store::list_tenants(connection)) {
        const auto left = groups_in_rules(before, tenant.uid);
        if (left.empty() || (after && !groups_in_rules(*after, tenant.uid).empty())) continue;
        store::lock_tenant(connection, tenant.id);
        model::UserId last{};
        for (;;) {
            const auto users =
                store::list_external_users(connection, before.id, last, users_per_step);
            if (users.empty()) break;
            last = users.back().user.id;
            for (const auto& one : users) {
                if (one.user.tenant != tenant.id) continue;
                auto groups = store::groups_of(connection, one.user.id);
                std::erase_if(groups, [&](const std::string& name) { return left.contains(name); });
                set_memberships(connection, actor_of(before), one.user, groups);
            }
        }
    }
}

}  // namespace provisioner::operations
