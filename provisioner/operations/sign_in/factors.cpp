#include "provisioner/operations/sign_in/factors.hpp"

#include "provisioner/identity/codes/one_time_codes.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/operations/sign_in/throttle.hpp"
#include "provisioner/store/sign_in/session_store.hpp"

namespace provisioner::operations {

namespace {

base::Secret secret_of(const store::Connection& connection, model::UserId user,
                       const store::Factor& factor) {
    return connection.vault().open(factor.secret, place_of_factor(user));
}

FactorView view_of(const std::optional<store::Factor>& factor) {
    if (!factor || !factor->is_confirmed) return {};
    return {
        .has_factor = true, .since = factor->created_at, .recovery_codes = factor->recovery_codes};
}

/// Whether the code is right; uses it up.
bool use_code(store::Connection& connection, model::UserId user, const std::string& code,
              bool must_be_confirmed, base::Timestamp now) {
    const auto factor = store::find_factor(connection, user, true);
    if (!factor || factor->is_confirmed != must_be_confirmed) return false;
    const auto step =
        identity::matching_step(secret_of(connection, user, *factor), code, now, factor->last_step);
    if (!step) return false;
    store::use_factor(connection, user, *step);
    return true;
}

std::vector<base::Secret> make_recovery_codes(store::Connection& connection, model::UserId user) {
    auto codes = identity::new_recovery_codes();
    std::vector<std::string> hashes;
    for (const auto& code : codes) hashes.push_back(identity::hash_of_recovery_code(code.reveal()));
    store::save_recovery_codes(connection, user, hashes);
    return codes;
}

SignInResult attempt_of(const model::OpenSession& session, const Client& client) {
    const model::Caller& caller = session.caller;
    return {.end = SignInResult::End::wrong_code,
            .tenant = caller.tenant.name,
            .user = caller.user.name,
            .client = client,
            .given = "code",
            .user_id = caller.user.id,
            .tenant_id = caller.tenant.id};
}

model::SessionStage stage_after_code(const model::OpenSession& session) {
    if (session.session.stage != model::SessionStage::code) return session.session.stage;
    return session.caller.user.initial_until ? model::SessionStage::password
                                             : model::SessionStage::open;
}

}  // namespace

std::string place_of_factor(model::UserId user) {
    return base::Json::array({"second factor", user.value}).dump();
}

bool must_have_factor(const SignInRules& rules, const model::User& user) {
    switch (rules.second_factor) {
        case SecondFactorFor::nobody:
            return false;
        case SecondFactorFor::admins:
            // Also operators and auditors: they see what others own.
            return model::has(user.role, model::Right::see_clusters);
        case SecondFactorFor::everybody:
            return true;
    }
    return true;
}

FactorView begin_factor(store::Database& database, const model::Caller& caller,
                        base::Timestamp now) {
    const model::UserId user = caller.user.id;
    return database.write([&](store::Connection& connection) {
        const auto factor = store::find_factor(connection, user, true);
        FactorView view = view_of(factor);
        if (view.has_factor) return view;
        if (factor) {
            view.secret = secret_of(connection, user, *factor);
            return view;
        }
        view.secret = identity::new_code_secret();
        store::save_factor(connection, user,
                           {.secret = connection.vault().seal(view.secret, place_of_factor(user)),
                            .created_at = now});
        return view;
    });
}

FactorView view_factor(store::Database& database, const model::Caller& caller) {
    return database.read([&](store::Connection& connection) {
        return view_of(store::find_factor(connection, caller.user.id));
    });
}

FactorConfirmed confirm_factor(store::Database& database, const model::OpenSession& session,
                               const std::string& code, const Client& client, const SignInRules&,
                               base::Timestamp now) {
    FactorConfirmed confirmed{.result = attempt_of(session, client)};
    const model::UserId user = session.caller.user.id;
    const std::string subject = code_subject(user.value);
    if (const auto wait = begin_attempt(database, subject, code_rule, now)) {
        confirmed.result.end = SignInResult::End::must_wait;
        confirmed.result.wait = *wait;
        return confirmed;
    }
    const base::Secret token = identity::new_token();
    const std::string token_hash = identity::hash_of_token(token);
    const auto stage = session.session.stage == model::SessionStage::factor
                           ? model::SessionStage::open
                           : session.session.stage;
    confirmed.recovery_codes = database.write([&](store::Connection& connection) {
        if (!use_code(connection, user, code, false, now)) return std::vector<base::Secret>{};
        store::delete_failures_of(connection, subject);
        store::end_sessions(connection, user, session.session.id);
        store::replace_token(connection, session.session.id, stage, token_hash, now,
                             session.session.expires_at);
        auto codes = make_recovery_codes(connection, user);
        audit_user(connection, session.caller, "user.add-factor", session.caller.user);
        return codes;
    });
    if (confirmed.recovery_codes.empty()) return confirmed;
    confirmed.result.end = SignInResult::End::done;
    confirmed.result.stage = stage;
    confirmed.result.session = session.session.id;
    confirmed.result.token = token;
    return confirmed;
}

SignInResult give_code(store::Database& database, const model::OpenSession& session,
                       const std::string& code, const Client& client, const SignInRules& rules,
                       base::Timestamp now) {
    SignInResult result = attempt_of(session, client);
    const model::UserId user = session.caller.user.id;
    const std::string subject = code_subject(user.value);
    if (const auto wait = begin_attempt(database, subject, code_rule, now)) {
        result.end = SignInResult::End::must_wait;
        result.wait = *wait;
        return result;
    }
    const bool is_sign_in = session.session.stage == model::SessionStage::code;
    const auto expires_at = is_sign_in ? now + rules.session_length : session.session.expires_at;
    const base::Secret token = identity::new_token();
    const std::string token_hash = identity::hash_of_token(token);
    result.stage = stage_after_code(session);
    const auto subjects = subjects_of(result.tenant, result.user, client.address);
    const std::string recovery_hash = identity::hash_of_recovery_code(code);
    result.end = database.write([&](store::Connection& connection) {
        result.given = "code";
        if (!use_code(connection, user, code, true, now)) {
            result.given = "recovery code";
            if (!store::use_recovery_code(connection, user, recovery_hash)) {
                result.given = "code";
                return SignInResult::End::wrong_code;
            }
        }
        store::delete_failures_of(connection, subject);
        if (is_sign_in) {
            store::delete_failures_of(connection, subjects.account_and_address);
        }
        const bool is_there = store::replace_token(connection, session.session.id, result.stage,
                                                   token_hash, now, expires_at);
        return is_there ? SignInResult::End::done : SignInResult::End::no_first_step;
    });
    if (result.end != SignInResult::End::done) return result;
    result.session = session.session.id;
    result.token = token;
    return result;
}

Result<std::vector<base::Secret>> replace_recovery_codes(store::Database& database,
                                                         const model::Caller& caller) {
    using Codes = std::vector<base::Secret>;
    return database.write([&](store::Connection& connection) -> Result<Codes> {
        const auto factor = store::find_factor(connection, caller.user.id, true);
        if (!factor || !factor->is_confirmed) {
            return refuse(Refusal::Kind::conflict, "", "There is no second factor.");
        }
        auto codes = make_recovery_codes(connection, caller.user.id);
        audit_user(connection, caller, "user.replace-recovery-codes", caller.user);
        return codes;
    });
}

Result<void> remove_factor(store::Database& database, const model::Caller& caller,
                           const std::string& tenant, const std::string& user,
                           model::SessionId kept) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const bool is_own = tenant == caller.tenant.name && user == caller.user.name;
        const auto one = is_own ? Result<model::User>(caller.user)
                                : administered_user(connection, caller, tenant, user);
        if (!one) return base::unexpected(one.error());
        if (!store::delete_factor(connection, one->id)) {
            return refuse(Refusal::Kind::conflict, "", "There is no second factor.");
        }
        store::end_sessions(connection, one->id, is_own ? kept : model::SessionId{});
        audit_user(connection, caller, "user.remove-factor", *one);
        return {};
    });
}

}  // namespace provisioner::operations
