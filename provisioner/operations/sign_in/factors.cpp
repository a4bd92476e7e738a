#include "provisioner/operations/sign_in/factors.hpp"

#include <algorithm>

#include "provisioner/identity/codes/one_time_codes.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/operations/sign_in/viewing.hpp"
#include "provisioner/store/sign_in/external_store.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/tenants/mail_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace provisioner::operations {

namespace {

base::Secret secret_of(const store::Connection& connection, model::UserId user,
                       const store::Factor& factor) {
    return connection.vault().open(factor.secret, place_of_factor(user));
}

FactorView view_of(store::Connection& connection, model::UserId user,
                   const std::optional<store::Factor>& app) {
    FactorView view{.has_app = app && app->is_confirmed,
                    .recovery_codes = store::count_recovery_codes(connection, user),
                    .keys = store::list_security_keys(connection, user)};
    view.has_factor = view.has_app || !view.keys.empty();
    if (view.has_app) view.since = app->created_at;
    return view;
}

/// Whether the code is right; uses it up.
bool use_code(store::Connection& connection, model::UserId user, const std::string& code,
              base::Timestamp now) {
    const auto factor = store::find_factor(connection, user, true);
    if (!factor || !factor->is_confirmed) return false;
    const auto step =
        identity::matching_step(secret_of(connection, user, *factor), code, now, factor->last_step);
    if (!step) return false;
    store::use_factor(connection, user, *step);
    return true;
}

/// The place to which a secret is sealed until its app is confirmed.
std::string place_of_pending(const model::OpenSession& session) {
    return base::Json::array({"second factor of a session", session.caller.user.id.value,
                              session.session.id.value})
        .dump();
}

/// Empty if the secret was made in another session.
base::Secret pending_secret(const store::Connection& connection, const store::Factor& app,
                            const std::string& place) {
    try {
        return connection.vault().open(app.secret, place);
    } catch (const identity::VaultError&) {
        return {};
    }
}

/// Whether the code is of the secret that this session was shown. Then the app is on.
bool confirm_app(store::Connection& connection, const model::OpenSession& session,
                 const std::string& code, base::Timestamp now) {
    const model::UserId user = session.caller.user.id;
    const auto app = store::find_factor(connection, user, true);
    if (!app || app->is_confirmed) return false;
    const auto secret = pending_secret(connection, *app, place_of_pending(session));
    if (secret.empty()) return false;
    const auto step = identity::matching_step(secret, code, now, app->last_step);
    if (!step) return false;
    store::save_factor(connection, user,
                       {.secret = connection.vault().seal(secret, place_of_factor(user)),
                        .is_confirmed = true,
                        .last_step = *step,
                        .created_at = now});
    return true;
}

/// The provider of the user's identity; nothing for users of this installation.
std::optional<model::IdentityProvider> provider_of(store::Connection& connection,
                                                   model::UserId user) {
    const auto external = store::find_external_user(connection, user);
    if (!external) return std::nullopt;
    const auto providers = store::list_identity_providers(connection);
    const auto found =
        std::ranges::find(providers, external->provider, &model::IdentityProvider::id);
    return found == providers.end() ? std::nullopt : std::optional(*found);
}

/// Whether that is trusted to ask for a second factor.
bool is_asked_elsewhere(store::Connection& connection, model::UserId user) {
    const auto provider = provider_of(connection, user);
    return provider && provider->has_second_factor;
}

/// Waits for other requests of the same user. Whether the session is still there after that.
bool begin_removal(store::Connection& connection, const model::OpenSession& session) {
    return store::lock_user(connection, session.caller.user.id) &&
           store::has_session(connection, session.session.id);
}

base::unexpected<Refusal> session_is_over() {
    return refuse(Refusal::Kind::conflict, "", "This session is over.");
}

/// After a factor of one's own is gone: without any, recovery codes go, too, and the next thing to
/// do is to set one up if there has to be one.
void end_of_factor(store::Connection& connection, const model::OpenSession& session,
                   const SignInRules& rules, const char* what) {
    const model::User& user = session.caller.user;
    if (!view_factor(connection, user.id).has_factor) {
        store::delete_all_factors(connection, user.id);
        if (must_have_factor(connection, rules, user) && !is_asked_elsewhere(connection, user.id)) {
            store::set_stage(connection, session.session.id, model::SessionStage::factor);
        }
    }
    store::end_sessions(connection, user.id, session.session.id);
    base::Json before;
    before["factor"] = what;
    audit_user(connection, session.caller, "user.remove-factor", user, before);
    end_views_of_ended_sessions(connection, user.id);
}

/// To who gets mails: somebody else may have found the code.
void tell_of_recovery_code(store::Connection& connection, const model::Caller& caller) {
    const std::string address = store::find_mail_choice(connection, caller.user.id).address;
    if (address.empty()) return;
    const int left = store::count_recovery_codes(connection, caller.user.id);
    store::insert_mail(
        connection,
        {.user = caller.user.id,
         .address = address,
         .subject = "A recovery code of yours was used in Cooperage",
         .body = "Somebody confirmed with a recovery code to be the user " + caller.user.name +
                 " of the tenant " + caller.tenant.name +
                 ". Recovery codes left: " + std::to_string(left) +
                 ".\n\nIf that was not you, change your password, end your other sessions and "
                 "create new recovery codes.\n"});
}

}  // namespace

