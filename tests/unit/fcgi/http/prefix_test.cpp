#include "fcgi/http/prefix.hpp"

#include <boost/test/unit_test.hpp>
#include <utility>
#include <vector>

using namespace fcgi::http;
using provisioner::base::Config;

BOOST_AUTO_TEST_SUITE(prefix)

namespace {

Request request_for(const std::string& path) {
    Request request;
    request.path = path;
    request.target = path + "?a=b";
    return request;
}

std::string refusal_of(const std::string& text) {
    try {
        prefix_in(Config::parse("web.prefix = " + text));
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "taken";
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_path_below_the_prefix_is_what_routes_see) {
    const std::vector<std::pair<std::string, std::string>> paths{
        {"/cooperage", "/"},
        {"/cooperage/", "/"},
        {"/cooperage/clusters/7", "/clusters/7"},
        {"/cooperage/cooperage/x", "/cooperage/x"},
        {"/cooperage//clusters", "//clusters"}};

    for (const auto& [sent, routed] : paths) {
        Request request = request_for(sent);
        BOOST_TEST(Prefix("/cooperage").strip(request), sent);
        BOOST_TEST(request.path == routed);
        BOOST_TEST(request.prefix == "/cooperage");
        BOOST_TEST(request.uri() == sent + "?a=b");
    }
}

BOOST_AUTO_TEST_CASE(what_is_not_below_the_prefix_is_left_alone) {
    for (const char* sent : {"/", "/clusters", "/cooperage2/clusters", "/Cooperage/clusters", "",
                             "//cooperage/clusters", "/%63ooperage/clusters", "/a/cooperage/b"}) {
        Request request = request_for(sent);
        BOOST_TEST(!Prefix("/cooperage").strip(request), sent);
        BOOST_TEST(request.path == sent);
        BOOST_TEST(request.prefix == "");
    }
}

BOOST_AUTO_TEST_CASE(without_a_prefix_nothing_changes) {
    for (const char* sent : {"/", "/clusters", "//x", "", "*"}) {
        Request request = request_for(sent);
        BOOST_TEST(Prefix().strip(request));
        BOOST_TEST(request.path == sent);
    }
    const Response page = Prefix().add(with_header(html(200, "<a href=\"/x\">"), "Location", "/y"));
    BOOST_TEST(page.body == "<a href=\"/x\">");
    BOOST_TEST(page.header("Location") == "/y");
}

BOOST_AUTO_TEST_CASE(redirects_and_links_of_headers_get_the_prefix) {
    const Prefix prefix("/a/b");
    const auto sent = [&](const char* name, const char* value) {
        return prefix.add(with_header(empty(303), name, value)).header(name);
    };

    BOOST_TEST(sent("Location", "/clusters") == "/a/b/clusters");
    BOOST_TEST(sent("Location", "//elsewhere") == "//elsewhere");
    BOOST_TEST(sent("Location", "https://elsewhere/") == "https://elsewhere/");
    BOOST_TEST(sent("Link", "</v2/nodes?cursor=x>; rel=\"next\"") ==
               "</a/b/v2/nodes?cursor=x>; rel=\"next\"");
    BOOST_TEST(sent("X-Other", "/clusters") == "/clusters");
}

BOOST_AUTO_TEST_CASE(addresses_in_pages_get_the_prefix_and_nothing_else_does) {
    const Prefix prefix("/a");
    const auto drawn = [&](const char* body) { return prefix.add(html(200, body)).body; };

    BOOST_TEST(drawn("<a class=\"x\" href=\"/\">/</a><img src=\"/static/x.svg\">") ==
               "<a class=\"x\" href=\"/a/\">/</a><img src=\"/a/static/x.svg\">");
    BOOST_TEST(drawn("<form action=\"/x\"><button formaction=\"/y\">") ==
               "<form action=\"/a/x\"><button formaction=\"/a/y\">");
    BOOST_TEST(drawn("<div data-document=\"/v2\" data-other=\"/v2\">") ==
               "<div data-document=\"/a/v2\" data-other=\"/v2\">");
    BOOST_TEST(drawn("<form data-upload-to=\"/v2/x/\">") == "<form data-upload-to=\"/a/v2/x/\">");
    for (const char* same :
         {"<input name=\"next\" value=\"/clusters\">", "<a href=\"//elsewhere\">",
          "<a href=\"https://elsewhere/\">", "<a href=\"#top\">", "<a href=\"?page=2\">",
          "<p>href=&quot;/x&quot;</p>", "=\"/", ""}) {
        BOOST_TEST(drawn(same) == same);
    }
}

BOOST_AUTO_TEST_CASE(pages_of_a_view_stay_in_it_but_for_what_no_view_has) {
    const auto page = [](const std::string& href) {
        return Prefix("/a").add(html(200, "<a href=\"" + href + "\">"), "/view/demo").body;
    };

    BOOST_TEST(page("/clusters/7?x=1") == "<a href=\"/a/view/demo/clusters/7?x=1\">");
    BOOST_TEST(page("/") == "<a href=\"/a/view/demo/\">");
    BOOST_TEST(page("/profiles") == "<a href=\"/a/view/demo/profiles\">");
    for (const char* outside :
         {"/static/css/site.css", "/profile", "/profile/keys", "/logout", "/login?next=/x",
          "/viewing/demo/leave", "/tenants/demo", "/queues", "/view/other/clusters"}) {
        BOOST_TEST(page(outside) == "<a href=\"/a" + std::string(outside) + "\">");
    }
    const auto moved = Prefix().add(see_other("/clusters/7"), "/view/demo");
    BOOST_TEST(moved.header("Location") == "/view/demo/clusters/7");
    BOOST_TEST(Prefix().add(see_other("/profile/password"), "/view/demo").header("Location") ==
               "/profile/password");
}

BOOST_AUTO_TEST_CASE(a_view_is_taken_from_the_path) {
    const auto stripped = [](const std::string& path) {
        Request request;
        request.path = path;
        Prefix::strip_view(request);
        return request.view + '|' + request.view_path + '|' + request.path;
    };

    BOOST_TEST(stripped("/view/demo/clusters/7") == "demo|/view/demo|/clusters/7");
    BOOST_TEST(stripped("/view/a%20b") == "a b|/view/a%20b|/");
    BOOST_TEST(stripped("/view/demo/view/other/") == "demo|/view/demo|/view/other/");
    for (const char* other : {"/view", "/view/", "/view//clusters", "/viewing/demo/leave", "/"}) {
        BOOST_TEST(stripped(other) == "||" + std::string(other));
    }
}

BOOST_AUTO_TEST_CASE(bodies_that_are_no_pages_stay) {
    const std::string body = R"({"a":"<a href=\"/x\">"} href="/x")";

