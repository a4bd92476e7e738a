#include "provisioner/federation/oidc/tokens.hpp"

#include <cjose/cjose.h>

#include <boost/test/unit_test.hpp>
#include <memory>

#include "provisioner/federation/base64url.hpp"

using namespace provisioner;
using namespace provisioner::federation;
using namespace std::chrono_literals;
using base::Json;

BOOST_AUTO_TEST_SUITE(oidc_tokens)

namespace {

const base::Timestamp now = base::Timestamp{} + 1'800'000'000s;
constexpr long now_number = 1'800'000'000;

using Key = std::shared_ptr<cjose_jwk_t>;

Key owned(cjose_jwk_t* key) {
    BOOST_REQUIRE(key != nullptr);
    return {key, [](cjose_jwk_t* one) { cjose_jwk_release(one); }};
}

Key an_rsa_key(const std::string& id, std::size_t bits = 2048) {
    std::array<std::uint8_t, 3> exponent{1, 0, 1};
    cjose_err error{};
    auto key = owned(cjose_jwk_create_RSA_random(bits, exponent.data(), exponent.size(), &error));
    cjose_jwk_set_kid(key.get(), id.data(), id.size(), &error);
    return key;
}

Key an_ec_key(const std::string& id) {
    cjose_err error{};
    auto key = owned(cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_256, &error));
    cjose_jwk_set_kid(key.get(), id.data(), id.size(), &error);
    return key;
}

/// Its public half.
Json published(const Key& key, const Json& more = Json::object()) {
    cjose_err error{};
    char* text = cjose_jwk_to_json(key.get(), false, &error);
    Json json = Json::parse(text);
    free(text);
    json.update(more);
    return json;
}

std::string signed_by(const Key& key, const std::string& algorithm, const std::string& id,
                      const Json& claims, const std::string& type = {}) {
    cjose_err error{};
    cjose_header_t* header = cjose_header_new(&error);
    cjose_header_set(header, CJOSE_HDR_ALG, algorithm.c_str(), &error);
    if (!id.empty()) cjose_header_set(header, CJOSE_HDR_KID, id.c_str(), &error);
    if (!type.empty()) cjose_header_set(header, "typ", type.c_str(), &error);
    const std::string text = claims.dump();
    cjose_jws_t* made = cjose_jws_sign(
        key.get(), header, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), &error);
    BOOST_REQUIRE_MESSAGE(made != nullptr, error.message);
    const char* compact = nullptr;
    cjose_jws_export(made, &compact, &error);
    std::string token = compact;
    cjose_jws_release(made);
    cjose_header_release(header);
    return token;
}

Json good_claims() {
    return {{"iss", "https://id.example"}, {"aud", "cooperage"},    {"sub", "7"},
            {"exp", now_number + 300},     {"iat", now_number - 5}, {"nonce", "n-0"}};
}

/// One key of each kind, made once: RSA keys take a moment.
struct Provider {
    Key rsa = an_rsa_key("r");
    Key ec = an_ec_key("e");
    KeySet keys{{published(rsa), published(ec)}};
};

const Provider& provider() {
    static const Provider one;
    return one;
}

IdTokenExpectation expectation() {
    return {.common = {.issuer = "https://id.example", .client_id = "cooperage", .now = now},
            .nonce = "n-0"};
}

/// Why a token with these claims is refused; empty if it is not.
std::string problem_with(const Json& claims, const IdTokenExpectation& expected = expectation()) {
    const auto token = signed_by(provider().rsa, "RS256", "r", claims);
    const auto checked = check_id_token(token, provider().keys, expected);
    return checked ? "" : checked.error().reason;
}

std::string problem_with_change(const char* name, const Json& value) {
    Json claims = good_claims();
    claims[name] = value;
    return problem_with(claims);
}

std::string problem_without(const char* name) {
    Json claims = good_claims();
    claims.erase(name);
    return problem_with(claims);
}

std::string part(const Json& json) {
    return base64url(json.dump());
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_three_algorithms_are_accepted) {
    for (const auto& [algorithm, id] :
         {std::pair{"RS256", "r"}, std::pair{"PS256", "r"}, std::pair{"ES256", "e"}}) {
        const auto& key = std::string(id) == "r" ? provider().rsa : provider().ec;
        const auto token = signed_by(key, algorithm, id, good_claims());

        const auto claims = check_id_token(token, provider().keys, expectation());

        BOOST_REQUIRE_MESSAGE(claims.has_value(), algorithm);
        BOOST_TEST(base::text_at(*claims, "sub") == "7");
    }
}

