#include "fcgi/auth/identify.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/csrf_token.hpp"
#include "tests/unit/fcgi/auth/fake_directory.hpp"

using namespace fcgi;
using provisioner::base::Secret;
using tests::FakeDirectory;

BOOST_AUTO_TEST_SUITE(identify)

namespace {

/// "acme/bob", or "401 text".
std::string result_of(const http::Request& request,
                      auth::TrustedHeaders trusted = auth::TrustedHeaders::off) {
    FakeDirectory directory;
    const auto visitor = auth::identify_script(request, directory, trusted);
    if (!visitor) return std::to_string(visitor.error().status) + ' ' + visitor.error().body;
    return visitor->who().tenant.name + '/' + visitor->who().user.name;
}

http::Request without(http::Request request, const std::string& header) {
    request.headers.erase(header);
    return request;
}

http::Request with(http::Request request, const std::string& header, const std::string& value) {
    request.headers[header] = value;
    return request;
}

const http::Request good = tests::from_script("GET", "/v2/clusters", "acme", "bob");
constexpr auto wrong_key = "401 Coopr-ApiKey is not valid for this user.";

}  // namespace

BOOST_AUTO_TEST_CASE(trusted_headers_need_no_key_but_a_user_who_is_there) {
    const auto trusted = auth::TrustedHeaders::on;
    const auto keyless = without(good, "coopr-apikey");

    BOOST_TEST(result_of(keyless, trusted) == "acme/bob");
    BOOST_TEST(result_of(with(keyless, "coopr-userid", "eve"), trusted) ==
               "401 Coopr-UserID is no user of this tenant.");
    BOOST_TEST(result_of(with(keyless, "coopr-tenantid", "nope"), trusted) ==
               "404 Tenant does not exist.");
    BOOST_TEST(result_of(with(good, "coopr-apikey", "coop_" + std::string(64, 'a')), trusted) ==
               wrong_key);
    BOOST_TEST(result_of(good, trusted) == "acme/bob");
}

BOOST_AUTO_TEST_CASE(headers_are_looked_at_in_the_order_of_the_wire_contract) {
    BOOST_TEST(result_of(good) == "acme/bob");
    BOOST_TEST(result_of({}) == "401 Coopr-UserID not found in request headers.");
    BOOST_TEST(result_of(without(good, "coopr-userid")) ==
               "401 Coopr-UserID not found in request headers.");
    BOOST_TEST(result_of(without(good, "coopr-tenantid")) ==
               "401 Coopr-TenantID not found in request headers.");
    BOOST_TEST(result_of(with(good, "coopr-tenantid", "nope")) == "404 Tenant does not exist.");
    BOOST_TEST(result_of(without(good, "coopr-apikey")) ==
               "401 Coopr-ApiKey not found in request headers.");
}

BOOST_AUTO_TEST_CASE(a_key_is_good_for_its_own_user_of_its_own_tenant_only) {
    for (const std::string& key :
         {std::string("x"), tests::token_of("acme", "admin"), tests::token_of("other", "bob"),
          tests::token_of("acme", "nobody"), good.header("coopr-apikey") + ' '}) {
        BOOST_TEST(result_of(with(good, "coopr-apikey", key)) == wrong_key, key);
    }
}

BOOST_AUTO_TEST_CASE(an_unknown_user_and_a_wrong_key_are_told_the_same) {
    BOOST_TEST(result_of(with(good, "coopr-userid", "nobody")) == wrong_key);
    BOOST_TEST(result_of(with(good, "coopr-userid", "Bob")) == wrong_key);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_a_key_is_not_looked_up) {
    FakeDirectory directory;

    const auto visitor = auth::identify_script(with(good, "coopr-apikey", "guess"), directory);

    BOOST_TEST(!visitor.has_value());
    BOOST_TEST(directory.lookups == 0);
}

BOOST_AUTO_TEST_CASE(a_page_of_ours_may_read_the_api_with_its_session) {
    const auto poll = tests::from_browser("GET", "/v2/clusters", "acme", "bob");

    BOOST_TEST(result_of(poll) == "acme/bob");
    BOOST_TEST(result_of(with(poll, "sec-fetch-site", "same-origin")) == "acme/bob");
    BOOST_TEST(result_of(with(poll, "sec-fetch-site", "cross-site")) ==
               "401 Coopr-UserID not found in request headers.");
    BOOST_TEST(result_of(with(poll, "cookie", "cooperage=" + tests::token_of("acme", "nobody"))) ==
               "401 Coopr-UserID not found in request headers.");
}

BOOST_AUTO_TEST_CASE(a_page_of_ours_may_write_only_with_its_csrf_token) {
    const auto change = tests::from_browser("POST", "/v2/clusters/preview", "acme", "bob");
    const Secret session(tests::token_of("acme", "bob"));
    const Secret another(tests::token_of("acme", "admin"));

    BOOST_TEST(result_of(change) == "401 Coopr-UserID not found in request headers.");
    BOOST_TEST(result_of(with(change, "x-csrf-token",
                              provisioner::identity::csrf_token(session))) == "acme/bob");
    BOOST_TEST(
        result_of(with(change, "x-csrf-token", provisioner::identity::csrf_token(another))) ==
        "401 Coopr-UserID not found in request headers.");
}

BOOST_AUTO_TEST_CASE(headers_win_over_a_cookie) {
    const auto both = with(good, "cookie", "cooperage=" + tests::token_of("acme", "admin"));

    BOOST_TEST(result_of(both) == "acme/bob");
    BOOST_TEST(result_of(with(both, "coopr-apikey", "x")) == wrong_key);
}

BOOST_AUTO_TEST_CASE(a_browser_is_who_its_cookie_says_or_nobody) {
    FakeDirectory directory;
    const auto request = tests::from_browser("GET", "/", "acme", "bob");

    BOOST_TEST(auth::identify_browser(request, directory).who().user.name == "bob");
    BOOST_TEST(!auth::identify_browser(without(request, "cookie"), directory).caller.has_value());
    BOOST_TEST(!auth::identify_browser(with(request, "cookie", "cooperage=x"), directory)
                    .caller.has_value());
    http::Request over_tls = request;
    over_tls.secure = true;
    BOOST_TEST(!auth::identify_browser(over_tls, directory).caller.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
