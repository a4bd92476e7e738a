#include <boost/test/unit_test.hpp>
#include <functional>
#include <regex>

#include "fcgi/http/errors.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/http/incoming.hpp"
#include "fcgi/http/params.hpp"
#include "fcgi/site.hpp"
#include "provisioner/contents/sources.hpp"
#include "provisioner/identity/csrf_token.hpp"
#include "tests/unit/fcgi/auth/fake_site.hpp"

using namespace fcgi;
using auth::Need;
using http::Request;
using http::Response;
using provisioner::base::Secret;

// How much one request, and one user, may ask of the site.
BOOST_AUTO_TEST_SUITE(site_limits)

namespace {

Response let_in(const Request&, const auth::Visitor&, App&) {
    return http::text(200, "in");
}

Response read_form(const Request& request, const auth::Visitor&, App&) {
    http::parse_form(request.body);
    return http::text(200, "in");
}

Response read_file(const Request& request, const auth::Visitor&, App&) {
    return http::text(200, request.file("file")->bytes);
}

Response take_token(const Request& request, const auth::Visitor&, App&) {
    const bool is_right = request.header("authorization") == "Bearer right";
    return is_right ? http::text(200, "in") : http::not_found(request);
}

/// What ask_for_more() asks of the site that calls it.
std::function<Response(const std::string&, const std::string&, const std::string&)> more;

/// Asks again while it is asked: by the same user, by another one, and for something else.
Response ask_for_more(const Request& request, const auth::Visitor&, App&) {
    if (request.header("x-more") == "no") return http::text(200, "in");
    std::string said;
    for (const Response& response :
         {more("admin", "POST", "/v2/clusters/preview"),
          more("bob", "POST", "/v2/clusters/preview"), more("admin", "GET", "/v2/clusters")}) {
        said += said.empty() ? "" : ", ";
        said += std::to_string(response.status) + ' ' + response.header("Retry-After");
    }
    return http::text(200, said);
}

/// A body that must not be read, or that breaks off.
class BrokenBody final : public provisioner::contents::Source {
 public:
    std::size_t read(char*, std::size_t) override {
        was_read = true;
        throw http::BodyTooShort();
    }

