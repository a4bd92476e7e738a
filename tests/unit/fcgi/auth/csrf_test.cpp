#include "fcgi/auth/csrf.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/tokens.hpp"

using namespace fcgi;

BOOST_AUTO_TEST_SUITE(csrf)

namespace {

http::Request with_headers(std::map<std::string, std::string> headers) {
    http::Request request;
    request.headers = std::move(headers);
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_browser_says_where_a_request_comes_from) {
    const std::string host = "cooperage.example.com";

    BOOST_TEST(auth::is_same_origin(with_headers({})));
    BOOST_TEST(auth::is_same_origin(with_headers({{"sec-fetch-site", "same-origin"}})));
    BOOST_TEST(auth::is_same_origin(with_headers({{"sec-fetch-site", "none"}})));
    BOOST_TEST(!auth::is_same_origin(with_headers({{"sec-fetch-site", "same-site"}})));
    BOOST_TEST(!auth::is_same_origin(with_headers({{"sec-fetch-site", "cross-site"}})));
    BOOST_TEST(auth::is_same_origin(with_headers({{"host", host}, {"origin", "https://" + host}})));
    BOOST_TEST(!auth::is_same_origin(with_headers({{"host", host}, {"origin", "https://evil"}})));
    BOOST_TEST(!auth::is_same_origin(with_headers({{"host", host}, {"origin", "null"}})));
    BOOST_TEST(!auth::is_same_origin(
        with_headers({{"host", host}, {"origin", "https://" + host + ".evil"}})));
}

BOOST_AUTO_TEST_CASE(a_form_of_a_session_needs_its_token) {
    auth::Visitor visitor;
    visitor.session = provisioner::identity::new_token();
    http::Request request;

    request.body = "name=x&csrf=" + visitor.csrf_token();
    BOOST_TEST(auth::form_is_genuine(request, visitor));
    request.body = "name=x";
    BOOST_TEST(!auth::form_is_genuine(request, visitor));
    request.body = "name=x&csrf=";
    BOOST_TEST(!auth::form_is_genuine(request, visitor));
    request.body = "csrf=0&csrf=" + visitor.csrf_token();
    BOOST_TEST(!auth::form_is_genuine(request, visitor));
}

BOOST_AUTO_TEST_CASE(the_right_token_from_another_site_is_refused_all_the_same) {
    auth::Visitor visitor;
    visitor.session = provisioner::identity::new_token();
    http::Request request = with_headers({{"sec-fetch-site", "cross-site"}});
    request.body = "csrf=" + visitor.csrf_token();

    BOOST_TEST(!auth::form_is_genuine(request, visitor));
}

BOOST_AUTO_TEST_CASE(without_a_session_only_the_origin_counts) {
    BOOST_TEST(auth::form_is_genuine({}, {}));
    BOOST_TEST(!auth::form_is_genuine(with_headers({{"sec-fetch-site", "cross-site"}}), {}));
    BOOST_TEST(auth::Visitor{}.csrf_token() == "");
}

BOOST_AUTO_TEST_CASE(asking_who_it_is_where_nobody_is_is_a_bug) {
    BOOST_CHECK_THROW(auth::Visitor{}.who(), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
