#include "fcgi/http/security_headers.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::http;

BOOST_AUTO_TEST_SUITE(security_headers)

BOOST_AUTO_TEST_CASE(every_answer_forbids_foreign_scripts_frames_and_sniffing) {
    const Response response = with_security_headers(html(200, ""), {});

    const std::string& policy = response.header("Content-Security-Policy");
    for (const char* part : {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                             "form-action 'self'", "base-uri 'none'"}) {
        BOOST_TEST(policy.find(part) != std::string::npos, part);
    }
    BOOST_TEST(policy.find("unsafe") == std::string::npos);
    BOOST_TEST(response.header("X-Content-Type-Options") == "nosniff");
    BOOST_TEST(response.header("Cache-Control") == "no-store");
    BOOST_TEST(response.header("Strict-Transport-Security").empty());
}

BOOST_AUTO_TEST_CASE(browsers_that_came_over_tls_are_told_to_stay_there) {
    Request request;
    request.secure = true;

    BOOST_TEST(with_security_headers(empty(200), request).header("Strict-Transport-Security") ==
               "max-age=31536000; includeSubDomains");
}

BOOST_AUTO_TEST_CASE(below_a_prefix_nothing_is_said_for_other_names_of_the_host) {
    Request request;
    request.secure = true;
    request.prefix = "/cooperage";

    BOOST_TEST(with_security_headers(empty(200), request).header("Strict-Transport-Security") ==
               "max-age=31536000");
}

BOOST_AUTO_TEST_CASE(an_answer_may_say_itself_how_it_is_cached) {
    const Response cached = with_header(empty(200), "Cache-Control", "max-age=60");

    BOOST_TEST(with_security_headers(cached, {}).header("Cache-Control") == "max-age=60");
}

BOOST_AUTO_TEST_SUITE_END()
