#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/google/google_site.hpp"

using namespace tests;

BOOST_AUTO_TEST_SUITE(google_login)

namespace {

std::string refusal_with(GoogleSite& site, const providers::Account& account) {
    return refusal_of(site.make(account, GoogleSite::small()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_token_is_fetched_once_and_again_when_it_was_revoked) {
    GoogleSite site;
    const auto account = site.account();
    site.start(account, GoogleSite::small());
    BOOST_TEST(site.calls_of("token") == 1);
    site.control("POST", "/-/revoke", "{}");
    site.end(account, GoogleSite::small());
    BOOST_TEST(site.calls_of("token") == 2);
}

BOOST_AUTO_TEST_CASE(a_key_of_another_account_is_refused_in_googles_words) {
    GoogleSite site;
    auto account = site.account();
    Json mixed = *base::parse_json(site.key_file);
    mixed["private_key"] = base::text_at(site.key(), "private_key");
    account.files["api_key_resource"] = base::to_text(mixed);
    BOOST_TEST(refusal_with(site, account) ==
               "Provider credentials invalid/unauthorized: Invalid JWT Signature.");
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_wrong_is_named) {
    GoogleSite site;
    site.set({{"ahead", 7200}});
    const std::string said = refusal_with(site, site.account());
    BOOST_TEST(has(said, "reasonable timeframe"));
    BOOST_TEST(has(said, "s behind the provider's"));
}

BOOST_AUTO_TEST_CASE(a_key_in_the_field_serves_as_the_file_does) {
    GoogleSite site;
    auto account = site.account({{"google_key_json", site.key_file}, {"api_key_resource", ""}});
    account.files.clear();
    account.fields.erase("google_client_email");
    const auto reachable = site.start(account, GoogleSite::small());
    BOOST_TEST(reachable.addresses.contains("access_v4"));
}

BOOST_AUTO_TEST_CASE(a_test_of_the_account_offers_what_there_is) {
    GoogleSite site;
    const auto tested = site.answer(site.provider().test(site.account()));
    const auto& choices = std::get<providers::Offer>(tested).choices;
    const auto offers = [&](const std::string& field, const std::string& value) {
        const auto& values = choices.at(field);
        return std::any_of(values.begin(), values.end(),
                           [&](const auto& choice) { return choice.value == value; });
    };
    BOOST_TEST(offers("zone_name", "europe-west1-b"));
    BOOST_TEST(offers("network", "custom"));
    BOOST_TEST(offers("flavor", "e2-small"));
    BOOST_TEST(offers("image", "projects/debian-cloud/global/images/family/debian-12"));
    BOOST_TEST(!offers("image", "projects/debian-cloud/global/images/family/debian-11"));
}

BOOST_AUTO_TEST_CASE(a_test_of_an_account_that_cannot_work_says_why) {
    GoogleSite site;
    const auto wrong_zone = site.account({{"zone_name", "us-central1-q"}});
    BOOST_TEST(has(refusal_of(site.answer(site.provider().test(wrong_zone))),
                   "zone_name: there is no zone \"us-central1-q\""));
    auto without_key = site.account();
    without_key.files.clear();
    BOOST_TEST(has(refusal_of(site.answer(site.provider().test(without_key))),
                   "Credential validation failed!; api_key_resource: there is no file "
                   "\"key.json\""));
}

BOOST_AUTO_TEST_SUITE_END()
