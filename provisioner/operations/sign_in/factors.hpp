#pragma once

#include <string>
#include <vector>

#include "provisioner/operations/refusal.hpp"
#include "provisioner/operations/sign_in/sign_in.hpp"
#include "provisioner/store/sign_in/factor_store.hpp"

namespace provisioner::operations {

// The second factor: an app that shows codes (RFC 6238), with recovery codes for the day on which
// it is lost. identity/codes computes, the database keeps secrets sealed and codes hashed.

/// Whether the installation wants a second factor of this user.
bool must_have_factor(const SignInRules& rules, const model::User& user);

/// What the page of the factor shows.
struct FactorView {
    bool has_factor = false;
    base::Timestamp since{};
    int recovery_codes = 0;
    /// Of a factor that is being set up; else empty.
    base::Secret secret{};
};

/// The factor of the caller. Without one, a secret is made and kept until it is confirmed.
FactorView begin_factor(store::Database& database, const model::Caller& caller,
                        base::Timestamp now);
/// The same without making one.
FactorView view_factor(store::Database& database, const model::Caller& caller);

/// The end of setting up a factor.
struct FactorConfirmed {
    SignInResult result{};
    /// To be shown once, when `result` is done.
    std::vector<base::Secret> recovery_codes{};
};

/// Checks the first code of a factor and turns it on. Ends all other sessions and gives this one a
/// new token.
FactorConfirmed confirm_factor(store::Database& database, const model::OpenSession& session,
                               const std::string& code, const Client& client,
                               const SignInRules& rules, base::Timestamp now);

/// The second step of a sign-in, or the proof of a session that is open: a code of the app, or a
/// recovery code, which is used up. Failures are counted for the user, wherever they come from.
/// Done: the session has a new token, and its stage follows.
SignInResult give_code(store::Database& database, const model::OpenSession& session,
                       const std::string& code, const Client& client, const SignInRules& rules,
                       base::Timestamp now);

/// New recovery codes in place of all others. Refused with conflict without a factor.
Result<std::vector<base::Secret>> replace_recovery_codes(store::Database& database,
                                                         const model::Caller& caller);

/// Turns off the factor of the caller, or of a user whom the caller administers; that user's
/// sessions end. Refused with not_found, and with conflict without a factor.
Result<void> remove_factor(store::Database& database, const model::Caller& caller,
                           const std::string& tenant, const std::string& user,
                           model::SessionId kept);

/// The place to which the secret of a user's app is sealed.
std::string place_of_factor(model::UserId user);

}  // namespace provisioner::operations
