#include "provisioner/base/shown_address.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::base::without_credentials;

BOOST_AUTO_TEST_CASE(passwords_in_addresses_are_not_shown) {
    BOOST_TEST(without_credentials("https://ann:hunter2@host:1/a") == "https://***@host:1/a");
    BOOST_TEST(without_credentials("https://token@host/a@b") == "https://***@host/a@b");
    BOOST_TEST(without_credentials("http://ann:hunt@er2@host:3128") == "http://***@host:3128");
    BOOST_TEST(without_credentials("ann:hunter2@host:3128") == "***@host:3128");
    BOOST_TEST(without_credentials("https://host/a?token=hunter2#b") == "https://host/a?***");
    BOOST_TEST(without_credentials("https://ann:hunter2@host?b=c@d") == "https://***@host?***");
}

BOOST_AUTO_TEST_CASE(what_is_no_address_is_shown_as_it_is) {
    for (const char* text :
         {"", "/var/lib/a?b", "ann@example.com", "https://host/a", "a b: c@d", "10:20", "*@?"}) {
        BOOST_TEST(without_credentials(text) == text);
    }
}
