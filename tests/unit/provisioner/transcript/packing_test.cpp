#include "provisioner/transcript/packing.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace provisioner::transcript;

BOOST_AUTO_TEST_CASE(text_gets_shorter_and_comes_back) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "Unpacking package " + std::to_string(i) + " ...\n";

    const std::string body = packed(text);

    BOOST_TEST(body.size() < text.size() / 5);
    BOOST_TEST((unpacked(body, text.size()) == text));
}

BOOST_AUTO_TEST_CASE(what_gets_no_shorter_stays_as_it_is) {
    std::string noise;
    unsigned state = 1;
    for (int i = 0; i < 5000; ++i) {
        state = state * 1664525U + 1013904223U;
        noise += static_cast<char>(state >> 24U);
    }

    for (const std::string& text : {std::string(), std::string("hello\n"), noise}) {
        BOOST_TEST((packed(text) == text));
        BOOST_TEST((unpacked(packed(text), text.size()) == text));
    }
}

BOOST_AUTO_TEST_CASE(a_damaged_body_is_told) {
    const std::string text(1000, 'x');
    std::string body = packed(text);
    body[body.size() / 2] = static_cast<char>(body[body.size() / 2] ^ 0x55);

    BOOST_CHECK_THROW(unpacked(body, text.size()), std::runtime_error);
    BOOST_CHECK_THROW(unpacked(packed(text), 999), std::runtime_error);
}
