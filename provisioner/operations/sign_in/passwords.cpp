#include "provisioner/operations/sign_in/passwords.hpp"

#include "provisioner/identity/passwords.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/sign_in/factors.hpp"
#include "provisioner/operations/sign_in/password_rules.hpp"
#include "provisioner/operations/sign_in/viewing.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace provisioner::operations {

namespace {

/// 128 random bits that can be read aloud, in groups of four.
base::Secret new_initial_password() {
    const std::string digits = base::random_hex(16);
    std::string text;
    for (std::size_t at = 0; at < digits.size(); at += 4) {
        text += (at == 0 ? "" : "-") + digits.substr(at, 4);
    }
    return base::Secret(text);
}

base::Problems problems_with_change(const PasswordChange& wanted, const model::Caller& caller,
                                    const SignInRules& rules) {
    base::Problems problems;
    if (wanted.current.empty()) problems.push_back({"current", "Enter your current password."});
    const PasswordOwner owner{.tenant = caller.tenant.name, .user = caller.user.name};
    for (const std::string& reason :
         problems_with_password(wanted.wanted, rules.password_length, owner)) {
        problems.push_back({"wanted", reason});
    }
    if (problems.empty() && wanted.wanted == wanted.current) {
        problems.push_back({"wanted", "It must differ from the current one."});
    }
    if (!(wanted.wanted == wanted.repeated)) {
        problems.push_back({"repeated", "This differs from the new password."});
    }
    return problems;
}

base::unexpected<Refusal> no_such_user(const std::string& user) {
    return refuse(Refusal::Kind::not_found, "", "user " + user + " not found");
}

}  // namespace

PasswordChanged change_password(store::Database& database, const model::OpenSession& session,
                                const PasswordChange& wanted, const Client& client,
                                const SignInRules& rules, base::Timestamp now) {
    PasswordChanged changed{.problems = problems_with_change(wanted, session.caller, rules)};
    if (!changed.problems.empty()) {
        // A wrong present password is said together with what else is wrong.
        if (!wanted.current.empty()) {
            changed.proof = check_own_password(database, session, wanted.current, client, now);
        }
        return changed;
    }
    std::string hash;
    try {
        // Before the check: what follows it must not fail.
        hash = identity::hash_password(wanted.wanted);
    } catch (const identity::TooManyHashes&) {
        changed.proof = SignInResult{.end = SignInResult::End::too_busy, .wait = busy_wait};
        return changed;
    }
    changed.proof = prove_by_password(database, session, wanted.current, client, now);
    if (changed.proof->end != SignInResult::End::done) return changed;
    auto stage = session.session.stage;
    if (stage == model::SessionStage::password) {
        const model::User& user = session.caller.user;
        const bool lacks_factor = database.read([&](store::Connection& connection) {
            return !view_factor(connection, user.id).has_factor &&
                   must_have_factor(connection, rules, user);
        });
        stage = lacks_factor ? model::SessionStage::factor : model::SessionStage::open;
    }
    changed.token = identity::new_token();
    const std::string token_hash = identity::hash_of_token(changed.token);
    const bool is_there = database.write([&](store::Connection& connection) {
        // First: an administrator may have reset the password and ended this session meanwhile.
        if (!store::replace_token(connection, session.session.id,
                                  {.token_hash = token_hash,
                                   .stage = stage,
                                   .proven_at = proven_by_password(connection, session, now),
                                   .expires_at = session.session.expires_at},
                                  now)) {
            return false;
        }
        store::update_password(connection, session.caller.user.id, hash);
        store::end_sessions(connection, session.caller.user.id, session.session.id);
        audit_user(connection, session.caller, "user.change-password", session.caller.user);
        end_views_of_ended_sessions(connection, session.caller.user.id);
        return true;
    });
    if (!is_there) changed.proof->end = SignInResult::End::no_first_step;
    return changed;
}

bool may_administer(const model::Caller& caller, const model::User& user) {
    if (caller.is_superadmin()) return true;
    return caller.may(model::Right::administer_tenant) && user.tenant == caller.tenant.id &&
           user.role != model::Role::superadmin;
}

Result<model::User> administered_user(store::Connection& connection, const model::Caller& caller,
                                      const std::string& tenant, const std::string& user) {
    const auto found = store::find_tenant(connection, tenant);
    if (!found) return no_such_user(user);
    const auto one = store::find_user(connection, found->id, user);
    if (!one || !may_administer(caller, *one)) return no_such_user(user);
    if (auto fine = check_makes(caller, one->role); !fine) return base::unexpected(fine.error());
    return *one;
}

Result<void> check_makes(const model::Caller& caller, model::Role role) {
    const bool is_fine =
        !model::has(role, model::Right::administer_tenant) || caller.may_let_people_in();
    if (is_fine) return {};
    return refuse(
        Refusal::Kind::forbidden, "role",
        "a key that is limited to some rights, or ends, makes and changes no administrators");
}

