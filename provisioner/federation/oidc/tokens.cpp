#include "provisioner/federation/oidc/tokens.hpp"

#include <cjose/cjose.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>

#include "provisioner/federation/base64url.hpp"
#include "provisioner/identity/constant_time.hpp"
#include "provisioner/identity/sha256.hpp"

namespace provisioner::federation {

using base::Json;
using base::unexpected;

namespace {

constexpr std::size_t longest_token = 65'536;
constexpr std::size_t most_keys = 100;
constexpr std::size_t longest_subject = 255;
constexpr int least_rsa_bits = 2048;
constexpr std::chrono::minutes oldest_message{10};

struct Algorithm {
    const char* name;
    const char* key_type;
};
constexpr std::array algorithms{Algorithm{"RS256", "RSA"}, Algorithm{"PS256", "RSA"},
                                Algorithm{"ES256", "EC"}};

// Values of amr (RFC 8176). Only "mfa" stands for two factors by itself: who has a one-time
// password, a key in hardware or a card has shown that, and nothing else.
constexpr std::string_view two_factors = "mfa";
constexpr std::array<std::string_view, 3> knowledge{"pwd", "pin", "kba"};
constexpr std::array<std::string_view, 5> possession{"swk", "hwk", "pop", "otp", "sc"};
constexpr std::array<std::string_view, 5> inherence{"fpt", "face", "iris", "retina", "vbm"};

struct KeyRelease {
    void operator()(cjose_jwk_t* key) const { cjose_jwk_release(key); }
};
struct SignedRelease {
    void operator()(cjose_jws_t* text) const { cjose_jws_release(text); }
};

unexpected<TokenProblem> refused(std::string reason, bool lacks_key = false) {
    return unexpected(TokenProblem{.reason = std::move(reason), .lacks_key = lacks_key});
}

std::optional<Json> part_of(const std::string& token, int number) {
    std::size_t begin = 0;
    for (int i = 0; i < number; ++i) begin = token.find('.', begin) + 1;
    const auto end = token.find('.', begin);
    const auto text = from_base64url(std::string_view(token).substr(begin, end - begin));
    auto json = text ? base::parse_json(*text) : std::nullopt;
    if (!json || !json->is_object()) return std::nullopt;
    return json;
}

bool has_three_parts(const std::string& token) {
    return token.size() <= longest_token && std::count(token.begin(), token.end(), '.') == 2;
}

/// The length of a number: leading zeros, bytes or bits, do not make a key stronger.
int bits_of(std::string_view number) {
    const auto first = std::ranges::find_if(number, [](char c) { return c != 0; });
    if (first == number.end()) return 0;
    const auto rest = static_cast<int>(number.end() - first) - 1;
    return rest * 8 + std::bit_width(static_cast<unsigned char>(*first));
}

/// A key without what is private: a provider that publishes that is not to be helped.
bool can_verify(const Json& key) {
    const std::string type = base::text_at(key, "kty");
    const std::string use = base::text_at(key, "use");
    if (!use.empty() && use != "sig") return false;
    if (type == "EC") return base::text_at(key, "crv") == "P-256";
    if (type != "RSA") return false;
    const auto modulus = from_base64url(base::text_at(key, "n"));
    return modulus && bits_of(*modulus) >= least_rsa_bits;
}

bool fits(const Json& key, const Algorithm& algorithm, const std::string& id) {
    const std::string own = base::text_at(key, "alg");
    return base::text_at(key, "kty") == algorithm.key_type &&
           (own.empty() || own == algorithm.name) &&
           (id.empty() || base::text_at(key, "kid") == id);
}

std::optional<std::string> verified(const std::string& token, const Json& key) {
    cjose_err error{};
    const std::string text = key.dump();
    const std::unique_ptr<cjose_jwk_t, KeyRelease> jwk(
        cjose_jwk_import(text.data(), text.size(), &error));
    const std::unique_ptr<cjose_jws_t, SignedRelease> jws(
        jwk ? cjose_jws_import(token.data(), token.size(), &error) : nullptr);
    if (!jws || !cjose_jws_verify(jws.get(), jwk.get(), &error)) return std::nullopt;
    std::uint8_t* payload = nullptr;
    std::size_t length = 0;
    if (!cjose_jws_get_plaintext(jws.get(), &payload, &length, &error)) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(payload), length);
}

bool is_for(const Json& claims, const std::string& client) {
    const Json* audience = base::member(claims, "aud");
    if (audience == nullptr) return false;
    if (audience->is_string()) return *audience == client;
    const auto all = base::strings_of(audience);
    if (std::find(all.begin(), all.end(), client) == all.end()) return false;
    // Meant for several: it has to say who asked for it.
    return all.size() == 1 || base::text_at(claims, "azp") == client;
}

std::string problem_with_times(const Json& claims, const TokenExpectation& expected,
                               bool must_expire) {
    const auto expires = time_claim(claims, "exp");
    const auto issued = time_claim(claims, "iat");
    const bool has_start = base::member(claims, "nbf") != nullptr;
    const auto start = time_claim(claims, "nbf");
    if (!issued || (must_expire && !expires)) return "the token does not say when it was made";
    if (has_start && !start) return "nbf is no time";
    if (base::member(claims, "exp") != nullptr && !expires) return "exp is no time";
    if (expires && expected.now >= *expires + expected.skew) return "the token has expired";
    if (*issued > expected.now + expected.skew) return "the token is from the future";
    if (start && *start > expected.now + expected.skew) return "the token is not valid yet";
    return "";
}

/// The left half of the hash of an access token (OpenID Connect Core, 3.1.3.6). All algorithms that
/// are accepted have SHA-256.
std::string half_hash(const std::string& access_token) {
    identity::Sha256 hash;
    hash.add(access_token);
    return base64url(bytes_of_hex(hash.finish()).substr(0, 16));
}

base::expected<Json, TokenProblem> verified_claims(const std::string& token, const KeySet& keys) {
    if (!has_three_parts(token)) return refused("this is no signed token");
    const auto header = part_of(token, 0);
    if (!header) return refused("the token has no header");
    const std::string name = base::text_at(*header, "alg");
    const auto* algorithm = std::find_if(algorithms.begin(), algorithms.end(),
                                         [&](const Algorithm& one) { return name == one.name; });
    if (algorithm == algorithms.end())
        return refused("the token is not signed by RS256, PS256 or ES256");
    if (base::member(*header, "crit") != nullptr) return refused("the token has critical headers");
    const std::string id = base::text_at(*header, "kid");
    bool has_key = false;
    for (const Json& key : keys.keys) {
        if (!fits(key, *algorithm, id)) continue;
        has_key = true;
        const auto payload = verified(token, key);
        if (!payload) continue;
        auto claims = base::parse_json(*payload);
        if (!claims || !claims->is_object()) return refused("the token holds no claims");
        return *std::move(claims);
    }
    if (!has_key) return refused("the provider has no key such as the token names", true);
    return refused("the signature is wrong", id.empty());
}

base::expected<Json, TokenProblem> checked_claims(const std::string& token, const KeySet& keys,
                                                  const TokenExpectation& expected,
                                                  bool must_expire) {
    auto claims = verified_claims(token, keys);
    if (!claims) return claims;
    if (base::text_at(*claims, "iss") != expected.issuer) {
        return refused("the token is of another issuer");
    }
    if (!is_for(*claims, expected.client_id)) return refused("the token is for somebody else");
    const std::string azp = base::text_at(*claims, "azp");
    if (!azp.empty() && azp != expected.client_id) return refused("the token is for somebody else");
    std::string wrong = problem_with_times(*claims, expected, must_expire);
    if (!wrong.empty()) return refused(std::move(wrong));
    return claims;
}

}  // namespace

