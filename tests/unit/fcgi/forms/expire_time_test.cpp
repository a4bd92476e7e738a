#include "fcgi/forms/expire_time.hpp"

#include <boost/test/unit_test.hpp>

using fcgi::forms::expire_time;

BOOST_AUTO_TEST_SUITE(expiry)

namespace {

std::string told(const char* body) {
    const auto time = expire_time(body);
    return time ? std::to_string(*time) : time.error().front().message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_time_may_be_a_number_or_a_string) {
    BOOST_TEST(told(R"({"expireTime":1795815824613})") == "1795815824613");
    BOOST_TEST(told(R"({"expireTime":"1795815824613"})") == "1795815824613");
    BOOST_TEST(told(R"({"expireTime":0})") == "0");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said_with_the_texts_of_the_wire_contract) {
    BOOST_TEST(told("") == "expire time not specified");
    BOOST_TEST(told("{}") == "expire time not specified");
    BOOST_TEST(told("{\"expireTime\":") == "Invalid JSON");
    BOOST_TEST(told("[]") == "Invalid JSON");
    BOOST_TEST(told(R"({"expireTime":"x"})") == "For input string: \"x\"");
    BOOST_TEST(told(R"({"expireTime":1.5})") == "For input string: \"1.5\"");
}

BOOST_AUTO_TEST_SUITE_END()