Result<void> check_lets_in(const model::Caller& caller) {
    if (caller.may_let_people_in()) return {};
    return refuse(Refusal::Kind::forbidden, "",
                  "a key that is limited to some rights, or ends, changes no passwords, second "
                  "factors, roles "
                  "and identity providers: who comes in by them would not have its limits");
}

Result<model::User> seen_user(store::Connection& connection, const model::Caller& caller,
                              const model::Tenant& tenant, const std::string& user) {
    const bool is_own = tenant.id == caller.tenant.id && caller.may(model::Right::see_tenant);
    if (!is_own && !caller.is_superadmin()) return no_such_user(user);
    const auto one = store::find_user(connection, tenant.id, user);
    if (!one) return no_such_user(user);
    return *one;
}

Result<void> check_still_administers(store::Connection& connection, const model::Caller& caller) {
    const auto self = store::find_user(connection, caller.tenant.id, caller.user.name);
    const bool is_same = self && self->id == caller.user.id && self->role == caller.user.role;
    if (is_same && !self->disabled) return {};
    return refuse(Refusal::Kind::conflict, "", "You do not administer this tenant any more.");
}

Result<base::Secret> reset_password(store::Database& database, const model::Caller& caller,
                                    const std::string& tenant, const std::string& user,
                                    const SignInRules& rules, base::Timestamp now) {
    if (auto fine = check_lets_in(caller); !fine) return base::unexpected(fine.error());
    base::Secret password = new_initial_password();
    const std::string hash = identity::hash_password(password);
    return database.write([&](store::Connection& connection) -> Result<base::Secret> {
        if (auto fine = check_still_administers(connection, caller); !fine) {
            return base::unexpected(fine.error());
        }
        const auto one = administered_user(connection, caller, tenant, user);
        if (!one) return base::unexpected(one.error());
        if (one->id == caller.user.id) {
            return refuse(Refusal::Kind::conflict, "", "Change your own password on your profile.");
        }
        if (store::find_external_user(connection, one->id)) {
            return refuse(Refusal::Kind::conflict, "",
                          "This user has no password here: an identity provider signs them in.");
        }
        store::update_password(connection, one->id, hash, now + rules.initial_password);
        store::end_sessions(connection, one->id);
        audit_user(connection, caller, "user.reset-password", *one);
        end_views_of_ended_sessions(connection, one->id);
        return password;
    });
}

Result<model::User> change_access(store::Database& database, const model::Caller& caller,
                                  const std::string& tenant, const std::string& user,
                                  const AccessChange& wanted) {
    return database.write([&](store::Connection& connection) -> Result<model::User> {
        const auto found = store::find_tenant(connection, tenant);
        // Two administrators who lock each other out at the same time must not both succeed.
        if (found) store::lock_tenant(connection, found->id);
        auto one = administered_user(connection, caller, tenant, user);
        if (!one) return one;
        if (one->id == caller.user.id) {
            return refuse(Refusal::Kind::conflict, "", "Nobody can change their own access.");
        }
        if (auto fine = check_still_administers(connection, caller); !fine) {
            return base::unexpected(fine.error());
        }
        const model::User before = *one;
        one->role = wanted.role.value_or(one->role);
        if (auto fine = check_makes(caller, one->role); !fine) {
            return base::unexpected(fine.error());
        }
        one->disabled = wanted.disabled.value_or(one->disabled);
        const bool lets_in = one->role != before.role || (before.disabled && !one->disabled);
        if (auto fine = check_lets_in(caller); lets_in && !fine) {
            return base::unexpected(fine.error());
        }
        const bool super = one->role == model::Role::superadmin;
        if (super && !(caller.is_superadmin() && found->uid == "superadmin")) {
            return refuse(Refusal::Kind::invalid, "role",
                          "superadmins belong to the tenant superadmin");
        }
        // A lock by a person is one that the identity provider does not take away again.
        const bool takes_over =
            wanted.disabled && store::mark_gone(connection, one->id, std::nullopt);
        const bool is_same = one->role == before.role && one->disabled == before.disabled;
        if (is_same && !takes_over) return one;
        store::update_access(connection, one->id, one->role, one->disabled);
        store::end_sessions(connection, one->id);
        audit_user(connection, caller, action_of_access(before, *one), *one, audited(before),
                   audited(*one));
        end_views_of_ended_sessions(connection, one->id);
        return one;
    });
}

Result<void> end_sessions(store::Database& database, const model::Caller& caller,
                          const std::string& tenant, const std::string& user,
                          model::SessionId session) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const bool is_own = tenant == caller.tenant.name && user == caller.user.name;
        const auto one = is_own ? Result<model::User>(caller.user)
                                : administered_user(connection, caller, tenant, user);
        if (!one) return base::unexpected(one.error());
        if (session.value == 0) {
            store::end_sessions(connection, one->id);
        } else if (!store::end_session(connection, one->id, session)) {
            return refuse(Refusal::Kind::not_found, "", "This session is over already.");
        }
        audit_user(connection, caller,
                   session.value == 0 ? "user.end-sessions" : "user.end-session", *one);
        end_views_of_ended_sessions(connection, one->id);
        return {};
    });
}

}  // namespace provisioner::operations
