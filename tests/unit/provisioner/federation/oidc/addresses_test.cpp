#include "provisioner/federation/oidc/addresses.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::federation;

BOOST_AUTO_TEST_SUITE(oidc_addresses)

// RFC 7636, appendix B.
BOOST_AUTO_TEST_CASE(a_challenge_is_the_hash_of_its_verifier) {
    BOOST_TEST(challenge_of(base::Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")) ==
               "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

BOOST_AUTO_TEST_CASE(a_browser_is_sent_with_everything_encoded) {
    const Authorization wanted{.client_id = "a b&c",
                               .redirect = "https://c.example/login/callback",
                               .scopes = "profile openid",
                               .state = "s",
                               .nonce = "n",
                               .verifier = base::Secret("v")};

    BOOST_TEST(authorization_address("https://id.example/auth?x=1", wanted) ==
               "https://id.example/auth?x=1&response_type=code&client_id=a%20b%26c"
               "&redirect_uri=https%3A%2F%2Fc.example%2Flogin%2Fcallback"
               "&scope=openid%20profile&state=s&nonce=n"
               "&code_challenge=TJRIXgwhrmxBzh3-e2v6zupato5AokdvUCCOUm9QYIA"
               "&code_challenge_method=S256");
}

BOOST_AUTO_TEST_CASE(the_verifier_never_goes_along) {
    const Authorization wanted{.verifier = base::Secret("very-secret-verifier"), .again = true};

    const auto address = authorization_address("https://id.example/auth", wanted);

    BOOST_TEST(address.find("very-secret-verifier") == std::string::npos);
    BOOST_TEST(address.find("&prompt=login&max_age=0") != std::string::npos);
}

// RFC 6749, 2.3.1: encoded before they are joined.
BOOST_AUTO_TEST_CASE(credentials_of_a_client_are_encoded_first) {
    BOOST_TEST(basic_credentials("a:b", base::Secret("c d")).reveal() == "Basic YSUzQWI6YyUyMGQ=");
}

BOOST_AUTO_TEST_SUITE_END()