BOOST_AUTO_TEST_CASE(no_other_algorithm_is) {
    for (const char* algorithm : {"RS384", "RS512", "PS384", "PS512"}) {
        const auto token = signed_by(provider().rsa, algorithm, "r", good_claims());
        BOOST_TEST(!check_id_token(token, provider().keys, expectation()).has_value(), algorithm);
    }
    for (const char* algorithm : {"none", "None", "NONE", ""}) {
        for (const std::string signature : {"", "AAAA"}) {
            const std::string token = part({{"alg", algorithm}, {"kid", "r"}}) + '.' +
                                      part(good_claims()) + '.' + signature;
            BOOST_TEST(!check_id_token(token, provider().keys, expectation()).has_value());
        }
    }
}

// The public key is no secret: whoever takes its text for one signs whatever they like.
BOOST_AUTO_TEST_CASE(a_public_key_is_no_secret_of_an_hmac) {
    const std::string text = published(provider().rsa).dump();
    cjose_err error{};
    const auto secret = owned(cjose_jwk_create_oct_spec(
        reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), &error));
    const auto token = signed_by(secret, "HS256", "r", good_claims());
    KeySet with_secret = provider().keys;
    // Nor does a key count that a provider should never have published.
    const auto set = key_set_from(
        Json{{"keys", {{{"kty", "oct"}, {"kid", "r"}, {"k", base64url(text)}}}}}.dump());

    BOOST_TEST(!check_id_token(token, with_secret, expectation()).has_value());
    BOOST_REQUIRE(set.has_value());
    BOOST_TEST(set->keys.empty());
}

BOOST_AUTO_TEST_CASE(the_signature_has_to_be_of_a_key_of_the_provider) {
    const auto stranger = an_rsa_key("r");
    const auto forged = signed_by(stranger, "RS256", "r", good_claims());
    BOOST_TEST(check_id_token(forged, provider().keys, expectation()).error().reason ==
               "the signature is wrong");

    const auto unknown = signed_by(stranger, "RS256", "other", good_claims());
    const auto checked = check_id_token(unknown, provider().keys, expectation());
    BOOST_REQUIRE(!checked.has_value());
    BOOST_TEST(checked.error().lacks_key);

    auto token = signed_by(provider().rsa, "RS256", "r", good_claims());
    Json other = good_claims();
    other["sub"] = "8";
    const auto first = token.find('.');
    const auto second = token.find('.', first + 1);
    token.replace(first + 1, second - first - 1, part(other));
    BOOST_TEST(!check_id_token(token, provider().keys, expectation()).has_value());
}

// A key in the token's own header is one that whoever made the token has chosen.
BOOST_AUTO_TEST_CASE(keys_in_headers_do_not_count) {
    const auto stranger = an_rsa_key("s");
    const std::string token = signed_by(stranger, "RS256", "", good_claims());
    const auto first = token.find('.');
    const std::string with_key =
        part({{"alg", "RS256"}, {"jwk", published(stranger)}}) + token.substr(first);
    BOOST_TEST(!check_id_token(with_key, provider().keys, expectation()).has_value());

    const std::string critical =
        part({{"alg", "RS256"}, {"kid", "r"}, {"crit", {"exp"}}}) + token.substr(first);
    BOOST_TEST(check_id_token(critical, provider().keys, expectation()).error().reason ==
               "the token has critical headers");
}

BOOST_AUTO_TEST_CASE(keys_for_other_uses_and_weak_ones_do_not_count) {
    const auto weak = an_rsa_key("w", 1024);
    const auto set = key_set_from(Json{
        {"keys",
         {published(provider().rsa, {{"use", "enc"}}), published(weak),
          published(provider().ec)}}}.dump());
    BOOST_REQUIRE(set.has_value());
    BOOST_TEST(set->keys.size() == 1U);
    BOOST_TEST(!key_set_from("{}").has_value());
    // Zeros in front make a number longer and no key stronger.
    Json padded = published(weak);
    padded["n"] =
        base64url(std::string(128, '\0') + from_base64url(base::text_at(padded, "n")).value());
    BOOST_TEST(key_set_from(Json{{"keys", {padded}}}.dump())->keys.empty());
    for (const std::size_t bits : {2040U, 2048U, 3072U}) {
        const Json keys{{"keys", {published(an_rsa_key("k", bits))}}};
        BOOST_TEST(key_set_from(keys.dump())->keys.size() == (bits < 2048U ? 0U : 1U), bits);
    }
    // A key says which algorithm it is for.
    const KeySet other{{published(provider().rsa, {{"alg", "PS256"}})}};
    const auto token = signed_by(provider().rsa, "RS256", "r", good_claims());
    BOOST_TEST(!check_id_token(token, other, expectation()).has_value());
}