std::optional<KeySet> key_set_from(const std::string& text) {
    const auto json = base::parse_json(text);
    const Json* keys = json ? base::member(*json, "keys") : nullptr;
    if (keys == nullptr || !keys->is_array()) return std::nullopt;
    KeySet set;
    for (const Json& key : *keys) {
        if (set.keys.size() == most_keys) break;
        if (key.is_object() && can_verify(key)) set.keys.push_back(key);
    }
    return set;
}

base::expected<Json, TokenProblem> check_id_token(const std::string& token, const KeySet& keys,
                                                  const IdTokenExpectation& expected) {
    auto claims = checked_claims(token, keys, expected.common, true);
    if (!claims) return claims;
    const std::string nonce = base::text_at(*claims, "nonce");
    if (!identity::are_equal_in_constant_time(nonce, expected.nonce)) {
        return refused("the token belongs to another sign-in");
    }
    const std::string subject = base::text_at(*claims, "sub");
    if (subject.empty() || subject.size() > longest_subject) {
        return refused("the token does not say who signed in");
    }
    const bool has_hash = base::member(*claims, "at_hash") != nullptr;
    if (has_hash && base::text_at(*claims, "at_hash") != half_hash(expected.access_token)) {
        return refused("the access token belongs to another sign-in");
    }
    if (expected.signed_in_since) {
        const auto when = time_claim(*claims, "auth_time");
        if (!when || *when + expected.common.skew < *expected.signed_in_since) {
            return refused("the provider did not ask for the password again");
        }
    }
    return claims;
}

