#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/budget.hpp"
#include "provisioner/model/tenants/rights.hpp"

namespace provisioner::model {

/// Name of the tenant that always exists and that superadmins belong to.
constexpr auto superadmin_tenant = "superadmin";

/// Owner of a catalogue, of users and of clusters: a row of table tenant. Tenants do not see each
/// other.
struct Tenant {
    TenantId id;
    /// Id in the API: a UUID; "superadmin" for the tenant of that name.
    std::string uid;
    /// Unique among tenants that are not deleted.
    std::string name;
    /// At most longest_text bytes; may be empty.
    std::string description;
    /// Tasks that daemons run for it at once, all daemons together. 0: no limit of its own.
    int workers = 0;
    /// Most clusters that are not terminated; no_maximum: no limit.
    int max_clusters = no_maximum;
    /// Most nodes of these clusters together; no_maximum: no limit.
    int max_nodes = no_maximum;
    /// What its machines may cost; nothing: no limit.
    std::optional<Budget> budget{};
    /// Types of providers that its clusters may use; nothing: all.
    std::optional<std::vector<std::string>> provider_types{};
};

/// A person or program that may log in: a row of table user.
struct User {
    UserId id;
    /// Never changes. A superadmin belongs to the tenant "superadmin" only.
    TenantId tenant;
    /// Unique in the tenant.
    std::string name;
    Role role = Role::user;
    /// As identity::hash_password() made it. Empty: no login by password, only by API key.
    std::string password_hash;
    /// Set: somebody else gave this password. It has to be changed, and is refused from then on.
    std::optional<base::Timestamp> initial_until{};
    /// Neither the password nor an API key lets in.
    bool disabled = false;
};

/// The user of a request with the tenant. Made for each request from a session or an API key
/// (fcgi/auth). By API key it may be about a second old, so operations read limits again under the
/// tenant's lock. Operations and stores restrict what they read and write by it.
struct Caller {
    User user;
    Tenant tenant;
    /// Id of the request that is answered, at most 64 characters.
    std::string request{};
    /// Address of the client as the web server said it, and how the caller was identified: both for
    /// the audit log (model/audit/event.hpp). Empty for the daemon.
    std::string client{};
    std::string credential{};
    /// The limits of the API key that was given; nothing for sessions and the daemon.
    std::optional<KeyLimits> key{};
    /// True for a session that must prove first who it is: what it asks for is checked, and not
    /// done (operations::ProofNeeded).
    bool must_prove = false;

    /// Whether the caller may change administrators and how people come in: passwords, second
    /// factors, roles, identity providers. A key that is limited to some rights or ends may not:
    /// whoever has it would come in without its limits, and after its end.
    bool may_let_people_in() const {
        return !key || (key->scope == KeyScope::all && !key->expires_at);
    }

    /// Whether the caller's role has a right.
    bool may(Right right) const { return has(user.role, right); }

    /// Whether the caller manages the tenant.
    bool is_admin() const { return may(Right::administer_tenant); }

    /// Whether the caller sees and manages all tenants.
    bool is_superadmin() const { return may(Right::administer_installation); }

    /// Tenant whose provider accounts and unknown machines an admin may see; 0 for superadmins:
    /// those of all tenants. Meaningful only for those who may Right::see_tenant.
    TenantId tenant_in_charge() const { return is_superadmin() ? TenantId{} : tenant.id; }
};

/// The caller as stored with a job.
inline Asker asker(const Caller& caller) {
    return {.user = caller.user.id, .name = caller.user.name, .request = caller.request};
}

}  // namespace provisioner::model
