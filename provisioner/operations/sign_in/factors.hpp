#pragma once

#include <string>
#include <vector>

#include "provisioner/operations/refusal.hpp"
#include "provisioner/operations/sign_in/second_step.hpp"
#include "provisioner/store/sign_in/factor_store.hpp"

namespace provisioner::operations {

// The second factor: an app that shows codes (RFC 6238) or security keys (security_keys.hpp), with
// recovery codes for the day on which they are lost. identity/codes computes, the database keeps
// secrets sealed and codes hashed.

/// Who wants a second factor of a user: if both do, the installation.
enum class FactorDemand { nobody, tenant, installation };
FactorDemand factor_demand(store::Connection& connection, const SignInRules& rules,
                           const model::User& user);

/// Whether the installation or the user's tenant wants a second factor of this user.
bool must_have_factor(store::Connection& connection, const SignInRules& rules,
                      const model::User& user);

/// What comes before the second factor when a user logs in.
enum class FirstFactor {
    /// A password, of this installation or of a directory.
    password,
    /// A provider of OpenID Connect.
    provider,
    /// One that is trusted to ask for the second factor itself.
    trusted_provider,
};
FirstFactor first_factor_of(store::Connection& connection, model::UserId user);

/// What the page of the factor shows.
struct FactorView {
    /// An app or a key.
    bool has_factor = false;
    bool has_app = false;
    /// When the app was set up.
    base::Timestamp since{};
    int recovery_codes = 0;
    /// Of an app that is being set up; else empty.
    base::Secret secret{};
    std::vector<model::SecurityKey> keys{};
};

/// The factors of the session's user. Without an app, a secret is made and kept until it is
/// confirmed. It belongs to this session: whoever saw it in another one knows nothing of the app.
FactorView begin_factor(store::Database& database, const model::OpenSession& session,
                        base::Timestamp now);
/// The same without making one.
FactorView view_factor(store::Connection& connection, model::UserId user);

/// When somebody counts as having proved who they are once the session's password was right: now.
/// Who has a second factor proves it with that alone, so for them it stays what it was.
base::Timestamp proven_by_password(store::Connection& connection, const model::OpenSession& session,
                                   base::Timestamp now);

/// Checks the first code of an app and turns it on (take_new_factor).
FactorConfirmed confirm_factor(store::Database& database, const model::OpenSession& session,
                               const std::string& code, const Client& client, base::Timestamp now);

/// The second step of a sign-in, or the proof of a session that is open: a code of the app, or a
/// recovery code, which is used up (take_second_step). Of the latter the user is told by mail, if
/// they get any.
SignInResult give_code(store::Database& database, const model::OpenSession& session,
                       const std::string& code, const Client& client, const SignInRules& rules,
                       base::Timestamp now);

/// New recovery codes in place of all others. Refused with conflict without a factor.
Result<std::vector<base::Secret>> replace_recovery_codes(store::Database& database,
                                                         const model::Caller& caller);

/// Removes one factor of the session's user; the other sessions end. Without any left, where one is
/// demanded, this session may do nothing but set one up. Requests of one user are done one by one.
/// Refused with conflict and not_found when there is none, and with conflict when the session has
/// ended meanwhile.
Result<void> remove_app(store::Database& database, const model::OpenSession& session,
                        const SignInRules& rules);
Result<void> remove_security_key(store::Database& database, const model::OpenSession& session,
                                 std::int64_t key, const SignInRules& rules);

/// Removes all factors of a user whom the caller administers, and ends that user's sessions.
/// Refused with not_found, with conflict without a factor, and as check_still_administers().
Result<void> remove_factors_of(store::Database& database, const model::Caller& caller,
                               const std::string& tenant, const std::string& user);

/// Who has to have a second factor in a tenant, besides those of whom the installation wants one:
/// for the tenant's administrators, and superadmins. Whoever has none is led to set one up at the
/// next sign-in. The log of the tenant has it. Refused with not_found.
Result<void> require_second_factor(store::Database& database, const model::Caller& caller,
                                   const std::string& tenant, model::SecondFactorFor who);

/// The place to which the secret of a user's app is sealed.
std::string place_of_factor(model::UserId user);

}  // namespace provisioner::operations
