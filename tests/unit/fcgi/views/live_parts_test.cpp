#include "fcgi/views/live_parts.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(live_parts)

namespace {

using fcgi::http::Request;
using fcgi::views::fingerprint;
using fcgi::views::with_live_parts;
using provisioner::base::Json;

const std::string page =
    "<title>shop &amp; co</title><div id=\"head\" data-live><div>a<br></div>b</div>"
    "<p data-follow=\"yes\">still</p><tbody id=\"rows\" class=\"x\" data-live><tr><td>1</td></tr>"
    "</tbody><p id=\"empty\" data-live></p>";

Request asking(const std::string& have) {
    Request request;
    request.method = "GET";
    request.headers["x-live-parts"] = have;
    return request;
}

Json news(const std::string& have) {
    const auto response = with_live_parts(fcgi::http::html(200, page), asking(have));
    BOOST_TEST(response.header("Content-Type") == "application/json");
    return Json::parse(response.body);
}

}  // namespace

BOOST_AUTO_TEST_CASE(parts_are_elements_with_all_that_is_inside_them) {
    const auto parts = fcgi::views::live_parts(page);

    BOOST_TEST_REQUIRE(parts.size() == 3);
    BOOST_TEST(parts[0].id == "head");
    BOOST_TEST(parts[0].inside == "<div>a<br></div>b");
    BOOST_TEST(parts[1].id == "rows");
    BOOST_TEST(parts[1].inside == "<tr><td>1</td></tr>");
    BOOST_TEST(parts[2].inside == "");
}

BOOST_AUTO_TEST_CASE(a_page_says_what_its_parts_are_like) {
    Request request;
    request.method = "GET";
    const auto response = with_live_parts(fcgi::http::html(200, page), request);

    const std::string mark = "id=\"head\" data-live=\"" + fingerprint("<div>a<br></div>b") + "\">";
    BOOST_TEST(response.body.find(mark) != std::string::npos, response.body);
    BOOST_TEST(response.body.size() == page.size() + 3 * std::string("=\"0123456789abcdef\"").size());
    BOOST_TEST(response.header("Content-Type") == "text/html; charset=utf-8");
}

BOOST_AUTO_TEST_CASE(an_update_has_only_the_parts_that_have_changed) {
    const std::string head = "head=" + fingerprint("<div>a<br></div>b");
    const Json changed = news(head + ", rows=0000000000000000");

    BOOST_TEST(changed.at("title") == "shop &amp; co");
    BOOST_TEST(changed.at("follows") == true);
    BOOST_TEST(changed.at("parts").size() == 2);
    BOOST_TEST(changed.at("parts").at("rows").at("html") == "<tr><td>1</td></tr>");
    BOOST_TEST(changed.at("parts").at("rows").at("fingerprint") ==
               fingerprint("<tr><td>1</td></tr>"));
    BOOST_TEST(changed.at("parts").contains("empty"));
    BOOST_TEST(news("").at("parts").size() == 3);
    BOOST_TEST(news(",=,x,,head").at("parts").size() == 3);
}

BOOST_AUTO_TEST_CASE(text_that_is_no_utf_8_does_not_break_an_update) {
    const auto response =
        with_live_parts(fcgi::http::html(200, "<p id=\"a\" data-live>\xff</p>"), asking(""));

    BOOST_TEST(Json::parse(response.body).at("parts").at("a").at("html") == "\xEF\xBF\xBD");
}

BOOST_AUTO_TEST_CASE(other_answers_stay_as_they_are) {
    BOOST_TEST(with_live_parts(fcgi::http::html(404, page), asking("")).body == page);
    BOOST_TEST(with_live_parts(fcgi::http::text(200, page), asking("")).body == page);
    BOOST_TEST(with_live_parts(fcgi::http::html(200, "<p>x</p>"), asking("")).body == "<p>x</p>");
    Request post = asking("");
    post.method = "POST";
    BOOST_TEST(with_live_parts(fcgi::http::html(200, page), post).body == page);
}

BOOST_AUTO_TEST_CASE(fingerprints_tell_texts_apart_and_are_always_of_one_length) {
    BOOST_TEST(fingerprint("a") != fingerprint("b"));
    BOOST_TEST(fingerprint("a") == fingerprint("a"));
    for (const char* text : {"", "a", "foobar", "The quick brown fox"}) {
        BOOST_TEST(fingerprint(text).size() == 16);
    }
    BOOST_TEST(fingerprint("foobar") == "85944171f73967e8");
}

BOOST_AUTO_TEST_SUITE_END()
