#include "fcgi/http/conditional.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::http;

BOOST_AUTO_TEST_SUITE(conditional_answers)

namespace {

Request asking(const std::string& tags, const std::string& method = "GET") {
    Request request;
    request.method = method;
    if (!tags.empty()) request.headers["if-none-match"] = tags;
    return request;
}

std::string tag_of(const std::string& body) {
    return conditional(text(200, body), asking("")).header("ETag");
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_bodies_have_equal_tags_and_others_have_others) {
    BOOST_TEST(tag_of("pending") == tag_of("pending"));
    BOOST_TEST(tag_of("pending") != tag_of("active"));
    BOOST_TEST(tag_of("x").size() == 18U);
}

BOOST_AUTO_TEST_CASE(who_has_the_tag_gets_304_without_a_body) {
    const auto tag = tag_of("active");
    for (const auto& tags : {tag, "W/" + tag, "\"other\", " + tag, std::string("*")}) {
        const auto response = conditional(text(200, "active"), asking(tags));
        BOOST_TEST(response.status == 304, tags);
        BOOST_TEST(response.body.empty());
        BOOST_TEST(response.header("ETag") == tag);
    }
    BOOST_TEST(conditional(text(200, "failed"), asking(tag)).status == 200);
}

BOOST_AUTO_TEST_CASE(a_kept_answer_is_to_be_asked_for_again) {
    BOOST_TEST(conditional(text(200, "x"), asking("")).header("Cache-Control") ==
               "private, no-cache");
}

BOOST_AUTO_TEST_CASE(a_browser_keeps_nothing_and_a_script_may) {
    auto request = asking("");
    request.headers["cookie"] = "__Host-cooperage=token";
    BOOST_TEST(conditional(text(200, "x"), request).header("Cache-Control") == "no-store");
    request.headers["coopr-apikey"] = "key";
    BOOST_TEST(conditional(text(200, "x"), request).header("Cache-Control") == "private, no-cache");
}

BOOST_AUTO_TEST_CASE(errors_and_changes_have_no_tag) {
    BOOST_TEST(conditional(text(404, "x"), asking("*")).status == 404);
    BOOST_TEST(conditional(text(404, "x"), asking("")).header("ETag").empty());
    BOOST_TEST(conditional(text(200, "x"), asking("*", "POST")).status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
