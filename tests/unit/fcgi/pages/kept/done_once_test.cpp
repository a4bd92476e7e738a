#include "fcgi/pages/kept/done_once.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(done_once)

namespace {

using namespace fcgi::pages;
using fcgi::http::Request;
using fcgi::http::Response;
using fcgi::http::see_other;

Request sent(const std::string& method, const std::string& path, const std::string& query = "") {
    Request request;
    request.method = method;
    request.path = path;
    request.query = query;
    return request;
}

/// What a browser sends back of the answer's cookie.
std::string cookie_of(const Response& response) {
    const std::string& header = response.header("Set-Cookie");
    return header.substr(0, header.find(';'));
}

std::string location_of(const std::string& location) {
    return with_done_once(see_other(location), sent("POST", "/people"), false).header("Location");
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_form_has_done_travels_in_a_cookie_and_not_in_the_address) {
    const auto answer =
        with_done_once(see_other("/people/ada?done=role"), sent("POST", "/people/ada/role"), false);
    Request page = sent("GET", "/people/ada", "sessions=all");
    page.headers["cookie"] = "cooperage=5f; " + cookie_of(answer);

    BOOST_TEST(answer.header("Location") == "/people/ada");
    BOOST_TEST(answer.header("Set-Cookie").find("Max-Age=60") != std::string::npos);
    BOOST_TEST(take_done(page));
    BOOST_TEST(page.query_value("done").value_or("") == "role");
    BOOST_TEST(page.query_value("sessions").value_or("") == "all");
}

BOOST_AUTO_TEST_CASE(the_page_that_says_it_removes_the_cookie) {
    const auto answer =
        with_done_once(see_other("/people?done=deleted"), sent("POST", "/x"), false);
    const auto told =
        with_done_once(fcgi::http::html(200, "User deleted."), sent("GET", "/people"), true);

    BOOST_TEST(told.header("Set-Cookie").find("Max-Age=0") != std::string::npos);
    BOOST_TEST(cookie_of(told) == cookie_of(answer).substr(0, cookie_of(answer).find('=') + 1));
}

BOOST_AUTO_TEST_CASE(other_pages_say_nothing_and_leave_the_cookie_to_its_page) {
    const auto answer =
        with_done_once(see_other("/people?done=deleted"), sent("POST", "/x"), false);
    Request other = sent("GET", "/people/ada");
    other.headers["cookie"] = cookie_of(answer);
    Request form = sent("POST", "/people");
    form.headers["cookie"] = cookie_of(answer);

    BOOST_TEST(!take_done(other));
    BOOST_TEST(!take_done(form));
    BOOST_TEST(!other.query_value("done").has_value());
}

BOOST_AUTO_TEST_CASE(the_rest_of_the_address_stays) {
    BOOST_TEST(location_of("/prices?done=saved&for=demo#new") == "/prices?for=demo#new");
    BOOST_TEST(location_of("/prices?for=demo&done=saved") == "/prices?for=demo");
    BOOST_TEST(location_of("/prices?undone=1") == "/prices?undone=1");
    BOOST_TEST(location_of("/x#?done=saved") == "/x#?done=saved");
    BOOST_TEST(location_of("https://idp.test/?done=saved") == "https://idp.test/?done=saved");
}

BOOST_AUTO_TEST_CASE(an_address_that_has_it_leads_to_the_one_without) {
    Request request = sent("GET", "//evil.test", "a=1&done=saved");
    const auto from_elsewhere = moved_done(request);
    BOOST_REQUIRE(from_elsewhere.has_value());
    BOOST_TEST(from_elsewhere->header("Location") == "/evil.test?a=1", "and nothing is told");
    request.headers["sec-fetch-site"] = "same-origin";
    const auto moved = moved_done(request);

    BOOST_REQUIRE(moved.has_value());
    const auto answer = with_done_once(*moved, request, false);
    BOOST_TEST(answer.header("Location") == "/evil.test?a=1");
    BOOST_TEST(cookie_of(answer).ends_with("=saved"));
    BOOST_TEST(!moved_done(sent("GET", "/", "a=1")).has_value());
    BOOST_TEST(!moved_done(sent("GET", "/", "d%6fne=1")).has_value());
    BOOST_TEST(!moved_done(sent("POST", "/", "done=saved")).has_value());
}

BOOST_AUTO_TEST_CASE(a_message_may_name_what_was_done_to) {
    const auto answer =
        with_done_once(see_other("/people?done=" + done_with_name("deleted", "b c:ä")),
                       sent("POST", "/people/b%20c/delete"), false);
    Request page = sent("GET", "/people");
    page.headers["cookie"] = cookie_of(answer);

    BOOST_TEST(take_done(page));
    BOOST_TEST(name_of_done(page, "deleted").value_or("") == "b c:ä");
    BOOST_TEST(!name_of_done(page, "delete").has_value());
}

BOOST_AUTO_TEST_CASE(what_is_no_word_is_dropped) {
    for (const char* word : {"", "a;b", "<b>", "a,b"}) {
        const auto answer = with_done_once(see_other(std::string("/people?done=") + word),
                                           sent("POST", "/people"), false);
        BOOST_TEST(answer.header("Location") == "/people", word);
        BOOST_TEST(answer.header("Set-Cookie") == "", word);
    }
}

BOOST_AUTO_TEST_CASE(the_cookie_belongs_to_the_site_below_its_prefix) {
    Request form = sent("POST", "/people");
    form.prefix = "/site";
    form.secure = true;
    const std::string cookie =
        with_done_once(see_other("/people?done=made"), form, false).header("Set-Cookie");

    BOOST_TEST(cookie.find("; Path=/site;") != std::string::npos);
    BOOST_TEST(cookie.find("; Secure") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