BOOST_AUTO_TEST_CASE(a_token_is_for_us_and_of_this_provider) {
    BOOST_TEST(problem_with(good_claims()) == "");
    BOOST_TEST(problem_with_change("iss", "https://id.example/") ==
               "the token is of another issuer");
    BOOST_TEST(problem_with_change("iss", 7) == "the token is of another issuer");
    for (const Json& audience : {Json("other"), Json::array({"other"}), Json::array(), Json(7)}) {
        BOOST_TEST(problem_with_change("aud", audience) == "the token is for somebody else");
    }
    BOOST_TEST(problem_without("aud") == "the token is for somebody else");
    BOOST_TEST(problem_with_change("aud", Json::array({"cooperage"})) == "");
    BOOST_TEST(problem_with_change("aud", Json::array({"cooperage", "other"})) ==
               "the token is for somebody else");
    BOOST_TEST(problem_with_change("azp", "other") == "the token is for somebody else");
    Json several = good_claims();
    several["aud"] = Json::array({"cooperage", "other"});
    several["azp"] = "cooperage";
    BOOST_TEST(problem_with(several) == "");
}

BOOST_AUTO_TEST_CASE(a_token_is_of_this_moment) {
    BOOST_TEST(problem_with_change("exp", now_number - 59) == "");
    BOOST_TEST(problem_with_change("exp", now_number - 60) == "the token has expired");
    BOOST_TEST(problem_with_change("iat", now_number + 61) == "the token is from the future");
    BOOST_TEST(problem_with_change("nbf", now_number + 61) == "the token is not valid yet");
    BOOST_TEST(problem_with_change("nbf", "soon") == "nbf is no time");
    BOOST_TEST(problem_without("exp") == "the token does not say when it was made");
    BOOST_TEST(problem_without("iat") == "the token does not say when it was made");
    for (const Json& odd : {Json("1800000300"), Json(-1), Json(1e300), Json(true), Json()}) {
        BOOST_TEST(problem_with_change("exp", odd) == "the token does not say when it was made");
    }
}

BOOST_AUTO_TEST_CASE(a_token_belongs_to_this_sign_in) {
    BOOST_TEST(problem_with_change("nonce", "n-1") == "the token belongs to another sign-in");
    BOOST_TEST(problem_without("nonce") == "the token belongs to another sign-in");
    BOOST_TEST(problem_with_change("sub", "") == "the token does not say who signed in");
    BOOST_TEST(problem_with_change("sub", std::string(256, 'a')) ==
               "the token does not say who signed in");
}

// The example of OpenID Connect Core, A.3, has this access token and hash.
BOOST_AUTO_TEST_CASE(an_access_token_belongs_to_it_too) {
    auto expected = expectation();
    expected.access_token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
    Json claims = good_claims();
    claims["at_hash"] = "77QmUPtjPfzWtF2AnpK9RQ";
    BOOST_TEST(problem_with(claims, expected) == "");
    expected.access_token = "another";
    BOOST_TEST(problem_with(claims, expected) == "the access token belongs to another sign-in");
}

BOOST_AUTO_TEST_CASE(a_password_that_was_to_be_given_again_was) {
    auto expected = expectation();
    expected.signed_in_since = now - 10min;
    BOOST_TEST(problem_with(good_claims(), expected) ==
               "the provider did not ask for the password again");
    Json claims = good_claims();
    claims["auth_time"] = now_number - 3600;
    BOOST_TEST(problem_with(claims, expected) == "the provider did not ask for the password again");
    claims["auth_time"] = now_number - 20;
    BOOST_TEST(problem_with(claims, expected) == "");
}

