#include "provisioner/providers/google/service_key.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/google/orders.hpp"

using namespace tests;
using namespace provisioner::providers;

BOOST_AUTO_TEST_SUITE(google_service_key)

std::string problems_of(const Account& account) {
    const auto key = google::service_key_of(account);
    return key ? "" : base::to_text(key.error());
}

BOOST_AUTO_TEST_CASE(a_key_file_is_read) {
    const auto key = google::service_key_of(
        google_account({{"google_client_email", "robot@acme-1.iam.gserviceaccount.com"}}));
    BOOST_REQUIRE(key.has_value());
    BOOST_TEST(key->email == "robot@acme-1.iam.gserviceaccount.com");
    BOOST_TEST(key->key_id == "0123abcd");
    BOOST_TEST(key->token_uri == "https://oauth2.googleapis.com/token");
}

BOOST_AUTO_TEST_CASE(all_problems_of_the_login_come_at_once_after_cooprs_words) {
    auto account = google_account(
        {{"google_client_email", "somebody@example.org"}, {"ssh_key_resource", "id_rsa"}});
    account.files["api_key_resource"] = R"({"private_key": "no key", "token_uri": "http://x/"})";
    BOOST_TEST(problems_of(account) ==
               "Credential validation failed!; ssh_key_resource: there is no file \"id_rsa\" among "
               "the provider type's resources, or it cannot be read; api_key_resource: has no RSA "
               "key that can be read in \"private_key\"; api_key_resource: has no \"client_email\" "
               "that ends in gserviceaccount.com; api_key_resource: has a \"token_uri\" that does "
               "not begin with https://; google_client_email: must end in gserviceaccount.com");
}

BOOST_AUTO_TEST_CASE(a_key_of_another_account_is_named) {
    const auto account =
        google_account({{"google_client_email", "other@acme-1.iam.gserviceaccount.com"}});
    BOOST_TEST(problems_of(account) ==
               "Credential validation failed!; google_client_email: is "
               "other@acme-1.iam.gserviceaccount.com, but the key is one of "
               "robot@acme-1.iam.gserviceaccount.com");
}

BOOST_AUTO_TEST_CASE(a_key_is_asked_for_and_its_text_is_never_shown) {
    auto account = google_account();
    account.files.clear();
    BOOST_TEST(problems_of(account) ==
               "Credential validation failed!; api_key_resource: name the JSON key file of a "
               "service account, or put its text in google_key_json");
    account.fields["google_key_json"] = "-----BEGIN secret";
    BOOST_TEST(problems_of(account) ==
               "Credential validation failed!; google_key_json: is not the JSON file of a service "
               "account's key");
}

BOOST_AUTO_TEST_SUITE_END()
