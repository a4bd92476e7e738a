#include "fcgi/auth/sessions.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/tokens.hpp"

using namespace fcgi;

BOOST_AUTO_TEST_SUITE(sessions)

BOOST_AUTO_TEST_CASE(the_cookie_that_is_set_is_the_one_that_is_read) {
    const auto token = provisioner::identity::new_token();

    for (const bool secure : {false, true}) {
        for (const char* prefix : {"", "/cooperage"}) {
            http::Request request;
            request.secure = secure;
            request.prefix = prefix;
            const http::Cookie cookie =
                auth::session_cookie(token, request, std::chrono::hours{12});
            request.headers["cookie"] = "other=1; " + cookie.name + '=' + cookie.value;
            BOOST_TEST(auth::session_token(request).value().reveal() == token.reveal());
        }
    }
}

BOOST_AUTO_TEST_CASE(over_tls_the_cookie_is_bound_to_this_host) {
    const auto token = provisioner::identity::new_token();

    http::Request request;
    request.secure = true;
    const std::string header =
        http::to_header(auth::session_cookie(token, request, std::chrono::hours{12}));

    BOOST_TEST(header == "__Host-cooperage=" + token.reveal() +
                             "; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=43200");
}

BOOST_AUTO_TEST_CASE(below_a_prefix_other_sites_of_the_host_do_not_get_the_cookie) {
    http::Request request;
    request.prefix = "/cooperage";

    BOOST_TEST(http::to_header(auth::no_session_cookie(request)) ==
               "cooperage=; Path=/cooperage; HttpOnly; SameSite=Lax; Max-Age=0");
    request.secure = true;
    BOOST_TEST(http::to_header(auth::no_session_cookie(request)) ==
               "__Secure-cooperage=; Path=/cooperage; HttpOnly; SameSite=Lax; Secure; Max-Age=0");
}

BOOST_AUTO_TEST_CASE(the_browser_is_made_to_forget) {
    BOOST_TEST(http::to_header(auth::no_session_cookie({})) ==
               "cooperage=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
}

BOOST_AUTO_TEST_CASE(a_cookie_that_is_no_token_is_none) {
    http::Request request;

    BOOST_TEST(!auth::session_token(request).has_value());
    request.headers["cookie"] = "cooperage=' OR 1=1";
    BOOST_TEST(!auth::session_token(request).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