BOOST_AUTO_TEST_CASE(no_text_is_taken_for_a_token) {
    for (const std::string text : {"", ".", "..", "...", "a.b.c", "e30.e30.", "e30.e30.e30"}) {
        BOOST_TEST(!check_id_token(text, provider().keys, expectation()).has_value(), text);
        BOOST_TEST(claimed_issuer(text) == "", text);
    }
    const std::string long_one(100'000, 'a');
    BOOST_TEST(!check_id_token(long_one + ".a.a", provider().keys, expectation()).has_value());
}

BOOST_AUTO_TEST_CASE(a_message_that_ends_sessions_is_none_that_begins_them) {
    const auto check = [](const Json& claims) {
        const auto token = signed_by(provider().rsa, "RS256", "r", claims, "logout+jwt");
        return check_logout_token(token, provider().keys, expectation().common);
    };
    Json claims = good_claims();
    claims.erase("nonce");
    claims["jti"] = "j";
    claims["sid"] = "s";
    claims["events"] = {{"http://schemas.openid.net/event/backchannel-logout", Json::object()}};
    BOOST_REQUIRE(check(claims).has_value());
    BOOST_TEST(check(claims)->sid == "s");

    BOOST_TEST(check(good_claims()).error().reason == "this is no logout token");
    Json with_nonce = claims;
    with_nonce["nonce"] = "n-0";
    BOOST_TEST(check(with_nonce).error().reason == "this is an ID token");
    Json without_id = claims;
    without_id.erase("jti");
    BOOST_TEST(check(without_id).error().reason == "the message has no jti");
    Json about_nobody = claims;
    about_nobody.erase("sid");
    about_nobody.erase("sub");
    BOOST_TEST(check(about_nobody).error().reason == "the message names neither user nor session");
    Json old = claims;
    old["iat"] = now_number - 700;
    BOOST_TEST(check(old).error().reason == "the message is old");

    const auto problem_with_type = [&](const std::string& type, bool takes_plain) {
        const auto token = signed_by(provider().rsa, "RS256", "r", claims, type);
        const auto checked =
            check_logout_token(token, provider().keys, expectation().common, takes_plain);
        return checked ? "" : checked.error().reason;
    };
    BOOST_TEST(problem_with_type("Logout+JWT", false) == "");
    for (const std::string plain : {"", "JWT", "jwt"}) {
        BOOST_TEST(problem_with_type(plain, false) == "the type of the message is not logout+jwt");
        BOOST_TEST(problem_with_type(plain, true) == "");
    }
    for (const std::string other : {"at+jwt", "secevent+jwt"}) {
        BOOST_TEST(problem_with_type(other, false) == "this is no logout token");
        BOOST_TEST(problem_with_type(other, true) == "this is no logout token");
    }
}

BOOST_AUTO_TEST_CASE(two_factors_are_what_a_token_says_and_nothing_less) {
    const auto says = [](const std::vector<std::string>& amr) {
        return says_second_factor({{"sub", "7"}, {"amr", amr}}, {});
    };
    using Methods = std::vector<std::string>;
    for (const auto& two :
         {Methods{"mfa"}, Methods{"pwd", "otp"}, Methods{"hwk", "pin"}, Methods{"sc", "fpt"},
          Methods{"swk", "pin"}, Methods{"fpt", "pwd"}, Methods{"face", "swk"}}) {
        BOOST_TEST(says(two), two.front());
    }
    for (const auto& one :
         {Methods{}, Methods{"pwd"}, Methods{"pwd", "pin"}, Methods{"fpt", "face"}, Methods{"swk"},
          Methods{"hwk"}, Methods{"otp"}, Methods{"sc"}, Methods{"otp", "hwk"},
          Methods{"pwd", "sms"}, Methods{"pwd", "tel"}, Methods{"pwd", "geo"}, Methods{"MFA"}}) {
        BOOST_TEST(!says(one));
    }
    BOOST_TEST(!says_second_factor({{"sub", "7"}}, {}));
    BOOST_TEST(!says_second_factor({{"amr", "mfa"}}, {}));
    BOOST_TEST(!says_second_factor({{"acr", ""}}, {""}));
    BOOST_TEST(!says_second_factor({{"acr", "urn:gold"}}, {}));
    BOOST_TEST(!says_second_factor({{"acr", "urn:silver"}}, {"urn:gold"}));
    BOOST_TEST(says_second_factor({{"acr", "urn:gold"}}, {"urn:bronze", "urn:gold"}));
}

BOOST_AUTO_TEST_SUITE_END()
