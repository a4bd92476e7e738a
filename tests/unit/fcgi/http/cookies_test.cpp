#include "fcgi/http/cookies.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::http;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(cookies)

BOOST_AUTO_TEST_CASE(a_cookie_is_never_for_scripts_and_over_tls_never_in_the_clear) {
    const Cookie plain{.name = "session", .value = "coop_1"};
    const Cookie full{.name = "session", .value = "coop_1", .max_age = 12h, .secure = true};
    const Cookie removed{.name = "session", .value = "", .max_age = 0s};

    BOOST_TEST(to_header(plain) == "session=coop_1; Path=/; HttpOnly; SameSite=Lax");
    BOOST_TEST(to_header(full) ==
               "session=coop_1; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=43200");
    BOOST_TEST(to_header(removed) == "session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
}

BOOST_AUTO_TEST_CASE(a_value_cannot_add_attributes_or_headers) {
    for (const char* value :
         {"a;b", "a b", "a\r\nX: y", "a\"b", "a,b", "a\\b", "\x7f", "\xC3\xA9"}) {
        const Cookie cookie{.name = "session", .value = value};
        BOOST_CHECK_THROW(to_header(cookie), std::invalid_argument);
    }
}

BOOST_AUTO_TEST_CASE(values_are_found_by_their_whole_name) {
    const std::string header = " a=1;session=coop_x ; b = 2;session=second; flag";

    BOOST_TEST(cookie_value(header, "session").value_or("none") == "coop_x");
    BOOST_TEST(cookie_value(header, "a").value_or("none") == "1");
    BOOST_TEST(cookie_value(header, "b").value_or("none") == "2");
    BOOST_TEST(!cookie_value(header, "sess").has_value());
    BOOST_TEST(!cookie_value(header, "flag").has_value());
    BOOST_TEST(!cookie_value("", "session").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
