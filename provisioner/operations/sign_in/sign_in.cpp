#include "provisioner/operations/sign_in/sign_in.hpp"

#include "provisioner/identity/passwords.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/sign_in/factors.hpp"
#include "provisioner/operations/sign_in/throttle.hpp"
#include "provisioner/operations/sign_in/viewing.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace provisioner::operations {

namespace {

struct SigningAccount {
    model::User user;
    model::Tenant tenant;
    bool has_factor = false;
    bool must_have_factor = false;
};

std::optional<SigningAccount> find_account(store::Database& database, const SignInRequest& wanted,
                                           const SignInRules& rules) {
    return database.read([&](store::Connection& connection) -> std::optional<SigningAccount> {
        const auto tenant = store::find_tenant(connection, wanted.tenant);
        if (!tenant) return std::nullopt;
        const auto user = store::find_user(connection, tenant->id, wanted.user);
        if (!user) return std::nullopt;
        return SigningAccount{*user, *tenant, view_factor(connection, user->id).has_factor,
                              must_have_factor(connection, rules, *user)};
    });
}

bool may_come_in(const SigningAccount& account, const SignInRules& rules, base::Timestamp now) {
    const model::User& user = account.user;
    const bool may_use_password = rules.local_passwords == LocalPasswordsFor::everybody ||
                                  user.role == model::Role::superadmin;
    return !user.password_hash.empty() && !user.disabled && may_use_password &&
           (!user.initial_until || *user.initial_until > now);
}

bool has_password(const std::optional<SigningAccount>& account) {
    return account && !account->user.password_hash.empty();
}

/// What somebody else says about the password. Whether the attempt counts as a failure is settled
/// for attempts that are not right.
SignInResult ask_elsewhere(store::Database& database, const SignInSubjects& subjects,
                           const SignInRequest& wanted, const PasswordElsewhere& elsewhere) {
    using End = SignInResult::End;
    SignInResult result = elsewhere(wanted);
    result.client = wanted.client;
    if (result.end == End::provider_away || result.end == End::too_busy ||
        result.end == End::must_wait) {
        database.write(
            [&](store::Connection& connection) { end_sign_in(connection, subjects, {}); });
    }
    return result;
}

/// The slow comparison always runs. Otherwise the time of an answer would show which users exist.
bool is_password_of(const std::optional<SigningAccount>& account, const base::Secret& password) {
    const bool is_there = has_password(account);
    const std::string& hash = is_there ? account->user.password_hash : identity::decoy_hash();
    return identity::password_matches(password, hash) && is_there;
}

/// Compares, and takes the attempt back when that could not be done.
std::optional<bool> compare_password(store::Database& database, const SignInSubjects& subjects,
                                     const std::optional<SigningAccount>& account,
                                     const base::Secret& password) {
    try {
        return is_password_of(account, password);
    } catch (const identity::TooManyHashes&) {
        database.write(
            [&](store::Connection& connection) { end_sign_in(connection, subjects, {}); });
        return std::nullopt;
    }
}

/// Whether what was checked still holds: comparing takes time, in which the password may be
/// changed, the user locked or a factor added, and all sessions ended.
bool is_unchanged(store::Connection& connection, const SigningAccount& account) {
    if (!store::lock_user(connection, account.user.id)) return false;
    const auto user = store::find_user(connection, account.tenant.id, account.user.name);
    return user && user->id == account.user.id &&
           user->password_hash == account.user.password_hash && !user->disabled &&
           view_factor(connection, user->id).has_factor == account.has_factor;
}

/// A hash of today's cost in place of an older one. Another time will do if too many wait.
std::optional<std::string> newer_hash(const model::User& user, const base::Secret& password) {
    if (!identity::is_old_hash(user.password_hash)) return std::nullopt;
    try {
        return identity::hash_password(password);
    } catch (const identity::TooManyHashes&) {
        return std::nullopt;
    }
}

model::SessionStage stage_after_password(const SigningAccount& account) {
    if (account.has_factor) return model::SessionStage::code;
    if (account.user.initial_until) return model::SessionStage::password;
    return account.must_have_factor ? model::SessionStage::factor : model::SessionStage::open;
}

/// When all of a sign-in was right: not before the code.
std::optional<base::Timestamp> good_at(const SignInResult& result, base::Timestamp now) {
    return result.stage == model::SessionStage::code ? std::nullopt : std::optional(now);
}

/// Counts the attempt and compares. Done: the attempt is still counted.
SignInResult compare_in_session(store::Database& database, const model::OpenSession& session,
                                const SignInSubjects& subjects, const base::Secret& password,
                                const Client& client, base::Timestamp now,
                                const PasswordElsewhere& elsewhere) {
    const model::Caller& caller = session.caller;
    SignInResult result{.tenant = caller.tenant.name,
                        .user = caller.user.name,
                        .client = client,
                        .user_id = caller.user.id,
                        .tenant_id = caller.tenant.id,
                        .stage = session.session.stage};
    if (const auto wait = begin_sign_in(database, subjects, now)) {
        result.end = SignInResult::End::must_wait;
        result.wait = *wait;
        return result;
    }
    const SigningAccount account{caller.user, caller.tenant};
    if (elsewhere && !has_password(account)) {
        const auto asked = ask_elsewhere(
            database, subjects,
            {.tenant = result.tenant, .user = result.user, .password = password, .client = client},
            elsewhere);
        result.end = asked.end;
        result.given = asked.given;
        result.reason = asked.reason;
        result.advice = asked.advice;
        result.wait = asked.wait;
        return result;
    }
    const auto is_right = compare_password(database, subjects, account, password);
    if (!is_right) {
        result.end = SignInResult::End::too_busy;
        result.wait = busy_wait;
    } else if (*is_right) {
        result.end = SignInResult::End::done;
    }
    return result;
}

SignInSubjects subjects_in_session(const model::OpenSession& session, const Client& client) {
    return subjects_of(session.caller.tenant.name, session.caller.user.name, client.address);
}

}  // namespace

