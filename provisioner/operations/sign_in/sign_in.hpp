#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "provisioner/base/secret.hpp"
#include "provisioner/model/tenants/session.hpp"
#include "provisioner/operations/sign_in/rules.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/sign_in/external_store.hpp"

namespace provisioner::operations {

/// The browser that asks.
struct Client {
    /// Its address, as the web server sees it.
    std::string address{};
    /// Its User-Agent.
    std::string agent{};
};

/// The first step of a sign-in, as typed.
struct SignInRequest {
    std::string tenant{};
    std::string user{};
    base::Secret password{};
    Client client{};
};

/// How an attempt to sign in, or a step of it, has ended. Every attempt ends in one of these, so
/// one call can record it.
struct SignInResult {
    enum class End {
        /// There is a session; `stage` says what for.
        done,
        /// Tenant, user or password is wrong, the user is disabled, or an initial password has
        /// expired. These are not told apart.
        wrong_password,
        /// The code of the second factor is wrong or was used before.
        wrong_code,
        /// The first step was too long ago, or never was.
        no_first_step,
        /// Refused after too many failures, without a look at the password: the right one gets the
        /// same answer.
        must_wait,
        /// Too many passwords are being checked at this moment. It does not count as a failure.
        too_busy,
        /// The identity provider does not answer. It does not count as a failure.
        provider_away,
        /// The identity provider said no, or what it said is not right.
        provider_refused,
        /// The identity provider knows the person, and its rules have no place for them.
        not_admitted,
    };

    End end = End::wrong_password;
    /// For the record: what was typed, and from where.
    std::string tenant{};
    std::string user{};
    Client client{};
    /// "password", "code", "recovery code", or "provider" and its name: what was given.
    std::string given = "password";
    /// 0 if there is no such user, or nothing was looked up.
    model::UserId user_id{};
    model::TenantId tenant_id{};
    /// End::done: the new session.
    model::SessionStage stage = model::SessionStage::open;
    model::SessionId session{};
    /// End::done: the value of its cookie.
    base::Secret token{};
    /// End::must_wait and too_busy.
    std::chrono::seconds wait{};
    /// A sentence for the person, where an identity provider was asked. It is recorded.
    std::string reason{};
    /// What the person can do then, as a sentence behind it; empty: nothing. It is not recorded.
    std::string advice{};
    /// For those who may read the audit log: what was wrong with the identity provider's answer, or
    /// whom it named if no rule fits.
    /// Without secrets, but partly in the words of that provider.
    std::string technical_reason{};
    /// Who said that it is this person, if not we.
    std::optional<store::ExternalSession> external{};
};

/// Asked for the password of names that have none here; says how it ended. For sign_in() it opens
/// the session, too, in the transaction that decides.
using PasswordElsewhere = std::function<SignInResult(const SignInRequest&)>;

/// Checks a password and begins a session. All wrong attempts take the same time and are not told
/// apart: an unknown user is compared with a decoy. One call costs tens of milliseconds and 19 MiB
/// (Argon2id) and three transactions; one that has to wait costs one read.
SignInResult sign_in(store::Database& database, const SignInRequest& wanted,
                     const SignInRules& rules, base::Timestamp now,
                     const PasswordElsewhere& elsewhere = {});

/// Begins the session of a sign-in that is right: `result` has user and stage, and gets session and
/// token. `proven_at` is when the person last gave a password or code.
void open_session(store::Connection& connection, SignInResult& result, const SignInRules& rules,
                  base::Timestamp now, base::Timestamp proven_at);

/// Ends the sessions of a user that nobody has used for longest, where there are more than the
/// rules allow. Half sign-ins do not count, so that they push nobody out.
void bound_sessions(store::Connection& connection, const SignInResult& result,
                    const SignInRules& rules, base::Timestamp now);

/// The answer to too many hashes.
constexpr std::chrono::seconds busy_wait{2};

/// Checks the password of a user who is signed in, before something dangerous. Counted as a sign-in
/// of that user from that client. Done: the session has been proven anew and has a new token.
SignInResult prove_by_password(store::Database& database, const model::OpenSession& session,
                               const base::Secret& password, const Client& client,
                               base::Timestamp now, const PasswordElsewhere& elsewhere = {});

/// The same, but a right password proves nothing and leaves the session and its token as they are:
/// for a form that is refused for another reason. Wrong ones count as above; a right one takes back
/// nothing but its own attempt.
SignInResult check_own_password(store::Database& database, const model::OpenSession& session,
                                const base::Secret& password, const Client& client,
                                base::Timestamp now);

/// The session of a token, with the limits of `rules`. Records its use now and then.
std::optional<model::OpenSession> use_session(store::Database& database,
                                              const std::string& token_hash,
                                              const SignInRules& rules, base::Timestamp now);

}  // namespace provisioner::operations

namespace provisioner::base {

/// Words for logs and records.
template <>
inline constexpr std::array words<operations::SignInResult::End>{
    std::pair{operations::SignInResult::End::done, std::string_view("done")},
    std::pair{operations::SignInResult::End::wrong_password, std::string_view("wrong_password")},
    std::pair{operations::SignInResult::End::wrong_code, std::string_view("wrong_code")},
    std::pair{operations::SignInResult::End::no_first_step, std::string_view("no_first_step")},
    std::pair{operations::SignInResult::End::must_wait, std::string_view("must_wait")},
    std::pair{operations::SignInResult::End::too_busy, std::string_view("too_busy")},
    std::pair{operations::SignInResult::End::provider_away, std::string_view("provider_away")},
    std::pair{operations::SignInResult::End::provider_refused,
              std::string_view("provider_refused")},
    std::pair{operations::SignInResult::End::not_admitted, std::string_view("not_admitted")}};

}  // namespace provisioner::base
