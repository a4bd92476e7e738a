#include "provisioner/identity/constant_time.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::identity::are_equal_in_constant_time;

BOOST_AUTO_TEST_SUITE(constant_time)

BOOST_AUTO_TEST_CASE(texts_are_equal_only_if_every_byte_and_the_length_are) {
    BOOST_TEST(are_equal_in_constant_time("", ""));
    BOOST_TEST(are_equal_in_constant_time("secret", "secret"));
    for (const char* other : {"", "secre", "secrets", "Secret", "secreu"}) {
        BOOST_TEST(!are_equal_in_constant_time("secret", other), other);
    }
    BOOST_TEST(!are_equal_in_constant_time({"a\0b", 3}, {"a\0c", 3}));
}

BOOST_AUTO_TEST_SUITE_END()
