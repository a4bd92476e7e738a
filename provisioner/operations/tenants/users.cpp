#include "provisioner/operations/tenants/users.hpp"

#include "provisioner/identity/passwords.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/sign_in/password_rules.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace provisioner::operations {

namespace {

base::unexpected<Refusal> no_tenant(const std::string& name) {
    return refuse(Refusal::Kind::not_found, "", "tenant " + name + " not found");
}

Result<void> check_password(const UserSpec& wanted, const std::string& tenant,
                            const SignInRules& rules) {
    base::Problems problems;
    for (const std::string& reason : problems_with_password(
             wanted.password, rules.password_length, {.tenant = tenant, .user = wanted.name})) {
        problems.push_back({"password", reason});
    }
    if (problems.empty()) return {};
    return refuse(Refusal::Kind::invalid, std::move(problems));
}

}  // namespace

Result<std::vector<model::User>> list_users(store::Database& database, const std::string& tenant) {
    return database.read([&](store::Connection& connection) -> Result<std::vector<model::User>> {
        const auto found = store::find_tenant(connection, tenant);
        if (!found) return no_tenant(tenant);
        return store::list_users(connection, found->id);
    });
}

Result<base::Secret> create_user(store::Database& database, const model::Caller& caller,
                                 const std::string& tenant, const UserSpec& wanted,
                                 base::Timestamp now, const SignInRules& rules) {
    const bool super = wanted.role == model::Role::superadmin;
    const bool is_own = tenant == caller.tenant.name && caller.may(model::Right::administer_tenant);
    if (!is_own && !caller.is_superadmin()) return no_tenant(tenant);
    if (super && (tenant != model::superadmin_tenant || !caller.is_superadmin())) {
        return refuse(Refusal::Kind::invalid, "role",
                      "superadmins belong to the tenant superadmin");
    }
    if (auto fine = check_makes(caller, wanted.role); !fine) return base::unexpected(fine.error());
    if (auto wrong = model::problem_with_new_name(wanted.name)) {
        return refuse(Refusal::Kind::invalid, "name", *std::move(wrong));
    }
    model::User user;
    user.name = wanted.name;
    user.role = wanted.role;
    if (!wanted.password.empty()) {
        if (auto fine = check_lets_in(caller); !fine) return base::unexpected(fine.error());
        // A tenant that is not there is said first.
        const bool is_there = database.read([&](store::Connection& connection) {
            return store::find_tenant(connection, tenant).has_value();
        });
        if (!is_there) return no_tenant(tenant);
        if (auto fine = check_password(wanted, tenant, rules); !fine) {
            return base::unexpected(fine.error());
        }
        user.password_hash = identity::hash_password(wanted.password);
        user.initial_until = now + rules.initial_password;
    }
    const base::Secret key = wanted.with_key ? identity::new_token() : base::Secret();
    model::ApiKey first{.name = model::first_key_name, .created_at = now};
    // A key makes no key that may do more.
    if (caller.key) first.limits = *caller.key;
    const bool only_reads = !model::has(wanted.role, model::Right::use_clusters);
    if (only_reads && first.limits.scope == model::KeyScope::all) {
        first.limits.scope = model::KeyScope::read;
    }
    return database.write([&](store::Connection& connection) -> Result<base::Secret> {
        const auto found = store::find_tenant(connection, tenant);
        if (!found) return no_tenant(tenant);
        store::lock_tenant(connection, found->id);
        if (auto fine = check_still_administers(connection, caller); !fine) {
            return base::unexpected(fine.error());
        }
        if (store::find_user(connection, found->id, wanted.name)) {
            return refuse(Refusal::Kind::conflict, "name",
                          "User " + wanted.name + " already exists.");
        }
        user.tenant = found->id;
        const auto id = store::insert_user(connection, user, now);
        if (wanted.with_key) {
            store::insert_api_key(connection, id, first, identity::hash_of_token(key));
        }
        user.id = id;
        audit_user(connection, caller, "user.create", user, base::Json(), audited(user));
        return key;
    });
}

Result<void> delete_user(store::Database& database, const model::Caller& caller,
                         const std::string& tenant, const std::string& user) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto found = store::find_tenant(connection, tenant);
        if (!found) return no_tenant(tenant);
        // A cluster that the user creates at this moment is stored before with its owner, or after
        // without one.
        store::lock_tenant(connection, found->id);
        const auto gone = store::find_user(connection, found->id, user);
        if (!gone) return {};
        if (!may_administer(caller, *gone)) {
            return refuse(Refusal::Kind::not_found, "", "user " + user + " not found");
        }
        if (auto fine = check_makes(caller, gone->role); !fine) return fine;
        if (gone->id == caller.user.id) {
            return refuse(Refusal::Kind::conflict, "", "Nobody can delete themselves.");
        }
        if (auto fine = check_still_administers(connection, caller); !fine) return fine;
        store::delete_user(connection, gone->id);
        audit_user(connection, caller, "user.delete", *gone, audited(*gone), base::Json());
        return {};
    });
}

}  // namespace provisioner::operations
