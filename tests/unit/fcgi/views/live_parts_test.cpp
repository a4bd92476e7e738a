#include "fcgi/views/live_parts.hpp"

#include <boost/test/unit_test.hpp>
#include <regex>

BOOST_AUTO_TEST_SUITE(live_parts)

namespace {

using fcgi::http::Request;
using fcgi::views::with_live_parts;
using provisioner::base::Json;

const std::string page =
    "<title>shop &amp; co</title><div id=\"head\" data-live><div>a<br></div>b</div>"
    "<p data-follow=\"yes\">still</p><tbody id=\"rows\" class=\"x\" data-live><tr><td>1</td></tr>"
    "</tbody><p id=\"empty\" data-live></p>";

std::string fingerprint(std::string_view inside) {
    return fcgi::views::fingerprint({.id = "", .element = inside, .inside = inside});
}

/// A list of rows in a part that has more.
std::string list_of(const std::string& head, const std::vector<std::string>& rows) {
    std::string html =
        "<div id=\"box\" data-live><h2>" + head + "</h2><ul id=\"list\" data-rows data-live>";
    for (const std::string& row : rows) {
        html += "\n  <li id=\"" + row.substr(0, 1) + "\" data-live>" + row + "</li>";
    }
    return html + "\n</ul></div>";
}

/// What a browser that has drawn `html` says it has.
std::string had(const std::string& html) {
    Request request;
    request.method = "GET";
    const auto body = fcgi::views::with_live_parts(fcgi::http::html(200, html), request).body;
    static const std::regex part(R"re(id="([^"]+)"[^>]* data-live="([^"]+)")re");
    std::string have;
    for (std::sregex_iterator at(body.begin(), body.end(), part); at != std::sregex_iterator();
         ++at) {
        have += (*at)[1].str() + "=" + (*at)[2].str() + ", ";
    }
    return have;
}

Request asking(const std::string& have) {
    Request request;
    request.method = "GET";
    request.headers["x-live-parts"] = have;
    return request;
}

Json news(const std::string& have, const std::string& html = page) {
    const auto response = with_live_parts(fcgi::http::html(200, html), asking(have));
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
    BOOST_TEST(response.body.size() ==
               page.size() + 3 * std::string("=\"0123456789abcdef\"").size());
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

BOOST_AUTO_TEST_CASE(of_a_list_only_what_has_changed_is_sent_and_the_order_when_that_has) {
    const std::string have = had(list_of("two", {"a1", "b1"}));

    BOOST_TEST(news(have, list_of("two", {"a1", "b1"})).at("parts").empty());
    BOOST_TEST(news(have, list_of("two", {"a1", "b2"})).at("parts").dump() ==
               R"({"b":{"fingerprint":")" + fingerprint("b2") + R"(","html":"b2"}})");

    const Json moved = news(have, list_of("two", {"c1", "b2", "a1"})).at("parts");
    BOOST_TEST(moved.size() == 2U);
    BOOST_TEST(moved.at("list").at("order").dump() == R"(["c","b","a"])");
    BOOST_TEST(moved.at("list").at("added").dump() ==
               R"({"c":"<li id=\"c\" data-live=\")" + fingerprint("c1") + R"(\">c1</li>"})");
    BOOST_TEST(moved.at("b").at("html") == "b2");

    const Json emptied = news(have, list_of("two", {})).at("parts");
    BOOST_TEST(emptied.size() == 1U);
    BOOST_TEST(emptied.at("list").at("order").empty());
}

BOOST_AUTO_TEST_CASE(a_part_is_sent_with_all_its_parts_when_it_has_changed_itself) {
    const std::string have = had(list_of("two", {"a1", "b1"}));

    const Json parts = news(have, list_of("three", {"a2"})).at("parts");

    BOOST_TEST(parts.size() == 1U);
    const auto html = parts.at("box").at("html").get<std::string>();
    BOOST_TEST(html.starts_with("<h2>three</h2><ul id=\"list\" data-rows data-live=\""));
    BOOST_TEST(html.find("<li id=\"a\" data-live=\"" + fingerprint("a2") + "\">a2</li>") !=
               std::string::npos);
    BOOST_TEST(news(had(list_of("three", {"a2"})), list_of("three", {"a2"})).at("parts").empty());
}

BOOST_AUTO_TEST_CASE(a_list_that_the_browser_does_not_have_is_sent_whole) {
    const Json parts = news("", list_of("two", {"a1"})).at("parts");

    BOOST_TEST(parts.size() == 1U);
    BOOST_TEST(parts.contains("box"));
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
