#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/expected.hpp"
#include "provisioner/base/json.hpp"

namespace provisioner::federation {

/// The keys that a provider publishes (RFC 7517), those that cannot sign left out.
struct KeySet {
    std::vector<base::Json> keys{};
};

/// The keys of a JWKS document; nothing if it is none. At most 100 count.
std::optional<KeySet> key_set_from(const std::string& text);

/// What a token has to say.
struct TokenExpectation {
    std::string issuer{};
    std::string client_id{};
    base::Timestamp now{};
    /// How far clocks may differ.
    std::chrono::seconds skew{60};
};

/// Why a token is refused.
struct TokenProblem {
    /// For the log and the audit log; says nothing that was in the token.
    std::string reason{};
    /// None of the keys is the one that it names: the provider may have a new one.
    bool lacks_key = false;
};

/// What an ID token has to say besides.
struct IdTokenExpectation {
    TokenExpectation common{};
    std::string nonce{};
    /// Checked against at_hash if the token has one; empty: none was given.
    std::string access_token{};
    /// Set: the person has to have given the password since then.
    std::optional<base::Timestamp> signed_in_since{};
};

/// The claims of an ID token in which everything is right, `sub` included: the signature is RS256,
/// PS256 or ES256 by a key of the set, of the kind that the algorithm needs, and nothing in the
/// token chooses anything else; issuer, audience, times and nonce fit (OpenID Connect
/// Core, 3.1.3.7).
base::expected<base::Json, TokenProblem> check_id_token(const std::string& token,
                                                        const KeySet& keys,
                                                        const IdTokenExpectation& expected);

/// A message of a provider that ends sessions (OpenID Connect Back-Channel Logout, 2.6).
struct LogoutMessage {
    std::string subject{};
    std::string sid{};
    /// What makes it one of its kind.
    std::string id{};
};

/// Its type has to be "logout+jwt", so that no other token of the provider can be taken for one.
/// `takes_plain_type`: "JWT" and none will do, for providers that do not know better.
base::expected<LogoutMessage, TokenProblem> check_logout_token(const std::string& token,
                                                               const KeySet& keys,
                                                               const TokenExpectation& expected,
                                                               bool takes_plain_type = false);

/// Whether an ID token says that the person gave two factors: `acr` is one of `acr_values`, or
/// `amr` has a method that is two, or methods of two kinds (RFC 8176). Codes by text message count
/// for nothing.
bool says_second_factor(const base::Json& claims, const std::vector<std::string>& acr_values);

/// The issuer that a token names, without any check; empty if it has none.
std::string claimed_issuer(const std::string& token);

/// The value of a claim as a time: seconds since 1970.
std::optional<base::Timestamp> time_claim(const base::Json& claims, const char* name);

}  // namespace provisioner::federation