std::string place_of_factor(model::UserId user) {
    return base::Json::array({"second factor", user.value}).dump();
}

FactorDemand factor_demand(store::Connection& connection, const SignInRules& rules,
                           const model::User& user) {
    // Also operators and auditors: they see what others own.
    const auto is_meant = [&](model::SecondFactorFor who) {
        return who == model::SecondFactorFor::everybody ||
               (who == model::SecondFactorFor::admins &&
                model::has(user.role, model::Right::see_clusters));
    };
    if (is_meant(rules.second_factor)) return FactorDemand::installation;
    return is_meant(store::second_factor_of_tenant(connection, user.tenant)) ? FactorDemand::tenant
                                                                             : FactorDemand::nobody;
}

bool must_have_factor(store::Connection& connection, const SignInRules& rules,
                      const model::User& user) {
    return factor_demand(connection, rules, user) != FactorDemand::nobody;
}

FirstFactor first_factor_of(store::Connection& connection, model::UserId user) {
    const auto provider = provider_of(connection, user);
    if (!provider || provider->kind == model::IdentityKind::ldap) return FirstFactor::password;
    return provider->has_second_factor ? FirstFactor::trusted_provider : FirstFactor::provider;
}

FactorView begin_factor(store::Database& database, const model::OpenSession& session,
                        base::Timestamp now) {
    const model::UserId user = session.caller.user.id;
    const std::string place = place_of_pending(session);
    return database.write([&](store::Connection& connection) {
        const auto app = store::find_factor(connection, user, true);
        FactorView view = view_of(connection, user, app);
        if (view.has_app) return view;
        if (app) view.secret = pending_secret(connection, *app, place);
        if (!view.secret.empty()) return view;
        view.secret = identity::new_code_secret();
        store::save_factor(
            connection, user,
            {.secret = connection.vault().seal(view.secret, place), .created_at = now});
        return view;
    });
}

FactorView view_factor(store::Connection& connection, model::UserId user) {
    return view_of(connection, user, store::find_factor(connection, user));
}

base::Timestamp proven_by_password(store::Connection& connection, const model::OpenSession& session,
                                   base::Timestamp now) {
    const bool has_factor = view_factor(connection, session.caller.user.id).has_factor;
    return has_factor ? session.session.proven_at : now;
}

FactorConfirmed confirm_factor(store::Database& database, const model::OpenSession& session,
                               const std::string& code, const Client& client, base::Timestamp now) {
    const FactorCheck check = [&](store::Connection& connection) -> std::optional<std::string> {
        if (!confirm_app(connection, session, code, now)) return std::nullopt;
        return "app";
    };
    return take_new_factor(database, session, "code", check, client, now);
}