    bool was_read = false;
};

using Fixture = tests::FakeSite;

Request with_csrf(Request request, const std::string& tenant, const std::string& user) {
    const Secret session(tests::token_of(tenant, user));
    request.body = "csrf=" + provisioner::identity::csrf_token(session);
    return request;
}

Request plain(const std::string& method, const std::string& path) {
    Request request;
    request.method = method;
    request.path = path;
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_read_is_as_long_as_its_route_needs) {
    Fixture fixture({{"POST", "/v2/clusters", let_in, Need::user},
                     {"POST", "/v2/import", let_in, Need::admin},
                     {"POST", "/login", let_in, Need::nobody},
                     with_longest_form({"POST", "/prices", let_in, Need::user}, 1000 * 1024)});
    const auto is_read = [&](Request request, std::uint64_t size) {
        BrokenBody body;
        request.incoming = &body;
        request.incoming_size = size;
        const Response response = fixture.ask(request);
        BOOST_TEST(response.status == (body.was_read ? 400 : 413));
        return body.was_read;
    };
    const auto call = [](const std::string& path) {
        return tests::from_script("POST", path, "acme", "admin");
    };
    const Request form = tests::from_browser("POST", "/prices", "acme", "bob");

    BOOST_TEST(is_read(call("/v2/clusters"), http::call_limit));
    BOOST_TEST(!is_read(call("/v2/clusters"), http::call_limit + 1));
    BOOST_TEST(is_read(call("/v2/import"), http::body_limit));
    BOOST_TEST(!is_read(call("/v2/import"), http::body_limit + 1));
    BOOST_TEST(is_read(plain("POST", "/login"), http::form_limit));
    BOOST_TEST(!is_read(plain("POST", "/login"), http::form_limit + 1));
    BOOST_TEST(is_read(form, 1000 * 1024));
    BOOST_TEST(!is_read(form, 1000 * 1024 + 1));
}

BOOST_AUTO_TEST_CASE(wrong_tokens_of_a_network_have_to_wait_and_the_right_one_never) {
    Fixture fixture(
        {with_token({"GET", "/metrics", take_token, Need::nobody, std::nullopt, true, false, true}),
         {"GET", "/v2/clusters", let_in, Need::user}});
    std::string path = "/metrics";
    const auto answer_to = [&](const std::string& client, const std::string& token) {
        Request request = plain("GET", path);
        request.client = client;
        if (!token.empty()) request.headers["authorization"] = "Bearer " + token;
        return fixture.ask(request);
    };
    for (int i = 0; i < auth::Throttle::most_failures; ++i) {
        const std::string other = "2001:db8:0:1::" + std::to_string(i);
        BOOST_REQUIRE(answer_to(other, std::to_string(i)).status == 404);
    }

    const Response refused = answer_to("2001:db8:0:1::ffff", "one more");
    BOOST_TEST(refused.status == 429);
    BOOST_TEST(!refused.header("Retry-After").empty());
    // However the path is written, it is one count.
    for (const char* same : {"/metrics/", "/%6detrics"}) {
        path = same;
        BOOST_TEST(answer_to("2001:db8:0:1::ffff", "one more").status == 429, same);
        BOOST_TEST(answer_to("2001:db8:0:1::ffff", "right").status == 200, same);
    }
    path = "/metrics";
    BOOST_TEST(answer_to("2001:db8:0:1::ffff", "right").status == 200);
    BOOST_TEST(answer_to("2001:db8:0:2::1", "one more").status == 404);
    // Who gives no token guesses nothing, and keys have counts of their own.
    BOOST_TEST(answer_to("2001:db8:0:1::ffff", "").status == 404);
    Request by_key = tests::from_script("GET", "/v2/clusters", "acme", "bob");
    by_key.client = "2001:db8:0:1::ffff";
    BOOST_TEST(fixture.ask(by_key).status == 200);
}

BOOST_AUTO_TEST_CASE(metrics_are_the_route_that_takes_a_token) {
    for (const Route& route : routes()) {
        BOOST_TEST(route.takes_a_token == (route.pattern == "/metrics"), route.pattern);
    }
}

BOOST_AUTO_TEST_CASE(forms_are_short_unless_a_text_or_a_list_is_in_them) {
    for (const Route& route : routes()) {
        if (route.method != "POST" || route.pattern.starts_with("/v2/")) continue;
        const bool is_long = std::regex_match(
            route.pattern,
            std::regex("/identity-providers|/builder/\\{kind\\}(/preview|/save)?|/exchange/"
                       "(draft|import|export)|"
                       "/catalogue/new/\\{kind\\}|/catalogue/\\{kind\\}/"
                       "\\{name\\}/edit|"
                       "/clusters|/clusters/(new|preview)|/clusters/\\{id\\}/"
                       "(configure|grow|shrink|services/(add|remove)|"
                       "nodes/\\{node\\}/replace)"));
        const bool is_whole_list = std::regex_match(
            route.pattern, std::regex("(/tenants/[^/]+)?/prices|/exchange/(draft|import)|"
                                      "/catalogue/files/\\{plugins\\}/\\{plugin\\}/"
                                      "\\{resourcetype\\}"));
        static_assert(http::file_form_limit == http::price_form_limit);
        const auto limit = is_whole_list ? http::price_form_limit
                           : is_long     ? http::long_form_limit
                                         : http::form_limit;
        BOOST_TEST(route.longest_form == limit, route.pattern);
    }
}

BOOST_AUTO_TEST_CASE(a_form_with_a_file_needs_its_token_as_any_other) {
    Fixture fixture({{"POST", "/catalogue/files", read_file, Need::admin}});
    const auto send = [&](const std::string& token) {
        const std::string line = "\r\nContent-Disposition: form-data; name=";
        const std::string body = "--x" + line + "csrf\r\n\r\n" + token + "\r\n--x" + line +
                                 "file; filename=a\r\n\r\nbytes\r\n--x--";
        provisioner::contents::TextSource wire(body);
        Request request = tests::from_browser("POST", "/catalogue/files", "acme", "admin");
        request.headers["content-type"] = "multipart/form-data; boundary=x";
        request.incoming = &wire;
        request.incoming_size = body.size();
        return fixture.ask(request);
    };
    const Secret session(tests::token_of("acme", "admin"));

    BOOST_TEST(send(provisioner::identity::csrf_token(session)).body == "bytes");
    BOOST_TEST(send("another").status == 403);
}

BOOST_AUTO_TEST_CASE(a_form_with_too_many_fields_is_refused_in_words) {
    Fixture fixture({{"POST", "/clusters", read_form, Need::user}});
    auto request =
        with_csrf(tests::from_browser("POST", "/clusters", "acme", "bob"), "acme", "bob");
    for (std::size_t i = 0; i <= http::most_fields; ++i) request.body += "&a";

    const Response response = fixture.ask(request);

    BOOST_TEST(response.status == 413);
    BOOST_TEST(response.body.find("The form has more than 20000 fields.") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(each_user_may_work_out_one_layout_and_all_of_them_some) {
    const std::vector<Route> table{
        laborious({"POST", "/v2/clusters/preview", ask_for_more, Need::user, std::nullopt, true}),
        {"GET", "/v2/clusters", let_in, Need::user}};
    Fixture fixture(table);
    // Half of three threads work out layouts, and none waits for that.
    const Site site(fixture.table, fixture.directory, fixture.app, auth::TrustedHeaders::off, {},
                    3);
    more = [&](const std::string& user, const std::string& method, const std::string& path) {
        Request request = tests::from_script(method, path, "acme", user);
        request.headers["x-more"] = "no";
        return site.answer(request);
    };
    Request first = tests::from_script("POST", "/v2/clusters/preview", "acme", "admin");

    BOOST_TEST(site.answer(first).body == "429 1, 503 2, 200 ");
    BOOST_TEST(more("admin", "POST", "/v2/clusters/preview").status == 200);
    BOOST_TEST(more("bob", "POST", "/v2/clusters/preview").status == 200);
    more = nullptr;
}

BOOST_AUTO_TEST_CASE(what_takes_long_waits_for_a_turn) {
    const std::regex preview(
        "/clusters/(preview|\\{id\\}/"
        "(grow|shrink|services/(add|remove)|"
        "nodes/\\{node\\}/replace))");
    for (const Route& route : routes()) {
        const bool is_page = std::regex_match(route.pattern, preview);
        const bool is_question = route.method == "GET";
        const bool is_call = route.pattern == "/v2/clusters/preview" ||
                             route.pattern == "/v2/resolve" || route.pattern == "/exchange/draft" ||
                             route.pattern == "/exchange/drafts/{draft}" ||
                             route.pattern == "/builder/{kind}/preview" ||
                             route.pattern == "/catalogue/clustertemplates/{name}/update" ||
                             route.pattern == "/builder/{kind}/drafts/{draft}/preview";
        const bool is_download = route.pattern == "/clusters/{id}/tasks/{task}/log";
        BOOST_TEST(route.is_laborious == ((is_page && is_question) || is_call || is_download),
                   route.method + ' ' + route.pattern);
    }
}

BOOST_AUTO_TEST_SUITE_END()
