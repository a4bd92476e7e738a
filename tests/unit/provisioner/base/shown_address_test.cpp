#include "provisioner/base/shown_address.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::base::without_credentials;

BOOST_AUTO_TEST_CASE(passwords_in_addresses_are_not_shown) {
    BOOST_TEST(without_credentials("https://ann:hunter2@host:1/a") == "https://***@host:1/a");
    BOOST_TEST(without_credentials("https://token@host/a@b") == "https://***@host/a@b");
    BOOST_TEST(without_credentials("http://ann:hunt@er2@host:3128") == "http://***@host:3128");
    BOOST_TEST(without_credentials("ann:hunter2@host:3128") == "***@host:3128");
    BOOST_TEST(without_credentials("https://host/a?token=hunter2#b") == "https://host/a?***");
    BOOST_TEST(without_credentials("https://ann:hunter2@host?b=c@d") == "https://***");
}

BOOST_AUTO_TEST_CASE(passwords_of_any_characters_are_not_shown) {
    BOOST_TEST(without_credentials("http://ann:hun/ter2@host:3128") == "http://***@host:3128");
    BOOST_TEST(without_credentials("https://ann:hun#ter2@h/") == "https://***");
    BOOST_TEST(without_credentials("https://ann:hun?ter2@h/") == "https://***");
    BOOST_TEST(without_credentials("https://ann:hun,ter2@h/") == "https://***@h/");
    BOOST_TEST(without_credentials("http:/ann:pw@h:1") == "***@h:1");
    BOOST_TEST(without_credentials("ann:hunter2@h:1/?u=http://x") == "***@h:1/?***");
}

BOOST_AUTO_TEST_CASE(no_address_of_a_list_is_shown_with_a_password) {
    BOOST_TEST(without_credentials("https://a:b@h1/,https://c:d@h2/") ==
               "https://***@h1/,https://***@h2/");
    BOOST_TEST(without_credentials("a:b@h1,c:d@h2") == "***@h2");
    BOOST_TEST(without_credentials("https://h/?a=b https://c:d@h2/\tc:d@h3\nhttp://t@h4") ==
               "https://h/?*** https://***@h2/\t***@h3\nhttp://***@h4");
}

BOOST_AUTO_TEST_CASE(what_is_behind_an_address_is_not_shown) {
    BOOST_TEST(without_credentials("https://h/#access_token=x") == "https://h/#***");
    BOOST_TEST(without_credentials("https://h/#a?b") == "https://h/#***");
    BOOST_TEST(without_credentials("https://h/?a=b,c") == "https://h/?***");
}

BOOST_AUTO_TEST_CASE(what_is_no_address_is_shown_as_it_is) {
    for (const char* text : {"", "/var/lib/a?b", "ann@example.com", "https://host/a", "a b: c@d",
                             "10:20", "*@?", "a,b#c", "a: b,\n", "://a"}) {
        BOOST_TEST(without_credentials(text) == text);
    }
}