SignInResult give_code(store::Database& database, const model::OpenSession& session,
                       const std::string& code, const Client& client, const SignInRules& rules,
                       base::Timestamp now) {
    const model::UserId user = session.caller.user.id;
    const std::string recovery_hash = identity::hash_of_recovery_code(code);
    const FactorCheck check = [&](store::Connection& connection) -> std::optional<std::string> {
        if (use_code(connection, user, code, now)) return "code";
        if (!store::use_recovery_code(connection, user, recovery_hash)) return std::nullopt;
        tell_of_recovery_code(connection, session.caller);
        return "recovery code";
    };
    return take_second_step(database, session, "code", check, client, rules, now);
}

Result<std::vector<base::Secret>> replace_recovery_codes(store::Database& database,
                                                         const model::Caller& caller) {
    using Codes = std::vector<base::Secret>;
    return database.write([&](store::Connection& connection) -> Result<Codes> {
        if (!view_factor(connection, caller.user.id).has_factor) {
            return refuse(Refusal::Kind::conflict, "", "There is no second factor.");
        }
        auto codes = make_recovery_codes(connection, caller.user.id);
        audit_user(connection, caller, "user.replace-recovery-codes", caller.user);
        return codes;
    });
}

Result<void> remove_app(store::Database& database, const model::OpenSession& session,
                        const SignInRules& rules) {
    const model::User& user = session.caller.user;
    return database.write([&](store::Connection& connection) -> Result<void> {
        if (!begin_removal(connection, session)) return session_is_over();
        if (!store::delete_factor(connection, user.id)) {
            return refuse(Refusal::Kind::conflict, "", "There is no app with codes.");
        }
        end_of_factor(connection, session, rules, "app");
        return {};
    });
}

Result<void> remove_security_key(store::Database& database, const model::OpenSession& session,
                                 std::int64_t key, const SignInRules& rules) {
    const model::User& user = session.caller.user;
    return database.write([&](store::Connection& connection) -> Result<void> {
        if (!begin_removal(connection, session)) return session_is_over();
        if (!store::delete_security_key(connection, user.id, key)) {
            return refuse(Refusal::Kind::not_found, "", "There is no such security key.");
        }
        end_of_factor(connection, session, rules, "security key");
        return {};
    });
}

Result<void> remove_factors_of(store::Database& database, const model::Caller& caller,
                               const std::string& tenant, const std::string& user) {
    if (auto fine = check_lets_in(caller); !fine) return fine;
    return database.write([&](store::Connection& connection) -> Result<void> {
        if (auto fine = check_still_administers(connection, caller); !fine) return fine;
        const auto one = administered_user(connection, caller, tenant, user);
        if (!one) return base::unexpected(one.error());
        if (!view_factor(connection, one->id).has_factor) {
            return refuse(Refusal::Kind::conflict, "", "There is no second factor.");
        }
        store::delete_all_factors(connection, one->id);
        store::end_sessions(connection, one->id);
        audit_user(connection, caller, "user.remove-factor", *one);
        end_views_of_ended_sessions(connection, one->id);
        return {};
    });
}

Result<void> require_second_factor(store::Database& database, const model::Caller& caller,
                                   const std::string& tenant, model::SecondFactorFor who) {
    const bool is_own = tenant == caller.tenant.name && caller.is_admin();
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto found = is_own || caller.is_superadmin() ? store::find_tenant(connection, tenant)
                                                            : std::optional<model::Tenant>();
        if (!found) {
            return refuse(Refusal::Kind::not_found, "tenant", "There is no tenant " + tenant + ".");
        }
        const auto before = store::second_factor_of_tenant(connection, found->id);
        if (before == who) return {};
        store::save_second_factor_of_tenant(connection, found->id, who);
        base::Json was;
        was["secondFactor"] = base::to_word(before);
        base::Json now;
        now["secondFactor"] = base::to_word(who);
        audit(connection, caller,
              {.action = "tenant.require-factor",
               .object = {.kind = "tenant", .name = found->name},
               .before = std::move(was),
               .after = std::move(now),
               .chain = found->id});
        return {};
    });
}

}  // namespace provisioner::operations
