#include "provisioner/identity/tokens.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

using provisioner::base::Secret;
using namespace provisioner::identity;

BOOST_AUTO_TEST_SUITE(tokens)

BOOST_AUTO_TEST_CASE(tokens_are_long_and_never_the_same) {
    std::set<std::string> seen;

    for (int i = 0; i < 100; ++i) seen.insert(new_token().reveal());

    BOOST_TEST(seen.size() == 100U);
    for (const std::string& token : seen) BOOST_TEST(looks_like_token(token));
}

BOOST_AUTO_TEST_CASE(only_what_has_the_form_of_a_token_is_looked_up) {
    const std::string good = "coop_" + std::string(64, 'a');

    BOOST_TEST(looks_like_token(good));
    BOOST_TEST(!looks_like_token(""));
    BOOST_TEST(!looks_like_token("coop_"));
    BOOST_TEST(!looks_like_token(good + "a"));
    BOOST_TEST(!looks_like_token("COOP_" + std::string(64, 'a')));
    BOOST_TEST(!looks_like_token("coop_" + std::string(64, 'A')));
    BOOST_TEST(!looks_like_token("coop_" + std::string(64, 'g')));
}

BOOST_AUTO_TEST_CASE(the_hash_is_blake2b_256_in_hexadecimal) {
    // `printf abc | b2sum -l 256`
    BOOST_TEST(hash_of_token(Secret("abc")) ==
               "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
}

BOOST_AUTO_TEST_SUITE_END()
