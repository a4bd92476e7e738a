#include "fcgi/pages/differences/member_words.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/differences/value_difference.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;

BOOST_AUTO_TEST_SUITE(member_words)

BOOST_AUTO_TEST_CASE(members_have_the_words_of_their_forms) {
    BOOST_TEST(member_label("constraints.size.max") == "Maximum machines");
    BOOST_TEST(member_label("administration.leaseduration.step") == "Longest extension");
    BOOST_TEST(member_label("providermap.my.cloud.flavor") == "Flavor at my.cloud");
    // Two members may have one word.
    BOOST_TEST(member_labels({"defaults.config.a", "label", "config.a"}) ==
                   (std::vector<std::string>{"Configuration: a", "Label"}),
               boost::test_tools::per_element());
    BOOST_TEST(member_label("constraints.services.db.quantities.min") == "Minimum machines of db");
    BOOST_TEST(member_label("defaults.config.php.port") == "Configuration: php.port");
    BOOST_TEST(member_label("publicKey") == "Public key");
    // What is not known stays.
    BOOST_TEST(member_label("web.port-of-x") == "web.port-of-x");
    BOOST_TEST(member_label("providermap..flavor") == "providermap..flavor");
}

BOOST_AUTO_TEST_CASE(values_are_written_as_in_their_forms) {
    BOOST_TEST(member_value("administration.leaseduration.max", "432000000") == "5 days");
    BOOST_TEST(member_value("administration.leaseduration.max", "0") == "no limit");
    BOOST_TEST(member_value("administration.leaseduration.initial", "0") == "no expiry");
    BOOST_TEST(member_value("constraints.size.max", "2147483647") == "no limit");
    BOOST_TEST(member_value("constraints.size.max", "6") == "6");
    BOOST_TEST(member_value("locked", "true") == "yes");
    BOOST_TEST(member_value("expiresAt", "2026-11-29 10:00:00.000000") ==
               "2026-11-29 10:00:00 UTC");
    BOOST_TEST(member_value("expiresAt", "") == "");
    // A configuration has its own words.
    BOOST_TEST(member_value("config.x", "true") == "true");
}

BOOST_AUTO_TEST_CASE(secrets_are_hidden_and_a_change_of_one_is_seen) {
    BOOST_TEST(member_value("clientSecret", "********") == "hidden");
    BOOST_TEST(member_value("clientSecret", "******** (changed)") == "hidden, changed");
}

BOOST_AUTO_TEST_CASE(lists_are_no_json) {
    const Json after = {{"rules", {{{"value", "*"}, {"role", "user"}}, {{"value", "ops"}}}},
                        {"layout", {{"a", "b"}, {"c"}}},
                        {"groups", Json::array()}};

    const Json differences =
        in_words(value_differences(Json{{"groups", Json::array({"a"})}}, after));

    // A list without elements is none.
    BOOST_REQUIRE(differences.size() == 3U);
    BOOST_TEST(differences[0].at("after") == "none");
    BOOST_TEST(differences[1].at("after") == "a, b; c");
    BOOST_TEST(differences[2].at("after") == "value: *, role: user; value: ops");
}

BOOST_AUTO_TEST_CASE(a_list_without_anything_is_no_news) {
    const Json empty = {{"types", Json::array()}};

    BOOST_TEST(value_differences(Json::object(), empty).empty());
    BOOST_TEST(value_differences(empty, Json::object()).empty());
    BOOST_TEST(value_differences(empty, Json{{"types", "none"}}).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
