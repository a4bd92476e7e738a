#include "provisioner/providers/google/assertion.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/google/robot_key.hpp"

using namespace provisioner;
using namespace provisioner::providers;

BOOST_AUTO_TEST_SUITE(google_assertion)

BOOST_AUTO_TEST_CASE(an_assertion_is_the_one_that_googles_own_library_signs) {
    google::ServiceKey key;
    key.email = "robot@acme-1.iam.gserviceaccount.com";
    key.key_id = "0123abcd";
    key.private_key = base::Secret(tests::robot_pem);
    key.token_uri = "https://oauth2.googleapis.com/token";
    const base::Timestamp now{std::chrono::seconds{1800000000}};

    const std::string text = google::assertion(key, "https://www.googleapis.com/auth/compute", now);

    BOOST_TEST(text == tests::robot_assertion);
}

BOOST_AUTO_TEST_CASE(only_rsa_keys_in_pem_can_be_read) {
    BOOST_TEST(google::is_private_key(base::Secret(tests::robot_pem)));
    // An Ed25519 key, and a key with a passphrase, of which only the beginning matters.
    const std::string other =
        "-----BEGIN PRIVATE KEY-----\n"
        "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
        "-----END PRIVATE KEY-----\n";
    BOOST_TEST(!google::is_private_key(base::Secret(other)));
    BOOST_TEST(!google::is_private_key(base::Secret(tests::robot_pem.substr(0, 300))));
    BOOST_TEST(!google::is_private_key(base::Secret(std::string())));
}

BOOST_AUTO_TEST_CASE(base64_for_urls_has_other_letters_and_no_padding) {
    BOOST_TEST(google::base64_url("\xfb\xff\xfe") == "-__-");
    BOOST_TEST(google::base64_url("a") == "YQ");
    BOOST_TEST(google::base64_url("").empty());
}

BOOST_AUTO_TEST_SUITE_END()
