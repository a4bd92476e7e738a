#include "provisioner/http_client/allowed_servers.hpp"

#include <stdexcept>

#include <boost/test/unit_test.hpp>

using provisioner::http_client::AllowedServers;

namespace {

std::string complaint_about(const std::string& list) {
    try {
        const AllowedServers servers(list);
        return "";
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

bool has_address(const AllowedServers& servers, const char* address) {
    return servers.has_address(boost::asio::ip::make_address(address));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_name_stands_for_itself_and_one_with_a_dot_for_all_below_it) {
    const AllowedServers servers("api.example.com, .amazonaws.com");
    for (const char* host : {"api.example.com", "API.example.com", "api.example.com.",
                             "amazonaws.com", "ec2.eu-central-1.amazonaws.com"}) {
        BOOST_TEST(servers.has_host(host), host);
    }
    for (const char* host : {"example.com", "x.api.example.com", "evilamazonaws.com",
                             "amazonaws.com.example.org", "api.example.com@evil.example", ""}) {
        BOOST_TEST(!servers.has_host(host), host);
    }
}

BOOST_AUTO_TEST_CASE(addresses_are_allowed_by_their_networks) {
    const AllowedServers servers("10.0.0.0/8,192.0.2.7, 2001:db8::/32");
    for (const char* address :
         {"10.0.0.1", "10.255.255.255", "192.0.2.7", "2001:db8:1::1", "::ffff:10.1.2.3"}) {
        BOOST_TEST(has_address(servers, address), address);
    }
    for (const char* address :
         {"11.0.0.1", "9.255.255.255", "192.0.2.8", "2001:db9::1", "::ffff:192.0.2.8"}) {
        BOOST_TEST(!has_address(servers, address), address);
    }
    BOOST_TEST(servers.has_host("10.1.2.3"));
    BOOST_TEST(servers.has_host("[2001:db8::1]"));
    BOOST_TEST(!servers.has_host("192.0.2.8"));
}

BOOST_AUTO_TEST_CASE(an_empty_list_is_known_as_one) {
    BOOST_TEST(AllowedServers().is_empty());
    BOOST_TEST(AllowedServers(" , ").is_empty());
    BOOST_TEST(!AllowedServers("10.0.0.1").is_empty());
    BOOST_TEST(!AllowedServers("::/0").is_empty());
    BOOST_TEST(!AllowedServers("example.com").is_empty());
}

BOOST_AUTO_TEST_CASE(all_wrong_entries_are_named) {
    BOOST_TEST(
        complaint_about("https://example.com, 10.0.0.1/8, a..b, 10.0.0.0/33, 1.2.3, ok.com") ==
        "http.allowed: neither the name of a host, an address nor a network without bits "
        "behind its length: https://example.com, 10.0.0.1/8, a..b, 10.0.0.0/33, 1.2.3");
    BOOST_TEST(complaint_about("*.example.com") != "");
    BOOST_TEST(complaint_about(".") != "");
}
