#include "provisioner/operations/sign_in/second_step.hpp"

#include "provisioner/identity/codes/one_time_codes.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/sign_in/throttle.hpp"
#include "provisioner/operations/sign_in/viewing.hpp"
#include "provisioner/store/sign_in/external_store.hpp"
#include "provisioner/store/sign_in/factor_store.hpp"
#include "provisioner/store/sign_in/session_store.hpp"

namespace provisioner::operations {

namespace {

/// Rolls a transaction back.
struct SessionIsOver {};

SignInResult attempt_of(const model::OpenSession& session, const std::string& given,
                        const Client& client) {
    const model::Caller& caller = session.caller;
    return {.end = SignInResult::End::wrong_code,
            .tenant = caller.tenant.name,
            .user = caller.user.name,
            .client = client,
            .given = given,
            .user_id = caller.user.id,
            .tenant_id = caller.tenant.id};
}

/// Counts the attempt, unless too many have failed: then the result says so and is true.
bool has_to_wait(store::Database& database, SignInResult& result, base::Timestamp now) {
    const auto wait =
        begin_code(database, code_subjects(result.user_id.value, result.client.address), now);
    if (!wait) return false;
    result.end = SignInResult::End::must_wait;
    result.wait = *wait;
    return true;
}

/// The first step was right, too: its failures from here are forgotten, and the network is one of
/// the owner.
void remember_sign_in(store::Connection& connection, const SignInResult& result,
                      base::Timestamp now) {
    const auto subjects = subjects_of(result.tenant, result.user, result.client.address);
    store::delete_failures_of(connection, subjects.account_and_address);
    store::remember_subject(connection, subjects.known, now);
    const auto external = store::find_external_user(connection, result.user_id);
    if (!external) return;
    const auto elsewhere =
        directory_subjects(external->provider.value, external->subject, result.client.address);
    store::delete_failures_of(connection, elsewhere.account_and_address);
    store::remember_subject(connection, elsewhere.known, now);
}

model::SessionStage stage_after_code(const model::OpenSession& session) {
    if (session.session.stage != model::SessionStage::code) return session.session.stage;
    return session.caller.user.initial_until ? model::SessionStage::password
                                             : model::SessionStage::open;
}

}  // namespace

SignInResult take_second_step(store::Database& database, const model::OpenSession& session,
                              const std::string& given, const FactorCheck& check,
                              const Client& client, const SignInRules& rules, base::Timestamp now) {
    SignInResult result = attempt_of(session, given, client);
    if (has_to_wait(database, result, now)) return result;
    const bool is_sign_in = session.session.stage == model::SessionStage::code;
    const auto expires_at = is_sign_in ? now + rules.session_length : session.session.expires_at;
    const base::Secret token = identity::new_token();
    const std::string token_hash = identity::hash_of_token(token);
    result.stage = stage_after_code(session);
    result.end = database.write([&](store::Connection& connection) {
        const auto right = check(connection);
        result.given = right.value_or(given);
        if (!right) return SignInResult::End::wrong_code;
        end_code(connection, code_subjects(result.user_id.value, client.address), now);
        if (is_sign_in) remember_sign_in(connection, result, now);
        const bool is_there = store::replace_token(connection, session.session.id,
                                                   {.token_hash = token_hash,
                                                    .stage = result.stage,
                                                    .proven_at = now,
                                                    .expires_at = expires_at},
                                                   now);
        if (!is_there) return SignInResult::End::no_first_step;
        if (is_sign_in) bound_sessions(connection, result, rules, now);
        return SignInResult::End::done;
    });
    if (result.end != SignInResult::End::done) return result;
    result.session = session.session.id;
    result.token = token;
    return result;
}

FactorConfirmed take_new_factor(store::Database& database, const model::OpenSession& session,
                                const std::string& given, const FactorCheck& check,
                                const Client& client, base::Timestamp now) {
    FactorConfirmed confirmed{.result = attempt_of(session, given, client)};
    SignInResult& result = confirmed.result;
    if (has_to_wait(database, result, now)) return confirmed;
    const base::Secret token = identity::new_token();
    const std::string token_hash = identity::hash_of_token(token);
    const auto stage = session.session.stage == model::SessionStage::factor
                           ? model::SessionStage::open
                           : session.session.stage;
    const auto add = [&](store::Connection& connection) {
        confirmed.recovery_codes.clear();
        const auto added = check(connection);
        if (!added) return false;
        end_code(connection, code_subjects(result.user_id.value, client.address), now);
        store::end_sessions(connection, result.user_id, session.session.id);
        // Somebody has ended the session meanwhile: then nothing of this has been.
        if (!store::replace_token(connection, session.session.id,
                                  {.token_hash = token_hash,
                                   .stage = stage,
                                   .proven_at = now,
                                   .expires_at = session.session.expires_at},
                                  now)) {
            throw SessionIsOver{};
        }
        if (store::count_recovery_codes(connection, result.user_id) == 0) {
            confirmed.recovery_codes = make_recovery_codes(connection, result.user_id);
        }
        base::Json after;
        after["factor"] = *added;
        audit_user(connection, session.caller, "user.add-factor", session.caller.user, {}, after);
        end_views_of_ended_sessions(connection, result.user_id);
        return true;
    };
    try {
        if (!database.write(add)) return confirmed;
    } catch (const SessionIsOver&) {
        confirmed.recovery_codes.clear();
        result.end = SignInResult::End::no_first_step;
        return confirmed;
    }
    result.end = SignInResult::End::done;
    result.stage = stage;
    result.session = session.session.id;
    result.token = token;
    return confirmed;
}

std::vector<base::Secret> make_recovery_codes(store::Connection& connection, model::UserId user) {
    auto codes = identity::new_recovery_codes();
    std::vector<std::string> hashes;
    for (const auto& code : codes) hashes.push_back(identity::hash_of_recovery_code(code.reveal()));
    store::save_recovery_codes(connection, user, hashes);
    return codes;
}

}  // namespace provisioner::operations
