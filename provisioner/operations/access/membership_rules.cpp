#include "provisioner/operations/access/membership_rules.hpp"

#include <algorithm>
#include <functional>

#include "provisioner/store/sign_in/identity_provider_store.hpp"

namespace provisioner::operations {

namespace {

using model::MembershipRule;

/// Applies `change` to the rules of every provider, as they are now.
std::vector<Act> change_rules(store::Connection& connection,
                              const std::function<void(std::vector<MembershipRule>&)>& change) {
    std::vector<Act> acts;
    for (const auto& before : store::lock_identity_providers(connection)) {
        model::IdentityProvider after = before;
        change(after.rules);
        if (after.rules == before.rules) continue;
        store::save_rules(connection, after);
        acts.push_back({.action = "identity-provider.change",
                        .object = {.kind = "identity-provider",
                                   .id = std::to_string(after.id.value),
                                   .name = after.name},
                        .before = model::to_json(before),
                        .after = model::to_json(after),
                        .chain = model::TenantId{}});
    }
    return acts;
}

}  // namespace

std::vector<ProviderOfTenant> providers_with_rules_for(
    const std::vector<model::IdentityProvider>& providers, const std::string& tenant) {
    std::vector<ProviderOfTenant> found;
    for (const model::IdentityProvider& provider : providers) {
        const auto rules = std::ranges::count(provider.rules, tenant, &MembershipRule::tenant);
        if (rules == 0) continue;
        found.push_back({.name = provider.name,
                         .rules = static_cast<int>(rules),
                         .ends = provider.enabled && rules == std::ssize(provider.rules)});
    }
    return found;
}

void lock_membership_rules(store::Connection& connection) {
    store::lock_identity_providers(connection);
}

std::vector<Act> forget_group_in_rules(store::Connection& connection, const std::string& tenant,
                                       const std::string& group) {
    return change_rules(connection, [&](std::vector<MembershipRule>& rules) {
        for (MembershipRule& rule : rules) {
            if (rule.tenant == tenant) std::erase(rule.groups, group);
        }
    });
}

std::vector<Act> forget_tenant_in_rules(store::Connection& connection, const std::string& tenant) {
    return change_rules(connection, [&](std::vector<MembershipRule>& rules) {
        std::erase_if(rules, [&](const MembershipRule& rule) { return rule.tenant == tenant; });
    });
}

}  // namespace provisioner::operations