SignInResult sign_in(store::Database& database, const SignInRequest& wanted,
                     const SignInRules& rules, base::Timestamp now,
                     const PasswordElsewhere& elsewhere) {
    SignInResult result{.tenant = wanted.tenant, .user = wanted.user, .client = wanted.client};
    const auto subjects = subjects_of(wanted.tenant, wanted.user, wanted.client.address);
    if (const auto wait = begin_sign_in(database, subjects, now)) {
        result.end = SignInResult::End::must_wait;
        result.wait = *wait;
        return result;
    }
    const auto account = find_account(database, wanted, rules);
    if (account) {
        result.user_id = account->user.id;
        result.tenant_id = account->tenant.id;
    }
    if (elsewhere && !has_password(account)) {
        result = ask_elsewhere(database, subjects, wanted, elsewhere);
        if (result.end != SignInResult::End::done) {
            // The tenant's administrators see who was tried.
            if (account && result.user_id.value == 0) {
                result.user_id = account->user.id;
                result.tenant_id = account->tenant.id;
            }
            return result;
        }
        database.write([&](store::Connection& connection) {
            end_sign_in(connection, subjects, good_at(result, now));
        });
        return result;
    }
    const auto is_right = compare_password(database, subjects, account, wanted.password);
    if (!is_right) {
        result.end = SignInResult::End::too_busy;
        result.wait = busy_wait;
        return result;
    }
    if (!*is_right || !may_come_in(*account, rules, now)) return result;
    result.end = SignInResult::End::done;
    result.stage = stage_after_password(*account);
    const auto newer = newer_hash(account->user, wanted.password);
    const bool is_as_before = database.write([&](store::Connection& connection) {
        if (!is_unchanged(connection, *account)) return false;
        if (newer) {
            store::update_password(connection, account->user.id, *newer,
                                   account->user.initial_until);
        }
        // Failures are forgotten when all of the sign-in was right.
        end_sign_in(connection, subjects, good_at(result, now));
        open_session(connection, result, rules, now, now);
        return true;
    });
    if (!is_as_before) result.end = SignInResult::End::wrong_password;
    return result;
}

