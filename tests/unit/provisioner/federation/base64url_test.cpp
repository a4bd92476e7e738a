#include "provisioner/federation/base64url.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::federation;

BOOST_AUTO_TEST_SUITE(base64url_texts)

BOOST_AUTO_TEST_CASE(bytes_become_text_and_come_back) {
    BOOST_TEST(base64url("") == "");
    BOOST_TEST(base64url("f") == "Zg");
    BOOST_TEST(base64url("fo") == "Zm8");
    BOOST_TEST(base64url("foo") == "Zm9v");
    BOOST_TEST(base64url("\xfb\xff\xfe") == "-__-");
    for (int length = 0; length < 70; ++length) {
        const std::string bytes(static_cast<std::size_t>(length), '\xe7');
        BOOST_TEST((from_base64url(base64url(bytes)) == bytes));
    }
}

BOOST_AUTO_TEST_CASE(other_texts_are_refused) {
    for (const std::string text : {"Zm9v=", "Zm+v", "Zm/v", "Z", "Zm9vY", "Zm 9"}) {
        BOOST_TEST(!from_base64url(text).has_value(), text);
    }
}

BOOST_AUTO_TEST_CASE(digits_become_bytes) {
    BOOST_TEST(bytes_of_hex("00ff4A4a") == std::string("\0\xffJJ", 4));
}

BOOST_AUTO_TEST_SUITE_END()