base::expected<LogoutMessage, TokenProblem> check_logout_token(const std::string& token,
                                                               const KeySet& keys,
                                                               const TokenExpectation& expected,
                                                               bool takes_plain_type) {
    if (!has_three_parts(token)) return refused("this is no signed token");
    const auto header = part_of(token, 0);
    const std::string type =
        header ? base::in_small_letters(base::text_at(*header, "typ")) : std::string();
    const bool is_plain = type.empty() || type == "jwt";
    if (type != "logout+jwt" && !(is_plain && takes_plain_type)) {
        return refused(is_plain ? "the type of the message is not logout+jwt"
                                : "this is no logout token");
    }
    // exp became required only in a later edition; iat bounds the age here.
    const auto claims = checked_claims(token, keys, expected, false);
    if (!claims) return unexpected(claims.error());
    const auto issued = time_claim(*claims, "iat");
    if (!issued || *issued + oldest_message < expected.now) return refused("the message is old");
    const Json* events = base::member(*claims, "events");
    constexpr auto event = "http://schemas.openid.net/event/backchannel-logout";
    const Json* logout = events == nullptr ? nullptr : base::member(*events, event);
    if (logout == nullptr || !logout->is_object()) return refused("this is no logout token");
    if (base::member(*claims, "nonce") != nullptr) return refused("this is an ID token");
    LogoutMessage message{.subject = base::text_at(*claims, "sub"),
                          .sid = base::text_at(*claims, "sid"),
                          .id = base::text_at(*claims, "jti")};
    if (message.id.empty()) return refused("the message has no jti");
    if (message.subject.empty() && message.sid.empty()) {
        return refused("the message names neither user nor session");
    }
    return message;
}

bool says_second_factor(const Json& claims, const std::vector<std::string>& acr_values) {
    const std::string acr = base::text_at(claims, "acr");
    if (!acr.empty() && std::ranges::find(acr_values, acr) != acr_values.end()) return true;
    const Json* amr = base::member(claims, "amr");
    if (amr == nullptr) return false;
    const auto methods = base::strings_of(amr);
    const auto has_any = [&](const auto& wanted) {
        return std::ranges::any_of(wanted, [&](std::string_view one) {
            return std::ranges::find(methods, one) != methods.end();
        });
    };
    if (has_any(std::array{two_factors})) return true;
    return (has_any(knowledge) ? 1 : 0) + (has_any(possession) ? 1 : 0) +
               (has_any(inherence) ? 1 : 0) >
           1;
}

std::string claimed_issuer(const std::string& token) {
    if (!has_three_parts(token)) return "";
    const auto claims = part_of(token, 1);
    return claims ? base::text_at(*claims, "iss") : "";
}

std::optional<base::Timestamp> time_claim(const Json& claims, const char* name) {
    const Json* value = base::member(claims, name);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    constexpr double latest = 253'402'300'799.0;
    const double seconds = value->get<double>();
    if (!(seconds >= 0 && seconds <= latest)) return std::nullopt;
    return base::Timestamp{} + std::chrono::seconds{static_cast<std::int64_t>(seconds)};
}

}  // namespace provisioner::federation
