#include "provisioner/http_client/own_network.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::http_client::is_own_network;

namespace {

bool is_own(const char* address) {
    return is_own_network(boost::asio::ip::make_address(address));
}

}  // namespace

BOOST_AUTO_TEST_CASE(this_host_its_link_and_metadata_services_are_the_own_network) {
    for (const char* address : {"127.0.0.1", "127.8.9.10", "0.0.0.0", "0.1.2.3", "169.254.169.254",
                                "169.254.0.1", "168.63.129.16", "192.0.0.192", "100.100.100.200",
                                "::1", "::", "fe80::1", "febf::1", "fe80::1%1", "fd00:ec2::254",
                                "fd20:ce::254", "10.77.0.1", "10.77.255.254", "::ffff:10.77.3.4"}) {
        BOOST_TEST(is_own(address), address);
    }
}

BOOST_AUTO_TEST_CASE(addresses_of_ipv4_written_as_ipv6_are_what_they_are) {
    for (const char* address : {"::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1",
                                "64:ff9b::169.254.169.254"}) {
        BOOST_TEST(is_own(address), address);
    }
    BOOST_TEST(!is_own("::ffff:192.0.2.1"));
    BOOST_TEST(!is_own("64:ff9b::192.0.2.1"));
}

BOOST_AUTO_TEST_CASE(private_and_public_addresses_are_not) {
    for (const char* address :
         {"10.0.0.1", "10.76.255.255", "10.78.0.1", "172.16.0.1", "192.168.1.1", "128.0.0.1",
          "126.255.255.255", "169.253.1.1", "192.0.2.1", "2001:db8::1", "fd00:ec2::253", "fc00::1",
          "fec0::1"}) {
        BOOST_TEST(!is_own(address), address);
    }
}