void open_session(store::Connection& connection, SignInResult& result, const SignInRules& rules,
                  base::Timestamp now, base::Timestamp proven_at) {
    result.token = identity::new_token();
    const bool is_half = result.stage == model::SessionStage::code;
    const model::Session session{
        .stage = result.stage,
        .address = result.client.address,
        .agent = result.client.agent,
        .created_at = now,
        .last_used_at = now,
        .proven_at = proven_at,
        .expires_at = now + (is_half ? std::chrono::minutes{rules.code} : rules.session_length)};
    result.session = store::insert_session(connection, result.user_id, session,
                                           identity::hash_of_token(result.token));
    if (result.external) {
        store::insert_external_session(connection, result.session, *result.external);
    }
    if (!is_half) bound_sessions(connection, result, rules, now);
}

void bound_sessions(store::Connection& connection, const SignInResult& result,
                    const SignInRules& rules, base::Timestamp now) {
    const int ended = store::end_oldest_sessions(connection, result.user_id, rules.sessions, now);
    if (ended == 0) return;
    model::audit::Actor actor;
    actor.user = result.user_id;
    actor.name = result.user;
    actor.tenant = result.tenant;
    actor.client = result.client.address;
    base::Json after;
    after["ended"] = ended;
    after["atOnce"] = rules.sessions;
    audit_as(connection, actor,
             {.action = "user.end-oldest-sessions",
              .object = {.kind = "user",
                         .id = std::to_string(result.user_id.value),
                         .name = result.user},
              .after = std::move(after),
              .chain = result.tenant_id});
    end_views_of_ended_sessions(connection, result.user_id);
}

SignInResult prove_by_password(store::Database& database, const model::OpenSession& session,
                               const base::Secret& password, const Client& client,
                               base::Timestamp now, const PasswordElsewhere& elsewhere) {
    const auto subjects = subjects_in_session(session, client);
    auto result = compare_in_session(database, session, subjects, password, client, now, elsewhere);
    if (result.end != SignInResult::End::done) return result;
    result.token = identity::new_token();
    const std::string token_hash = identity::hash_of_token(result.token);
    const bool is_there = database.write([&](store::Connection& connection) {
        end_sign_in(connection, subjects, now);
        return store::replace_token(connection, session.session.id,
                                    {.token_hash = token_hash,
                                     .stage = session.session.stage,
                                     .proven_at = proven_by_password(connection, session, now),
                                     .expires_at = session.session.expires_at},
                                    now);
    });
    result.end = is_there ? SignInResult::End::done : SignInResult::End::no_first_step;
    result.session = session.session.id;
    return result;
}

SignInResult check_own_password(store::Database& database, const model::OpenSession& session,
                                const base::Secret& password, const Client& client,
                                base::Timestamp now) {
    const auto subjects = subjects_in_session(session, client);
    auto result = compare_in_session(database, session, subjects, password, client, now, {});
    if (result.end == SignInResult::End::done) {
        database.write(
            [&](store::Connection& connection) { end_sign_in(connection, subjects, {}); });
    }
    return result;
}

std::optional<model::OpenSession> use_session(store::Database& database,
                                              const std::string& token_hash,
                                              const SignInRules& rules, base::Timestamp now) {
    auto found = database.look([&](store::Connection& connection) {
        return store::find_session(connection, token_hash, now, now - rules.session_idle);
    });
    if (!found || now - found->session.last_used_at < rules.touch()) return found;
    try {
        database.write([&](store::Connection& connection) {
            store::touch_session(connection, found->session.id, now);
        });
    } catch (const store::DatabaseUnavailable&) {
        // A page that only reads must not fail because the database does not take changes.
    }
    return found;
}

}  // namespace provisioner::operations
