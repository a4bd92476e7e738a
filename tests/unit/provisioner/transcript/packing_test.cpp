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

BOOST_AUTO_TEST_CASE(the_length_of_a_file_does_not_tell_whether_a_guess_of_its_secret_is_right) {
    const std::string secret = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
    const std::string other(secret.rbegin(), secret.rend());
    const std::string guess = secret.substr(0, 32);
    const auto page = [&](const std::string& token) {
        return "<p>" + guess + "</p><input value=\"" + token + "\"><p>" + guess + "</p>" + token;
    };

    BOOST_TEST(gzipped_quickly(page(secret), "").size() < gzipped_quickly(page(other), "").size());
    BOOST_TEST(gzipped_quickly(page(secret), secret).size() ==
               gzipped_quickly(page(other), other).size());
}

BOOST_AUTO_TEST_CASE(a_file_with_many_secrets_is_whole) {
    std::string page(1, 'x');
    for (int i = 0; i < 300; ++i) page += "secret";

    const std::string file = gzipped_quickly(page, "secret");

    // The last four bytes are the length of what is in the file (RFC 1952).
    const std::string length = {static_cast<char>(page.size() & 255U),
                                static_cast<char>(page.size() >> 8U), '\0', '\0'};
    BOOST_TEST((file.substr(file.size() - 4) == length));
    BOOST_TEST((gzipped_quickly("", "secret").substr(0, 3) == "\x1f\x8b\x08"));
}
