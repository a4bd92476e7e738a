#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/operations/sign_in/sign_in.hpp"
#include "provisioner/store/sign_in/security_key_store.hpp"

namespace provisioner::operations {

// What every second factor has in common: attempts are counted for the user, wherever they come
// from; what is right opens the session under a new token.

/// Looks at what was given, within the transaction that will open the session, and uses it up.
/// Returns what it was, in words for the record ("code"); nothing when it is wrong.
using FactorCheck = std::function<std::optional<std::string>(store::Connection&)>;

/// The second step of a sign-in, or the proof of a session that is open. Done: the session has a
/// new token, and its stage follows. `given` is what a wrong attempt is called.
SignInResult take_second_step(store::Database& database, const model::OpenSession& session,
                              const std::string& given, const FactorCheck& check,
                              const Client& client, const SignInRules& rules, base::Timestamp now);

/// The end of setting up a factor.
struct FactorConfirmed {
    SignInResult result{};
    /// What is wrong with other fields of the form; nothing was tried then.
    base::Problems problems{};
    /// To be shown once. Empty unless `result` is done and there were none before.
    std::vector<base::Secret> recovery_codes{};
};

/// Stores a new factor: `check` does, and says what it is. Ends all other sessions and gives this
/// one a new token. The first factor comes with recovery codes.
FactorConfirmed take_new_factor(store::Database& database, const model::OpenSession& session,
                                const std::string& given, const FactorCheck& check,
                                const Client& client, base::Timestamp now);

/// New recovery codes of a user in place of all others.
std::vector<base::Secret> make_recovery_codes(store::Connection& connection, model::UserId user);

}  // namespace provisioner::operations