    BOOST_TEST(Prefix("/a").add(json_text(200, body)).body == body);
    BOOST_TEST(Prefix("/a").add(text(200, body)).body == body);
}

BOOST_AUTO_TEST_CASE(what_is_no_prefix_is_refused_with_every_reason) {
    for (const char* good : {"", "/cooperage", "/a/b-c/D_1.~", "/..."}) {
        BOOST_TEST(refusal_of(good) == "taken");
    }
    BOOST_TEST(refusal_of("cooperage/") ==
               "web.prefix is a path like /cooperage, or empty, not cooperage/: it has to begin "
               "with '/', it must not end with '/'");
    const std::vector<std::pair<std::string, std::string>> bad{{"/", "not end"},
                                                               {"/a//b", "two '/'"},
                                                               {"/a/../b", "'..'"},
                                                               {"/.", "'..'"},
                                                               {"/a b", "only letters"},
                                                               {"/a\"b", "only letters"},
                                                               {"/a?b", "only letters"},
                                                               {"/%61", "only letters"},
                                                               {"/a;b", "only letters"},
                                                               {"/\xC3\xA4", "only letters"},
                                                               {"https://x/a", "begin with"}};
    for (const auto& [text, reason] : bad) {
        BOOST_TEST(refusal_of(text).find(reason) != std::string::npos, text + refusal_of(text));
    }
    BOOST_TEST(refusal_of("a b//").find("begin with '/', it must not end") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
