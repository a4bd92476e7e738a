#include "provisioner/identity/passwords.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::base::Secret;
using namespace provisioner::identity;

BOOST_AUTO_TEST_SUITE(passwords)

BOOST_AUTO_TEST_CASE(the_right_password_matches_and_a_wrong_one_does_not) {
    const std::string stored = hash_password(Secret("correct horse"));

    BOOST_TEST(password_matches(Secret("correct horse"), stored));
    BOOST_TEST(!password_matches(Secret("correct horse "), stored));
    BOOST_TEST(!password_matches(Secret(""), stored));
}

BOOST_AUTO_TEST_CASE(what_is_stored_says_how_it_was_made_and_differs_each_time) {
    const std::string first = hash_password(Secret("same"));
    const std::string second = hash_password(Secret("same"));

    BOOST_TEST(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    BOOST_TEST(first != second);
}

BOOST_AUTO_TEST_CASE(a_text_that_is_no_hash_matches_nothing) {
    BOOST_TEST(!password_matches(Secret("x"), ""));
    BOOST_TEST(!password_matches(Secret("x"), "x"));
    BOOST_TEST(!password_matches(Secret("x"), "$argon2id$v=19$m=19456"));
    BOOST_TEST(!password_matches(Secret("x"), std::string(4096, '$')));
}

BOOST_AUTO_TEST_CASE(the_decoy_costs_the_same_and_matches_nothing) {
    BOOST_TEST(decoy_hash().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    BOOST_TEST(!password_matches(Secret(""), decoy_hash()));
    BOOST_TEST(&decoy_hash() == &decoy_hash());
}

BOOST_AUTO_TEST_SUITE_END()
