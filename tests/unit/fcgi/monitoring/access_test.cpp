#include "fcgi/monitoring/access.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using fcgi::monitoring::Access;
using provisioner::base::Secret;

BOOST_AUTO_TEST_SUITE(access_to_metrics)

namespace {

http::Request from(const std::string& client) {
    http::Request request;
    request.client = client;
    request.headers["host"] = "127.0.0.1:8080";
    return request;
}

http::Request with(http::Request request, const std::string& name, const std::string& value) {
    request.headers[name] = value;
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_a_token_only_this_host_may_read) {
    const Access access(std::nullopt);

    for (const char* here : {"127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"}) {
        BOOST_TEST(access.may_read(from(here)), here);
    }
    for (const char* elsewhere : {"", "192.0.2.1", "1270.0.0.1", "::2", "::ffff:192.0.2.127"}) {
        BOOST_TEST(!access.may_read(from(elsewhere)), elsewhere);
    }
}

BOOST_AUTO_TEST_CASE(a_request_that_was_forwarded_is_not_from_this_host) {
    const Access access(std::nullopt);

    for (const char* header : {"x-forwarded-for", "forwarded", "x-real-ip"}) {
        BOOST_TEST(!access.may_read(with(from("127.0.0.1"), header, "192.0.2.1")), header);
    }
}

BOOST_AUTO_TEST_CASE(without_a_token_the_client_names_this_host) {
    const Access access(std::nullopt);
    const auto may = [&](const std::string& host) {
        return access.may_read(with(from("127.0.0.1"), "host", host));
    };

    for (const char* own :
         {"127.0.0.1", "127.0.0.1:8080", "localhost", "localhost:9000", "[::1]", "[::1]:8080"}) {
        BOOST_TEST(may(own), own);
    }
    for (const char* other :
         {"", "rebound.example.com", "rebound.example.com:8080", "localhost.example.com",
          "127.0.0.1.example.com", "192.0.2.1", "[2001:db8::1]:80", "[::1", ":80",
          "[127.evil.example]", "127.evil.example"}) {
        BOOST_TEST(!may(other), other);
    }
}

BOOST_AUTO_TEST_CASE(with_a_token_only_the_token_counts) {
    const Access access(Secret("0123456789abcdef"));
    const auto may = [&](const std::string& authorization) {
        return access.may_read(with(from("192.0.2.1"), "authorization", authorization));
    };

    BOOST_TEST(may("Bearer 0123456789abcdef"));
    BOOST_TEST(!access.may_read(from("127.0.0.1")));
    for (const char* wrong : {"", "Bearer ", "Bearer", "0123456789abcdef", "Basic 0123456789abcdef",
                              "Bearer 0123456789abcdeF", "Bearer 0123456789abcdef "}) {
        BOOST_TEST(!may(wrong), wrong);
    }
}

BOOST_AUTO_TEST_CASE(a_token_that_cannot_be_read_names_the_setting) {
    const auto config = provisioner::base::Config::parse("metrics.token_file = /nowhere/token\n");

    BOOST_CHECK_EXCEPTION(monitoring::access_from(config), std::runtime_error,
                          [](const std::runtime_error& error) {
                              return std::string(error.what())
                                  .starts_with("metrics.token_file: cannot read /nowhere/token");
                          });
    BOOST_TEST(monitoring::access_from(provisioner::base::Config()).may_read(from("::1")));
}

BOOST_AUTO_TEST_SUITE_END()
