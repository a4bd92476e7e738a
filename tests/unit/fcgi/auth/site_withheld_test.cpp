#include <boost/test/unit_test.hpp>
#include <regex>

#include "fcgi/http/errors.hpp"
#include "fcgi/site.hpp"
#include "tests/unit/fcgi/auth/fake_site.hpp"

using namespace fcgi;
using auth::Need;
using http::Request;
using http::Response;

// What a web server is told that asks who sends a body before it reads it.
BOOST_AUTO_TEST_SUITE(site_withheld)

namespace {

int handled = 0;

Response count(const Request&, const auth::Visitor&, App&) {
    ++handled;
    return http::text(200, "in");
}

/// The real table with handlers that only count.
std::vector<Route> counting_routes() {
    auto table = routes();
    for (Route& route : table) route.handler = count;
    return table;
}

struct Fixture : tests::FakeSite {
    Fixture() : FakeSite(counting_routes()) { handled = 0; }

    Response ask_first(Request request) {
        request.is_body_withheld = true;
        return site.answer(request);
    }
};

const std::string file = "/v2/plugins/automatortypes/shell/scripts/x";

Request upload_of(const std::string& user) {
    return tests::from_script("POST", file, "acme", user);
}

std::string some_path(const Route& route) {
    return std::regex_replace(route.pattern, std::regex(R"(\{\w+\})"), "7");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_call_is_let_in_or_refused_as_it_will_be_and_is_not_made) {
    Fixture fixture;
    int let_in = 0;
    int refused = 0;

    for (const Route& route : fixture.table) {
        if (!http::is_for_api(tests::from_script("GET", route.pattern, "acme", "bob"))) continue;
        for (const char* user : {"admin", "bob", "rita", "stranger"}) {
            const Request request =
                tests::from_script(route.method, some_path(route), "acme", user);
            handled = 0;
            const Response first = fixture.ask_first(request);
            BOOST_TEST(handled == 0, route.pattern);
            const Response then = fixture.ask(request);
            const std::string what = route.method + ' ' + route.pattern + " as " + user;

            const bool is_in = then.status == 200;
            BOOST_TEST(first.status == (is_in ? 204 : 403), what);
            BOOST_TEST(
                first.header("Cooperage-Refusal") == (is_in ? "" : std::to_string(then.status)),
                what);
            BOOST_TEST(first.header("Cooperage-Refusal-Text") == (is_in ? "" : then.body), what);
            ++(is_in ? let_in : refused);
        }
    }
    BOOST_TEST(let_in > 100);
    BOOST_TEST(refused > 100);
}

BOOST_AUTO_TEST_CASE(more_than_a_call_takes_is_refused_before_it_is_sent) {
    Fixture fixture;
    struct Case {
        std::string method, path, user;
        std::uint64_t limit;
    };
    const Case cases[] = {{"POST", "/v2/import", "admin", http::body_limit},
                          {"POST", "/v2/clusters", "bob", http::call_limit},
                          {"GET", "/v2/openapi.json", "bob", http::form_limit}};

    for (const auto& [method, path, user, limit] : cases) {
        Request request = tests::from_script(method, path, "acme", user);
        request.incoming_size = limit;
        BOOST_TEST(fixture.ask_first(request).status == 204, path);
        request.incoming_size = limit + 1;
        const Response refused = fixture.ask_first(request);
        BOOST_TEST(refused.header("Cooperage-Refusal") == "413", path);
        BOOST_TEST(refused.header("Cooperage-Refusal-Text").starts_with("The request is larger"));
    }
    Request large = upload_of("admin");
    large.incoming_size = http::body_limit + 1;
    BOOST_TEST(fixture.ask_first(large).status == 204);
    BOOST_TEST(handled == 0);
}

BOOST_AUTO_TEST_CASE(a_program_that_does_not_know_the_question_refuses_it) {
    Fixture fixture;

    for (const Route& route : fixture.table) {
        const Request request = tests::from_script("ASK", some_path(route), "acme", "admin");
        BOOST_TEST(fixture.ask(request).status == 405, route.pattern);
    }
    BOOST_TEST(handled == 0);
}

BOOST_AUTO_TEST_CASE(a_page_takes_no_body_that_is_kept_back) {
    Fixture fixture;

    for (const Route& route : fixture.table) {
        const Request request =
            tests::from_browser(route.method, some_path(route), "acme", "admin");
        if (http::is_for_api(request)) continue;
        BOOST_TEST(fixture.ask_first(request).header("Cooperage-Refusal") == "404", route.pattern);
    }
    BOOST_TEST(handled == 0);
}

BOOST_AUTO_TEST_CASE(a_key_and_a_session_are_held_to_what_they_may) {
    Fixture fixture;
    const auto refusal = [&](const Request& request) {
        return fixture.ask_first(request).header("Cooperage-Refusal-Text");
    };
    Request by_cookie = tests::from_browser("POST", file, "acme", "admin");
    BOOST_TEST(refusal(by_cookie) == "Coopr-UserID not found in request headers.");

    fixture.directory.limits.scope = provisioner::model::KeyScope::read;
    BOOST_TEST(refusal(upload_of("admin")) == "This API key may only read.");
}

BOOST_AUTO_TEST_CASE(asking_first_changes_nothing_and_is_not_logged_as_a_change) {
    Fixture fixture;

    BOOST_TEST(fixture.ask_first(upload_of("admin")).status == 204);
    BOOST_TEST(fixture.directory.forgotten == 0);
    BOOST_TEST(fixture.lines.str() == "");

    BOOST_TEST(fixture.ask(upload_of("admin")).status == 200);
    BOOST_TEST(fixture.directory.forgotten == 1);
    BOOST_TEST(fixture.lines.str().find("request.changed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(keys_are_not_guessed_by_bodies_that_are_kept_back) {
    Fixture fixture;
    Request wrong = upload_of("admin");
    wrong.headers["coopr-apikey"] = "wrong";
    for (int i = 0; i < auth::Throttle::most_failures; ++i) {
        BOOST_REQUIRE(fixture.ask_first(wrong).header("Cooperage-Refusal") == "401");
    }

    const Response refused = fixture.ask_first(wrong);

    BOOST_TEST(refused.header("Cooperage-Refusal") == "429");
    BOOST_TEST(!refused.header("Retry-After").empty());
    BOOST_TEST(fixture.ask(wrong).status == 429);
}

BOOST_AUTO_TEST_CASE(a_refusal_has_the_form_a_script_asks_for) {
    Fixture fixture;
    Request request = upload_of("bob");
    request.headers["accept"] = "application/problem+json";
    request.id = "r-12345678";

    const Response refused = fixture.ask_first(request);

    BOOST_TEST(refused.header("Content-Type") == "application/problem+json");
    BOOST_TEST(refused.header("X-Request-Id") == "r-12345678");
    BOOST_TEST(refused.header("Cooperage-Refusal-Text").starts_with(R"({"type":"about:blank")"));
}

BOOST_AUTO_TEST_SUITE_END()
