#include "provisioner/identity/csrf_token.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/tokens.hpp"

using provisioner::base::Secret;
using namespace provisioner::identity;

BOOST_AUTO_TEST_SUITE(csrf_tokens)

BOOST_AUTO_TEST_CASE(a_session_accepts_its_own_token_only) {
    const Secret session = new_token();
    const Secret another = new_token();

    BOOST_TEST(csrf_token_matches(session, csrf_token(session)));
    BOOST_TEST(!csrf_token_matches(session, csrf_token(another)));
    BOOST_TEST(!csrf_token_matches(session, ""));
    BOOST_TEST(!csrf_token_matches(session, csrf_token(session) + "0"));
}

BOOST_AUTO_TEST_CASE(the_token_is_stable_and_tells_neither_the_session_nor_what_is_stored_of_it) {
    const Secret session = new_token();

    const std::string token = csrf_token(session);

    BOOST_TEST(token.size() == 64U);
    BOOST_TEST(token == csrf_token(session));
    BOOST_TEST(token.find(session.reveal()) == std::string::npos);
    BOOST_TEST(token != hash_of_token(session));
}

BOOST_AUTO_TEST_SUITE_END()
