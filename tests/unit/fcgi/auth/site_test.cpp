#include "fcgi/site.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <regex>
#include <sstream>

#include "fcgi/auth/key_scope.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/http/incoming.hpp"
#include "fcgi/http/params.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/form_words.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "provisioner/identity/csrf_token.hpp"
#include "provisioner/identity/sealing.hpp"
#include "provisioner/operations/audit.hpp"
#include "tests/unit/fcgi/auth/fake_site.hpp"

using namespace fcgi;
using auth::Need;
using http::Request;
using http::Response;
using provisioner::base::Secret;

BOOST_AUTO_TEST_SUITE(site)

namespace {

/// As operations do, it changes nothing for somebody who must prove first who they are.
Response let_in(const Request&, const auth::Visitor& visitor, App&) {
    if (visitor.caller && visitor.caller->must_prove) throw provisioner::operations::ProofNeeded();
    return http::text(200, "in");
}

Response break_down(const Request&, const auth::Visitor&, App&) {
    throw std::runtime_error("the database is gone");
}

Response write_too_much(const Request&, const auth::Visitor&, App&) {
    throw provisioner::store::TooLargeForDatabase("Got a packet bigger than 'max_allowed_packet'");
}

using provisioner::store::DatabaseUnavailable;

Response find_database_full(const Request&, const auth::Visitor&, App&) {
    throw DatabaseUnavailable("The table 'task' is full", 1114);
}

Response lose_database_at_commit(const Request&, const auth::Visitor&, App&) {
    throw DatabaseUnavailable("while committing: Lost connection", 0,
                              DatabaseUnavailable::Outcome::in_doubt);
}

Response say_path_value(const Request& request, const auth::Visitor&, App&) {
    return http::text(200, request.path_value("id"));
}

Response refuse_what_was_typed(const Request&, const auth::Visitor&, App&) {
    return http::html(422, "There is no user nobody.");
}

Response do_what_a_form_asks(const Request&, const auth::Visitor&, App&) {
    return http::see_other("/profile?done=saved");
}

Response say_what_was_done(const Request& request, const auth::Visitor&, App&) {
    return http::text(200, request.query_value("done").value_or("nothing"));
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

Response take_stream(const Request& request, const auth::Visitor&, App&) {
    char c = 0;
    request.incoming->read(&c, 1);
    return http::text(200, "in");
}

Response find_no_place(const Request&, const auth::Visitor&, App&) {
    throw provisioner::contents::PlaceError("cannot write /srv/files/ab: No space left on device");
}

Response meet_older_keys(const Request&, const auth::Visitor&, App&) {
    throw provisioner::identity::KeysOutOfStep(
        "the newest key is daemon key 2, and this host has 1");
}

/// With pages that show what the site tells them, and German for one text.
struct Fixture : tests::FakeSite {
    explicit Fixture(std::vector<Route> routes)
        : FakeSite(std::move(routes),
                   {{"layout", "{{> content}}"},
                    {"errors/show", "{{heading}}: {{text}}{{#ways}} {{label}}{{/ways}}"},
                    {"tenants/login", "{{kept_path}} {{kept_body}}"},
                    {"home", "<p>Log in</p>"}},
                   {provisioner::messages::Messages("de", {{"Log in", {"Anmelden"}}})}) {}
};

/// The real table with handlers that only say that somebody came through.
std::vector<Route> open_doors() {
    std::vector<Route> table = routes();
    for (Route& route : table) route.handler = let_in;
    return table;
}

std::string some_path(const Route& route) {
    return std::regex_replace(route.pattern, std::regex(R"(\{\w+\})"), "7");
}

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

struct Person {
    std::string tenant;
    std::string user;
    std::string role;
};

const std::vector<Person> people{{"acme", "bob", "user"},
                                 {"acme", "olga", "operator"},
                                 {"acme", "rita", "auditor"},
                                 {"acme", "admin", "admin"},
                                 {"other", "bob", "user"},
                                 {"other", "admin", "admin"},
                                 {"superadmin", "admin", "superadmin"}};

/// Who comes through a route, told by its need in other words than the program's table of rights:
/// the roles that may read, and those that may change.
struct Expected {
    Need need;
    std::string readers;
    std::string changers;
};
const std::vector<Expected> expected_roles{
    {Need::nobody, "user operator auditor admin superadmin",
     "user operator auditor admin superadmin"},
    {Need::account, "user operator auditor admin superadmin",
     "user operator auditor admin superadmin"},
    {Need::user, "user operator auditor admin superadmin", "user operator admin superadmin"},
    {Need::cluster_user, "user operator admin superadmin", "user operator admin superadmin"},
    {Need::admin, "auditor admin superadmin", "admin superadmin"},
    {Need::superadmin, "superadmin", "superadmin"}};

bool is_expected(const Route& route, const std::string& role) {
    const auto row = std::ranges::find(expected_roles, route.need, &Expected::need);
    BOOST_REQUIRE((row != expected_roles.end()));
    std::istringstream words(route.changes() ? row->changers : row->readers);
    for (std::string word; words >> word;) {
        if (word == role) return true;
    }
    return false;
}

bool is_page(const Route& route) {
    return !http::is_for_api(plain("GET", route.pattern));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_route_lets_in_every_role_it_should_and_no_other) {
    Fixture fixture(open_doors());
    std::size_t asked = 0;

    for (const Route& route : fixture.table) {
        for (const Person& person : people) {
            const auto make = is_page(route) ? tests::from_browser : tests::from_script;
            const Request request =
                with_csrf(make(route.method, some_path(route), person.tenant, person.user),
                          person.tenant, person.user);

            const int expected = is_expected(route, person.role) ? 200 : 403;
            BOOST_TEST(fixture.ask(request).status == expected,
                       route.method << ' ' << route.pattern << " as " << person.role);
            ++asked;
        }
    }
    BOOST_TEST(asked == fixture.table.size() * people.size());
    BOOST_TEST(asked > 1000U);
}

BOOST_AUTO_TEST_CASE(nobody_reaches_another_tenant_with_their_own_key) {
    Fixture fixture(open_doors());
    std::size_t asked = 0;

    for (const Route& route : fixture.table) {
        if (is_page(route) || route.need == Need::nobody) continue;
        for (const Person& person : people) {
            for (const std::string tenant : {"acme", "other", "superadmin", "nowhere"}) {
                if (tenant == person.tenant) continue;
                auto request =
                    tests::from_script(route.method, some_path(route), person.tenant, person.user);
                request.headers["coopr-tenantid"] = tenant;
                // Failures of one address would have to wait.
                request.client = std::to_string(++asked);
                BOOST_TEST(fixture.ask(request).status == (tenant == "nowhere" ? 404 : 401),
                           route.method << ' ' << route.pattern << " as " << person.user);
            }
        }
    }
    BOOST_TEST(asked > 1000U);
}

BOOST_AUTO_TEST_CASE(a_key_does_no_more_than_its_rights_whatever_its_owner_may) {
    using provisioner::model::KeyRight;
    using provisioner::model::ResourceKind;
    Fixture fixture(open_doors());
    fixture.directory.limits.scope = provisioner::model::KeyScope::some;

    for (const auto& [kind, word] : provisioner::base::words<ResourceKind>) {
        for (const bool may_change : {false, true}) {
            fixture.directory.limits.rights = {KeyRight{kind, may_change}};
            for (const Route& route : fixture.table) {
                if (is_page(route) || route.need == Need::nobody) continue;
                const bool is_kind = auth::kind_of_route(route.pattern) == kind;
                const bool good = is_kind && (may_change || !route.changes());
                for (const Person& person : people) {
                    const bool may = good && is_expected(route, person.role);
                    BOOST_TEST(fixture.ask(tests::from_script(route.method, some_path(route),
                                                              person.tenant, person.user))
                                       .status == (may ? 200 : 403),
                               word << ' ' << route.method << ' ' << route.pattern << " as "
                                    << person.role);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_key_that_only_reads_comes_through_where_nothing_changes) {
    Fixture fixture(open_doors());
    fixture.directory.limits.scope = provisioner::model::KeyScope::read;
    const std::vector<std::string> reading_posts{"/v2/clusters/preview", "/v2/resolve",
                                                 "/v2/getNodeProperties"};

    for (const Route& route : fixture.table) {
        if (is_page(route) || route.need == Need::nobody) continue;
        const bool reads =
            route.method == "GET" || std::ranges::count(reading_posts, route.pattern);
        const auto answer =
            fixture.ask(tests::from_script(route.method, some_path(route), "superadmin", "admin"));
        BOOST_TEST(answer.status == (reads ? 200 : 403), route.method << ' ' << route.pattern);
        if (!reads) BOOST_TEST(answer.body == "This API key may only read.");
    }
}

BOOST_AUTO_TEST_CASE(every_route_is_found_below_the_prefix_and_only_there) {
    Fixture fixture(open_doors());
    const Site below(fixture.table, fixture.directory, fixture.app, auth::TrustedHeaders::off,
                     http::Prefix("/cooperage"));
    const auto asked_at = [&](const Route& route, const std::string& path) {
        const auto make = is_page(route) ? tests::from_browser : tests::from_script;
        Request request =
            with_csrf(make(route.method, path, "superadmin", "admin"), "superadmin", "admin");
        return below.answer(request).status;
    };

    for (const Route& route : fixture.table) {
        const std::string path = some_path(route);
        BOOST_TEST(asked_at(route, "/cooperage" + path) == 200, path);
        BOOST_TEST(asked_at(route, path) == 404, path);
    }
}

BOOST_AUTO_TEST_CASE(below_a_prefix_the_way_to_the_login_and_back_stays_below_it) {
    Fixture fixture(open_doors());
    const Site below(fixture.table, fixture.directory, fixture.app, auth::TrustedHeaders::off,
                     http::Prefix("/cooperage"));
    Request page = plain("GET", "/cooperage/clusters/7");
    page.query = "a=b";
    Request outside = plain("GET", "/clusters/7");
    outside.id = "00ff";

    const Response to_login = below.answer(page);
    const Response nowhere = below.answer(outside);

    // The form's `next` is a path of the site; the redirect after the login puts the prefix before.
    BOOST_TEST(to_login.header("Location") == "/cooperage/login?next=%2Fclusters%2F7%3Fa%3Db");
    BOOST_TEST(nowhere.status == 404);
    BOOST_TEST(nowhere.header("X-Content-Type-Options") == "nosniff");
    BOOST_TEST(nowhere.header("X-Request-Id") == "00ff");
}

BOOST_AUTO_TEST_CASE(a_form_of_somebody_whose_session_has_ended_travels_through_the_log_in) {
    Fixture fixture({{"POST", "/clusters", let_in, Need::user}});
    Request form = plain("POST", "/clusters");
    form.body = "name=shop&csrf=old";
    form.headers["sec-fetch-site"] = "same-origin";
    Request foreign = form;
    foreign.headers["sec-fetch-site"] = "cross-site";

    const Response kept = fixture.ask(form);
    const Response lost = fixture.ask(foreign);

    BOOST_TEST(kept.status == 403);
    BOOST_TEST(kept.body == "/clusters name=shop\n");
    BOOST_TEST(lost.status == 303);
    BOOST_TEST(lost.header("Location") == "/login");
}

BOOST_AUTO_TEST_CASE(a_log_in_of_somebody_who_is_logged_in_leads_on) {
    Fixture fixture({{"POST", "/login", let_in, Need::nobody},
                     {"POST", "/login/with/{provider}", let_in, Need::nobody}});
    // Drawn without a session, the form has no token.
    Request form = tests::from_browser("POST", "/login", "acme", "bob");
    form.body = "next=/clusters&tenant=acme";
    form.headers["sec-fetch-site"] = "same-origin";
    Request by_provider = form;
    by_provider.path = "/login/with/corp";
    Request foreign = form;
    foreign.headers["sec-fetch-site"] = "cross-site";
    Request away = form;
    away.body = "next=//evil.test/";

    BOOST_TEST(fixture.ask(form).header("Location") == "/clusters");
    BOOST_TEST(fixture.ask(by_provider).header("Location") == "/clusters");
    BOOST_TEST(fixture.ask(away).header("Location") == "/");
    BOOST_TEST(fixture.ask(foreign).status == 403);
}

BOOST_AUTO_TEST_CASE(a_refusal_of_a_page_has_a_heading_and_a_way_on) {
    Fixture fixture(
        {{"GET", "/daemons", let_in, Need::superadmin}, {"GET", "/audit", let_in, Need::admin}});

    const Response refused = fixture.ask(tests::from_browser("GET", "/daemons", "acme", "bob"));
    Request nowhere = plain("GET", "/nowhere");
    nowhere.headers["accept"] = "text/html";

    BOOST_TEST(refused.status == 403);
    BOOST_TEST(refused.body ==
               "You do not have permission to do this: This page is for superadmins. The role user "
               "lacks the right to administer the installation. Home\n");
    BOOST_TEST(fixture.ask(tests::from_browser("GET", "/audit", "acme", "bob")).body ==
               "You do not have permission to do this: This page is for administrators. The role "
               "user lacks the right to see everything of the tenant. Home\n");
    BOOST_TEST(fixture.ask(nowhere).body ==
               "Page not found: There is no page at this address. Home\n");
}

BOOST_AUTO_TEST_CASE(what_is_not_there_leads_to_the_list_it_would_be_in) {
    const Handler missing = [](const Request&, const auth::Visitor&, App&) {
        return pages::nothing_there("cluster");
    };
    const Handler unknown = [](const Request&, const auth::Visitor&, App&) {
        return pages::no_such_page();
    };
    Fixture fixture({{"GET", "/clusters/{id}", missing, Need::user},
                     {"GET", "/tenants/{tenant}", missing, Need::user},
                     {"GET", "/catalogue/{kind}", unknown, Need::user}});
    const auto body = [&](const std::string& path, const std::string& tenant,
                          const std::string& user) {
        const Response answer = fixture.ask(tests::from_browser("GET", path, tenant, user));
        BOOST_TEST(answer.status == 404);
        return answer.body;
    };
    const std::string gone =
        "There is no such cluster: It may have been deleted, or it belongs to somebody else.";

    BOOST_TEST(body("/clusters/7", "acme", "bob") == gone + " Clusters Home\n");
    BOOST_TEST(body("/tenants/x", "acme", "bob") == gone + " Home\n", "no list of this user's");
    BOOST_TEST(body("/tenants/x", "superadmin", "admin") ==
               "There is no such cluster: It may have been deleted. Tenants Home\n");
    BOOST_TEST(body("/catalogue/x", "superadmin", "admin") ==
               "Page not found: There is no page at this address. Catalogue Home\n");
}

BOOST_AUTO_TEST_CASE(a_page_is_in_the_language_that_the_browser_wants_most) {
    const Handler draw = [](const Request&, const auth::Visitor&, App& app) {
        return http::text(200, app.views.render("home", {}));
    };
    Route route{.method = "GET", .pattern = "/", .handler = draw, .need = auth::Need::nobody};
    Fixture fixture(std::vector<Route>{route});
    Request request = plain("GET", "/");
    BOOST_TEST(fixture.ask(request).body == "<p>Log in</p>\n");
    request.headers["accept-language"] = "fr, de-CH;q=0.8, en;q=0.5";
    BOOST_TEST(fixture.ask(request).body == "<p>Anmelden</p>\n");
    BOOST_TEST(fixture.ask(plain("GET", "/")).body == "<p>Log in</p>\n");
}

BOOST_AUTO_TEST_CASE(who_may_not_is_told_what_the_route_says) {
    Fixture fixture(open_doors());

    const auto about_tenants =
        fixture.ask(tests::from_script("GET", "/v2/tenants", "acme", "admin"));
    const auto about_queues =
        fixture.ask(tests::from_script("GET", "/v2/metrics/queues", "acme", "bob"));

    BOOST_TEST(about_tenants.status == 403);
    BOOST_TEST(about_tenants.body == "");
    BOOST_TEST(about_queues.body == "Forbidden to get queue metrics.");
}

BOOST_AUTO_TEST_CASE(nobody_gets_in_where_somebody_is_needed) {
    Fixture fixture(open_doors());

    for (const Route& route : fixture.table) {
        const int status = fixture.ask(plain(route.method, some_path(route))).status;
        const int refused = is_page(route) ? 303 : 401;
        BOOST_TEST(status == (route.need == Need::nobody ? 200 : refused),
                   route.method << ' ' << route.pattern);
    }
}

BOOST_AUTO_TEST_CASE(no_form_of_a_logged_in_browser_passes_without_its_token) {
    Fixture fixture(open_doors());

    for (const Route& route : fixture.table) {
        if (!is_page(route) || route.method == "GET") continue;
        const auto request =
            tests::from_browser(route.method, some_path(route), "superadmin", "admin");
        BOOST_TEST(fixture.ask(request).status == 403, route.pattern);
    }
}

BOOST_AUTO_TEST_CASE(unknown_routes_and_wrong_methods_are_answered_before_anybody_is_identified) {
    Fixture fixture(open_doors());

    BOOST_TEST(fixture.ask(plain("GET", "/v2/nope")).body ==
               "Problem accessing: /v2/nope. Reason: Not Found");
    BOOST_TEST(fixture.ask(plain("GET", "//v2/clusters")).status == 404);
    BOOST_TEST(fixture.ask(plain("PATCH", "/v2/clusters")).status == 405);
    BOOST_TEST(fixture.ask(plain("HEAD", "/v2/clusters")).body == "/v2/clusters");
    BOOST_TEST(fixture.ask(plain("OPTIONS", "/status")).status == 405);
    BOOST_TEST(fixture.directory.lookups == 0);
}

BOOST_AUTO_TEST_CASE(paths_as_the_java_client_writes_them_are_understood) {
    Fixture fixture({{"GET", "/v2/clusters/{id}", say_path_value, Need::user}});

    const auto response =
        fixture.ask(tests::from_script("GET", "/v2//clusters/a%20b/", "acme", "bob"));

    BOOST_TEST(response.body == "a b");
}

BOOST_AUTO_TEST_CASE(a_page_may_be_asked_for_by_head) {
    Fixture fixture({{"GET", "/clusters", let_in, Need::user}});

    BOOST_TEST(fixture.ask(tests::from_browser("HEAD", "/clusters", "acme", "bob")).status == 200);
}

BOOST_AUTO_TEST_CASE(what_breaks_in_a_handler_is_answered_and_logged) {
    Fixture fixture({{"GET", "/v2/x", break_down, Need::nobody}});

    const Response response = fixture.ask(plain("GET", "/v2/x"));

    BOOST_TEST(response.status == 500);
    BOOST_TEST(response.body.find("database") == std::string::npos);
    BOOST_TEST(fixture.lines.str().find("the database is gone") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_the_database_cannot_take_is_the_requests_fault) {
    Fixture fixture({{"PUT", "/v2/x", write_too_much, Need::nobody}});

    const Response response = fixture.ask(plain("PUT", "/v2/x"));

    BOOST_TEST(response.status == 413);
    BOOST_TEST(response.body ==
               "The request is larger than the database takes at once (its max_allowed_packet).");
}

BOOST_AUTO_TEST_CASE(every_answer_carries_the_security_headers) {
    Fixture fixture({{"GET", "/x", let_in, Need::nobody}, {"GET", "/y", break_down, Need::nobody}});

    for (const char* path : {"/x", "/y", "/z"}) {
        BOOST_TEST(!fixture.ask(plain("GET", path)).header("Content-Security-Policy").empty(),
                   path);
    }
}

BOOST_AUTO_TEST_CASE(who_fails_to_say_who_he_is_again_and_again_has_to_wait) {
    Fixture fixture({{"GET", "/v2/clusters", let_in, Need::user}});
    auto wrong = plain("GET", "/v2/clusters");
    wrong.headers = {
        {"coopr-userid", "bob"}, {"coopr-tenantid", "acme"}, {"coopr-apikey", "wrong"}};
    for (int i = 0; i < auth::Throttle::most_failures; ++i) {
        BOOST_REQUIRE(fixture.ask(wrong).status == 401);
    }
    const auto refused = fixture.ask(wrong);
    BOOST_TEST(refused.status == 429);
    BOOST_TEST(!refused.header("Retry-After").empty());
    wrong.client = "10.0.0.9";
    BOOST_TEST(fixture.ask(wrong).status == 401);
}

// Of IPv6 everybody has 2^64 addresses.
BOOST_AUTO_TEST_CASE(wrong_keys_from_one_network_of_ipv6_are_counted_together) {
    Fixture fixture({{"GET", "/v2/clusters", let_in, Need::user}});
    const auto answer_to = [&](const std::string& client) {
        auto wrong = plain("GET", "/v2/clusters");
        wrong.headers = {
            {"coopr-userid", "bob"}, {"coopr-tenantid", "acme"}, {"coopr-apikey", "wrong"}};
        wrong.client = client;
        return fixture.ask(wrong).status;
    };
    for (int i = 0; i < auth::Throttle::most_failures; ++i) {
        BOOST_REQUIRE(answer_to("2001:db8:0:1::" + std::to_string(i)) == 401);
    }

    BOOST_TEST(answer_to("2001:db8:0:1:ffff::9") == 429);
    BOOST_TEST(answer_to("2001:db8:0:2::9") == 401);
    BOOST_TEST(answer_to("192.0.2.1") == 401);
}

BOOST_AUTO_TEST_CASE(what_was_written_is_told_to_who_remembers_people) {
    Fixture fixture({{"GET", "/v2/x", let_in, Need::user},
                     {"PUT", "/v2/x", let_in, Need::user},
                     {"POST", "/v2/x", break_down, Need::user},
                     {"POST", "/v2/preview", let_in, Need::user, std::nullopt, true}});

    fixture.ask(tests::from_script("GET", "/v2/x", "acme", "bob"));
    fixture.ask(tests::from_script("POST", "/v2/preview", "acme", "bob"));
    fixture.ask(tests::from_script("POST", "/v2/x", "acme", "bob"));
    BOOST_TEST(fixture.directory.forgotten == 0);

    fixture.ask(tests::from_script("PUT", "/v2/x", "acme", "bob"));
    BOOST_TEST(fixture.directory.forgotten == 1);
}

BOOST_AUTO_TEST_CASE(answers_name_the_request_and_take_the_form_a_script_asks_for) {
    Fixture fixture({{"GET", "/v2/clusters", break_down, Need::nobody},
                     {"GET", "/status", let_in, Need::nobody}});
    auto request = plain("GET", "/v2/clusters");
    request.id = "r7";
    request.headers["accept"] = "application/problem+json";
    const auto broken = fixture.ask(request);
    BOOST_TEST(broken.header("X-Request-Id") == "r7");
    BOOST_TEST(broken.header("Content-Type") == "application/problem+json");

    auto status = plain("GET", "/status");
    const auto tag = fixture.ask(status).header("ETag");
    status.headers["if-none-match"] = tag;
    BOOST_TEST(fixture.ask(status).status == 304);
}

BOOST_AUTO_TEST_CASE(a_body_that_is_streamed_is_read_by_nobody_who_may_not_send_it) {
    Fixture fixture({{"POST", "/v2/files", take_stream, Need::admin, std::nullopt, false, true},
                     {"POST", "/v2/texts", let_in, Need::admin}});
    const auto ask = [&](const std::string& path, const std::string& user, BrokenBody& body) {
        Request request = tests::from_script("POST", path, "acme", user);
        request.incoming = &body;
        request.incoming_size = 10;
        return fixture.ask(request);
    };
    BrokenBody stranger;
    BrokenBody user;
    BrokenBody admin;
    BrokenBody whole;

    BOOST_TEST(ask("/v2/files", "nobody", stranger).status == 401);
    BOOST_TEST(ask("/v2/files", "bob", user).status == 403);
    const Response broken_off = ask("/v2/files", "admin", admin);
    const Response of_text = ask("/v2/texts", "admin", whole);

    BOOST_TEST(!stranger.was_read);
    BOOST_TEST(!user.was_read);
    BOOST_TEST(broken_off.status == 400);
    BOOST_TEST(broken_off.body == "the request ended too early");
    BOOST_TEST(of_text.status == 400);
    BOOST_TEST(whole.was_read);
}

BOOST_AUTO_TEST_CASE(nothing_is_read_from_who_is_not_identified_but_a_small_form) {
    Fixture fixture({{"POST", "/v2/texts", let_in, Need::admin},
                     {"POST", "/clusters", let_in, Need::user},
                     {"POST", "/login", let_in, Need::nobody}});
    const auto ask = [&](Request request, std::uint64_t size, BrokenBody& body) {
        request.incoming = &body;
        request.incoming_size = size;
        return fixture.ask(request);
    };
    constexpr std::uint64_t large = http::form_limit + 1;
    BrokenBody unread;
    BrokenBody form;
    BrokenBody text;

    BOOST_TEST(ask(plain("POST", "/nowhere"), large, unread).status == 404);
    BOOST_TEST(ask(plain("PATCH", "/clusters"), large, unread).status == 405);
    BOOST_TEST(ask(plain("POST", "/v2/texts"), large, unread).status == 401);
    BOOST_TEST(ask(plain("POST", "/clusters"), large, unread).status == 303);
    BOOST_TEST(ask(plain("POST", "/login"), large, unread).status == 413);
    BOOST_TEST(ask(tests::from_browser("POST", "/clusters", "acme", "bob"), large, unread).status ==
               413);
    BOOST_TEST(!unread.was_read);
    ask(plain("POST", "/login"), http::form_limit, form);
    BOOST_TEST(form.was_read);
    ask(tests::from_script("POST", "/v2/texts", "acme", "admin"), http::body_limit, text);
    BOOST_TEST(text.was_read);
}

BOOST_AUTO_TEST_CASE(a_place_that_takes_nothing_is_told_without_saying_where_it_is) {
    Fixture fixture({{"POST", "/v2/files", find_no_place, Need::nobody}});

    const Response response = fixture.ask(plain("POST", "/v2/files"));

    BOOST_TEST(response.status == 503);
    BOOST_TEST(response.header("Retry-After") == "30");
    BOOST_TEST(response.body.find("Nothing of it was stored") != std::string::npos);
    BOOST_TEST(response.body.find("/srv") == std::string::npos);
    BOOST_TEST(fixture.lines.str().find("No space left on device") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(keys_that_are_just_being_replaced_are_a_503_and_logged) {
    Fixture fixture({{"POST", "/v2/clusters", meet_older_keys, Need::nobody}});

    const Response response = fixture.ask(plain("POST", "/v2/clusters"));

    BOOST_TEST(response.status == 503);
    BOOST_TEST(response.header("Retry-After") == "5");
    BOOST_TEST(response.body.find("daemon key") == std::string::npos);
    BOOST_TEST(fixture.lines.str().find("the newest key is daemon key 2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_database_that_cannot_do_it_now_is_a_503_without_its_words) {
    Fixture fixture({{"POST", "/v2/clusters", find_database_full, Need::nobody},
                     {"GET", "/clusters", find_database_full, Need::nobody},
                     {"POST", "/v2/nodes", lose_database_at_commit, Need::nobody}});

    const Response api = fixture.ask(plain("POST", "/v2/clusters"));
    const Response page = fixture.ask(plain("GET", "/clusters"));
    const Response doubt = fixture.ask(plain("POST", "/v2/nodes"));

    for (const Response* response : {&api, &page, &doubt}) {
        BOOST_TEST(response->status == 503);
        BOOST_TEST(response->header("Retry-After") == "5");
        BOOST_TEST(response->body.find("task") == std::string::npos);
    }
    BOOST_TEST(api.header("Content-Type").starts_with("text/plain"));
    BOOST_TEST(api.body.find("nothing was changed") != std::string::npos);
    BOOST_TEST(page.header("Content-Type").starts_with("text/html"));
    BOOST_TEST(doubt.body.find("may have been saved") != std::string::npos);
    BOOST_TEST(fixture.lines.str().find("1114") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_outage_is_told_as_problem_details_to_who_accepts_them) {
    Fixture fixture({{"GET", "/v2/clusters", find_database_full, Need::nobody}});
    Request request = plain("GET", "/v2/clusters");
    request.headers = {{"accept", "application/problem+json"}};

    const Response response = fixture.ask(request);

    BOOST_TEST(response.status == 503);
    BOOST_TEST(response.header("Content-Type") == "application/problem+json");
    BOOST_TEST(response.header("Retry-After") == "5");
}

BOOST_AUTO_TEST_CASE(who_asks_for_health_is_not_looked_up_and_a_head_is_enough) {
    Fixture site(open_doors());
    for (const char* path : {"/healthz", "/readyz", "/metrics"}) {
        for (const char* method : {"GET", "HEAD"}) {
            Request request = tests::from_browser(method, path, "acme", "bob");
            BrokenBody body;
            request.incoming = &body;

            BOOST_TEST(site.ask(std::move(request)).status == 200, path);
            BOOST_TEST(!body.was_read, path);
        }
        BOOST_TEST(site.ask(plain("POST", path)).status == 405, path);
    }
    BOOST_TEST(site.directory.lookups == 0);
}

BOOST_AUTO_TEST_CASE(without_a_monitor_nobody_sees_metrics) {
    Fixture site(routes());

    BOOST_TEST(site.ask(plain("GET", "/healthz")).body == "ok\n");
    BOOST_TEST(site.ask(plain("GET", "/metrics")).status == 404);
}

BOOST_AUTO_TEST_CASE(a_change_is_logged_with_its_request_and_who_made_it) {
    Fixture site({{"POST", "/v2/clusters", let_in, Need::user}});
    Request request = tests::from_script("POST", "/v2/clusters", "acme", "bob");
    request.id = "r-12345678";

    BOOST_TEST(site.ask(std::move(request)).status == 200);

    const std::string line = site.lines.str();
    BOOST_TEST(line.find("info request.changed request=r-12345678 method=POST path=/v2/clusters "
                         "status=200 by=acme/bob") != std::string::npos,
               line);
}

BOOST_AUTO_TEST_CASE(what_can_do_harm_asks_again_who_is_there) {
    Fixture fixture(open_doors());
    fixture.directory.session.proven_at -= std::chrono::minutes{11};
    int asked = 0;

    for (const Route& route : fixture.table) {
        if (!is_page(route) || route.need == Need::nobody) continue;
        auto request = tests::from_browser(route.method, some_path(route), "superadmin", "admin");
        if (route.method != "GET") request = with_csrf(request, "superadmin", "admin");
        const auto answer = fixture.ask(request);
        BOOST_TEST(answer.status == (route.needs_proof ? 303 : 200), route.pattern);
        if (!route.needs_proof) continue;
        ++asked;
        BOOST_TEST(answer.header("Location").starts_with("/profile/proof?next=%2F"),
                   answer.header("Location"));
    }
    BOOST_TEST(asked >= 8);
    for (const char* path : {"/profile/sessions/end", "/profile/sessions/7/end"}) {
        auto ending = with_csrf(tests::from_browser("POST", path, "acme", "bob"), "acme", "bob");
        BOOST_TEST(fixture.ask(ending).header("Location") == "/profile/proof?next=%2Fprofile");
    }
    // The nearest page above the form.
    for (const auto& [path, page] :
         {std::pair{"/people/bob/password", "/people/bob"},
          std::pair{"/tenants/acme/people/bob/access", "/tenants/acme/people/bob"}}) {
        auto form = with_csrf(tests::from_browser("POST", path, "superadmin", "admin"),
                              "superadmin", "admin");
        form.headers["sec-fetch-site"] = "none";
        BOOST_TEST(fixture.ask(form).header("Location") ==
                   "/profile/proof?next=" + http::percent_encode(page));
    }

    auto call = tests::from_browser("POST", "/v2/profile/apikeys", "acme", "bob");
    call.headers["x-csrf-token"] =
        provisioner::identity::csrf_token(Secret(tests::token_of("acme", "bob")));
    BOOST_TEST(fixture.ask(call).status == 403);
    fixture.directory.session.proven_at += std::chrono::minutes{10};
    BOOST_TEST(fixture.ask(call).status == 200);
    fixture.directory.session.proven_at = {};
    BOOST_TEST(
        fixture.ask(tests::from_script("POST", "/v2/profile/apikeys", "acme", "bob")).status ==
        200);
}

BOOST_AUTO_TEST_CASE(a_session_with_a_duty_does_nothing_else) {
    using Stage = provisioner::model::SessionStage;
    Fixture fixture(open_doors());

    for (const Stage stage : {Stage::password, Stage::factor}) {
        fixture.directory.session.stage = stage;
        const std::string first =
            stage == Stage::password ? "/profile/password" : "/profile/factor";
        for (const Route& route : fixture.table) {
            if (route.need == Need::nobody) continue;
            const auto answer = fixture.ask(with_csrf(
                tests::from_browser(route.method, some_path(route), "superadmin", "admin"),
                "superadmin", "admin"));
            const int expected = !is_page(route) ? 401 : route.is_a_duty ? 200 : 303;
            BOOST_TEST(answer.status == expected, route.method << ' ' << route.pattern);
            if (expected == 303) BOOST_TEST(answer.header("Location") == first);
        }
    }
}

BOOST_AUTO_TEST_CASE(who_views_a_tenant_reads_what_its_auditors_read_and_changes_nothing) {
    Fixture fixture(open_doors());
    fixture.directory.views.insert("admin views other");

    std::size_t reads = 0;
    for (const Route& route : fixture.table) {
        if (route.need == Need::nobody) continue;
        auto request = with_csrf(tests::from_browser(route.method, "/view/other" + some_path(route),
                                                     "superadmin", "admin"),
                                 "superadmin", "admin");
        request.headers["x-csrf-token"] =
            provisioner::identity::csrf_token(Secret(tests::token_of("superadmin", "admin")));
        request.headers["sec-fetch-site"] = "same-origin";
        const auto answer = fixture.ask(request);
        const bool is_open_to_auditors = route.need == Need::user || route.need == Need::admin ||
                                         route.pattern == "/" || route.pattern == "/permissions";
        const bool may = !route.changes() && is_open_to_auditors;
        reads += may ? 1 : 0;
        BOOST_TEST((answer.status == 200) == may, route.method << ' ' << route.pattern);
        if (!may) BOOST_TEST(answer.status == 403, route.method << ' ' << route.pattern);
    }
    BOOST_TEST(reads > 40U);
    // What was refused shows nothing of the tenant.
    BOOST_TEST(fixture.directory.looks == reads);
}

BOOST_AUTO_TEST_CASE(a_view_is_of_its_addresses_and_other_pages_stay_ones_own) {
    Fixture fixture(open_doors());
    const auto form = [&](const std::string& path) {
        return fixture
            .ask(with_csrf(tests::from_browser("POST", path, "superadmin", "admin"), "superadmin",
                           "admin"))
            .status;
    };

    fixture.directory.views.insert("admin views other");
    BOOST_TEST(fixture.ask(tests::from_browser("GET", "/view/other", "superadmin", "admin")).body ==
               "in");

    BOOST_TEST(form("/tenants/other") == 200);
    BOOST_TEST(form("/view/other/tenants/other") == 403);
    BOOST_TEST(fixture.directory.looks == 1U);
}

// A page of another origin can make a superadmin's browser ask for anything, and people type
// addresses.
BOOST_AUTO_TEST_CASE(no_request_for_a_page_begins_a_view) {
    using Headers = std::vector<std::pair<std::string, std::string>>;
    const auto outcome = [](const Headers& headers, bool is_viewing = false) {
        Fixture fixture(open_doors());
        if (is_viewing) fixture.directory.views.insert("admin views other");
        auto request = tests::from_browser("GET", "/view/other/clusters", "superadmin", "admin");
        for (const auto& [name, value] : headers) request.headers[name] = value;
        const auto answer = fixture.ask(request);
        const bool is_asked = answer.body.starts_with("View other?");
        const std::string looked = fixture.directory.looks > 0 ? ", a look" : "";
        return (is_asked              ? "asked"
                : answer.body == "in" ? "in"
                                      : std::to_string(answer.status)) +
               looked;
    };
    const auto fetched = [](const std::string& site, const std::string& mode,
                            const std::string& destination) {
        return Headers{
            {"sec-fetch-site", site}, {"sec-fetch-mode", mode}, {"sec-fetch-dest", destination}};
    };

    for (const char* site : {"same-origin", "none", "same-site", "cross-site"}) {
        BOOST_TEST(outcome(fetched(site, "navigate", "document")) == "asked", site);
        BOOST_TEST(outcome(fetched(site, "navigate", "document"), true) == "in, a look", site);
        BOOST_TEST(outcome(fetched(site, "no-cors", "image")) == "410", site);
        BOOST_TEST(outcome(fetched(site, "navigate", "iframe")) == "410", site);
        BOOST_TEST(outcome(fetched(site, "cors", "empty")) == "410", site);
    }
    // Browsers that say nothing of it: over plain HTTP all of them.
    BOOST_TEST(outcome({}) == "asked");
    BOOST_TEST(outcome({{"referer", "http://cooperage.example.com/tenants"}}) == "asked");
    BOOST_TEST(outcome({{"accept", "image/avif,*/*"}}) == "410");
    BOOST_TEST(outcome({{"sec-fetch-mode", "cors"}}) == "410");
    // News for a page that is still open after the view has ended.
    BOOST_TEST(outcome({{"x-live-parts", "state=1"}}) == "410");
}

BOOST_AUTO_TEST_CASE(only_what_is_seen_prolongs_a_view) {
    Fixture fixture(open_doors());
    fixture.directory.views.insert("admin views other");
    auto request = tests::from_browser("GET", "/view/other/clusters", "superadmin", "admin");
    const auto looks = [&](const std::vector<std::pair<std::string, std::string>>& headers) {
        auto asked = request;
        for (const auto& [name, value] : headers) asked.headers[name] = value;
        const auto before = fixture.directory.looks;
        BOOST_TEST(fixture.ask(asked).body == "in");
        return fixture.directory.looks - before;
    };

    BOOST_TEST(looks({}) == 1U);
    BOOST_TEST(looks({{"x-live-parts", "state=1"}}) == 1U);
    BOOST_TEST(looks({{"x-live-parts", "state=1"}, {"x-hidden", "yes"}}) == 0U);
    BOOST_TEST(looks({{"accept", "image/avif,*/*"}}) == 0U);
}

BOOST_AUTO_TEST_CASE(the_way_back_is_the_page_of_ones_own_that_led_to_a_view_last) {
    Fixture fixture(open_doors());
    fixture.directory.views.insert("admin views other");
    auto request =
        tests::from_browser("GET", "/view/other/clusters/00000042", "superadmin", "admin");
    const auto noted = [&](const std::string& page) {
        request.headers["referer"] = "http://cooperage.example.com" + page;
        auto asked = request;
        fixture.ask(asked);
        return fixture.directory.came_from;
    };

    BOOST_TEST(noted("/clusters?tenants=all") == "/clusters?tenants=all");
    // A page of a view is no way out of it.
    BOOST_TEST(noted("/view/other/clusters") == "");
}

BOOST_AUTO_TEST_CASE(the_question_of_a_view_says_which_page) {
    Fixture fixture(open_doors());

    const auto asked =
        fixture
            .ask(tests::from_browser("GET", "/view/other/clusters/00000042", "superadmin", "admin"))
            .body;

    BOOST_TEST(asked.find("The page /clusters/00000042 belongs to it") != std::string::npos, asked);
}

BOOST_AUTO_TEST_CASE(what_is_refused_in_a_view_has_one_wording_and_a_way_out_of_the_view) {
    Fixture fixture({{"GET", "/profile", let_in, Need::account},
                     {"GET", "/tenants", let_in, Need::superadmin},
                     {"POST", "/clusters", let_in, Need::user}});
    const auto body = [&](const std::string& method, const std::string& path) {
        fixture.directory.views.insert("admin views other");
        const Response answer = fixture.ask(
            with_csrf(tests::from_browser(method, "/view/other" + path, "superadmin", "admin"),
                      "superadmin", "admin"));
        BOOST_TEST(answer.status == 403);
        return answer.body;
    };
    const std::string says =
        "You are viewing other: While you view a tenant you can only read what it has. Stop "
        "viewing "
        "for what is your own, and for every change.";

    BOOST_TEST(body("GET", "/profile") == says + " Home\n");
    BOOST_TEST(body("GET", "/tenants") == says + " Home\n");
    BOOST_TEST(body("POST", "/clusters") == says + " Home\n");
}

BOOST_AUTO_TEST_CASE(nobody_is_told_that_they_view_a_tenant_while_they_do_not) {
    Fixture fixture({{"GET", "/profile", let_in, Need::account},
                     {"GET", "/tenants", let_in, Need::superadmin}});
    for (const char* path : {"/profile", "/tenants"}) {
        const Response answer = fixture.ask(
            tests::from_browser("GET", std::string("/view/other") + path, "superadmin", "admin"));
        BOOST_TEST(answer.status == 303);
        BOOST_TEST(answer.header("Location") == path, "no tenant has this page");
    }
}

BOOST_AUTO_TEST_CASE(an_address_of_a_view_leads_everybody_else_where_they_may_go) {
    Fixture fixture(open_doors());
    const auto leads = [&](const std::string& path, const std::string& tenant,
                           const std::string& user) {
        const auto answer = fixture.ask(tests::from_browser("GET", path, tenant, user));
        return std::to_string(answer.status) + ' ' + answer.header("Location");
    };

    BOOST_TEST(leads("/view/acme/clusters/00000042?x=1", "acme", "bob") ==
               "303 /clusters/00000042?x=1");
    BOOST_TEST(leads("/view/superadmin/clusters", "superadmin", "admin") == "303 /clusters");
    BOOST_TEST(leads("/view/acme/clusters", "other", "admin") == "404 ");
    BOOST_TEST(leads("/view/nowhere/clusters", "superadmin", "admin") == "404 ");
    BOOST_TEST(leads("/view/acme/clusters", "nobody", "nobody") ==
               "303 /login?next=%2Fview%2Facme%2Fclusters");
    BOOST_TEST(fixture.directory.views.empty());
    // Nor does a form of a view change anything for its users.
    const auto form =
        with_csrf(tests::from_browser("POST", "/view/acme/clusters", "acme", "bob"), "acme", "bob");
    BOOST_TEST(fixture.ask(form).status == 404);
}

BOOST_AUTO_TEST_CASE(between_the_two_steps_nobody_is_signed_in) {
    Fixture fixture(open_doors());
    fixture.directory.session.stage = provisioner::model::SessionStage::code;

    for (const Route& route : fixture.table) {
        if (route.need == Need::nobody) continue;
        const auto answer = fixture.ask(
            with_csrf(tests::from_browser(route.method, some_path(route), "superadmin", "admin"),
                      "superadmin", "admin"));
        BOOST_TEST(answer.status == (is_page(route) ? 303 : 401),
                   route.method << ' ' << route.pattern);
        if (is_page(route)) BOOST_TEST(answer.header("Location").starts_with("/login"));
    }
    const auto form = fixture.ask(tests::from_browser("GET", "/login/code", "acme", "bob"));
    BOOST_TEST(form.status == 200);
    BOOST_TEST(fixture.ask(tests::from_browser("POST", "/login/code", "acme", "bob")).status ==
               403);
}

BOOST_AUTO_TEST_CASE(what_a_form_has_done_is_said_once) {
    Fixture fixture({{"POST", "/profile", do_what_a_form_asks, Need::account},
                     {"GET", "/profile", say_what_was_done, Need::account}});
    const auto form =
        with_csrf(tests::from_browser("POST", "/profile", "acme", "bob"), "acme", "bob");
    const auto sent = fixture.ask(form);
    Request page = tests::from_browser("GET", "/profile", "acme", "bob");
    const Request again = page;
    const std::string cookie = sent.header("Set-Cookie");
    page.headers["cookie"] += "; " + cookie.substr(0, cookie.find(';'));

    BOOST_TEST(sent.header("Location") == "/profile");
    BOOST_TEST(fixture.ask(page).body == "saved");
    BOOST_TEST(fixture.ask(again).body == "nothing");
}

BOOST_AUTO_TEST_CASE(a_form_is_checked_before_it_is_asked_who_sends_it) {
    Route wrong{"POST", "/groups/{group}", refuse_what_was_typed, Need::account};
    Route right{"POST", "/groups", let_in, Need::account};
    for (Route* route : {&wrong, &right}) {
        route->needs_proof = true;
        route->is_checked_first = true;
    }
    Fixture fixture({wrong, right});
    fixture.directory.session.proven_at -= std::chrono::minutes{11};
    const auto send = [&](const char* path) {
        auto form = with_csrf(tests::from_browser("POST", path, "acme", "bob"), "acme", "bob");
        form.headers["sec-fetch-site"] = "none";
        return fixture.ask(form);
    };

    BOOST_TEST(send("/groups/web").status == 422);
    BOOST_TEST(send("/groups").status == 303);
    BOOST_TEST(send("/groups").header("Location").starts_with("/profile/proof"));
}

BOOST_AUTO_TEST_CASE(every_form_that_is_kept_says_what_it_is_for) {
    const std::vector<Route> table = routes();
    for (const Route& route : table) {
        Request form = plain("POST", some_path(route));
        form.headers["sec-fetch-site"] = "same-origin";
        const bool is_form = route.method == "POST" && is_page(route) && !route.is_anonymous;
        if (!is_form || !pages::may_be_kept(form)) continue;
        BOOST_TEST(!pages::purpose_of_form(form.path).empty(), route.pattern);
    }
    BOOST_TEST(pages::purpose_of_form("/tenants/lab/people/a%20b/role?x=1") ==
               "change the role of a b");
    BOOST_TEST(pages::purpose_of_form("/people/ada/access", "disabled=yes") == "lock ada");
    BOOST_TEST(pages::purpose_of_form("/people/ada/access", "disabled=no") == "unlock ada");
    BOOST_TEST(pages::purpose_of_form("/catalogue/clustertemplates/shop/draft", "do=drop") ==
               "throw the draft of a change to shop away");
    BOOST_TEST(pages::purpose_of_form("/identity-providers", "do=test") ==
               "test an identity provider");
    BOOST_TEST(pages::purpose_of_form("/nowhere") == "");
}

BOOST_AUTO_TEST_CASE(a_form_has_the_action_of_the_audit_log_that_it_asks_for) {
    const auto action = [](const char* path) { return pages::action_of_form(path); };
    BOOST_TEST(action("/people/ada/role") == "user.change-role");
    BOOST_TEST(action("/tenants/lab/people/ada/role?x=1") == "user.change-role");
    BOOST_TEST(action("/people/second-factor") == "tenant.require-factor");
    BOOST_TEST(action("/clusters/7/nodes/3/replace") == "cluster.replace-node");
    // Asks for one of several.
    BOOST_TEST(action("/people/ada/access") == "");
    BOOST_TEST(action("/nowhere") == "");
}

BOOST_AUTO_TEST_CASE(the_refused_forms_of_an_action_are_found_by_their_paths) {
    const auto is_found = [](const char* wanted, const std::string& asked_for) {
        const std::string pattern = pages::requests_for_action(wanted);
        return !pattern.empty() && std::regex_search(asked_for, std::regex(pattern));
    };
    BOOST_TEST(is_found("cluster.create", "POST /clusters"));
    BOOST_TEST(!is_found("cluster.create", "POST /clusters/00000042/delete"));
    BOOST_TEST(is_found("cluster.delete", "POST /clusters/00000042/delete"));
    BOOST_TEST(is_found("cluster.delete", "POST /tenants/lab/clusters/delete"));
    BOOST_TEST(is_found("user.change-role", "POST /tenants/lab/people/ada/role"));
    BOOST_TEST(is_found("user.change-role", "POST /people/ada/role"));
    BOOST_TEST(!is_found("tenant.view", "POST /viewing/lab/leave"));
    BOOST_TEST(pages::requests_for_action("sign-in") == "");
    BOOST_TEST(pages::requests_for_action("") == "");
}

BOOST_AUTO_TEST_SUITE_END()
