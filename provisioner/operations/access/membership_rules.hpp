#pragma once

#include <string>
#include <vector>

#include "provisioner/model/tenants/identity_provider.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Rules of identity providers name tenants and groups. A rule must not outlive what it names: a
// group that is made later under the same name would get the members of the one before, and a rule
// for a tenant that is gone would hide those behind it.

/// Locks the providers, before any tenant: that is their order.
void lock_membership_rules(store::Connection& connection);

/// A provider with rules for a tenant.
struct ProviderOfTenant {
    std::string name{};
    /// How many of its rules are for the tenant.
    int rules = 0;
    /// Whether it is on and has no rule for another tenant: nobody can log in with it without them.
    bool ends = false;

    bool operator==(const ProviderOfTenant&) const = default;
};

/// Those of the providers that have rules for a tenant (uid), in their order. Pure.
std::vector<ProviderOfTenant> providers_with_rules_for(
    const std::vector<model::IdentityProvider>& providers, const std::string& tenant);

/// Takes a group out of the rules for a tenant (uid). Returns what to record about the providers.
/// Lock the rules first, and then the tenant.
std::vector<Act> forget_group_in_rules(store::Connection& connection, const std::string& tenant,
                                       const std::string& group);

/// Takes the rules for a tenant (uid) out; the same as above otherwise.
std::vector<Act> forget_tenant_in_rules(store::Connection& connection, const std::string& tenant);

}  // namespace provisioner::operations
