#include "provisioner/inventory/host_pattern.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::inventory::hosts_of_pattern;

namespace {

/// Names joined by commas, with the port; or the error.
std::string drawn(const std::string& pattern) {
    const auto hosts = hosts_of_pattern(pattern);
    if (!hosts) return hosts.error();
    std::string text;
    for (const std::string& name : hosts->names) text += (text.empty() ? "" : ",") + name;
    return hosts->port.empty() ? text : text + " port " + hosts->port;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_pattern_names_every_host_of_its_ranges) {
    BOOST_TEST(drawn("web") == "web");
    BOOST_TEST(drawn("web-[1:3]") == "web-1,web-2,web-3");
    BOOST_TEST(drawn("web-[08:11].example") ==
               "web-08.example,web-09.example,web-10.example,web-11.example");
    BOOST_TEST(drawn("10.0.0.[1:9:4]") == "10.0.0.1,10.0.0.5,10.0.0.9");
    BOOST_TEST(drawn("db-[a:c]") == "db-a,db-b,db-c");
    BOOST_TEST(drawn("r[1:2]-[a:b]") == "r1-a,r1-b,r2-a,r2-b");
}

BOOST_AUTO_TEST_CASE(a_port_stands_behind_a_colon) {
    BOOST_TEST(drawn("web:2222") == "web port 2222");
    BOOST_TEST(drawn("web-[1:2]:2222") == "web-1,web-2 port 2222");
    BOOST_TEST(drawn("[2001:db8::1]:2222") == "2001:db8::1 port 2222");
    BOOST_TEST(drawn("2001:db8::1") == "2001:db8::1");
}

BOOST_AUTO_TEST_CASE(a_wrong_range_is_told) {
    BOOST_TEST(drawn("web-[1:3") == "a range is not closed by ]");
    BOOST_TEST(drawn("web-[1]") == "a range has the form [first:last]");
    BOOST_TEST(drawn("web-[3:1]") == "a range ends before it begins");
    BOOST_TEST(drawn("web-[c:a]") == "a range ends before it begins");
    BOOST_TEST(drawn("web-[1:x]") == "a range goes from a number or letter to another");
    BOOST_TEST(drawn("web-[01:100]") == "both ends of a range with zeros have equal lengths");
    BOOST_TEST(drawn("web-[1:5:0]") == "the step of a range is a number from 1");
    BOOST_TEST(drawn("web-[1:99999999]") == "names more than 10000 hosts");
    BOOST_TEST(drawn("a[1:1000]b[1:1000]") == "names more than 10000 hosts");
}

BOOST_AUTO_TEST_CASE(a_pattern_that_is_long_to_write_out_is_refused) {
    std::string ranges = "[1:10000]";
    for (int i = 0; i < 100; ++i) ranges += "[1:1]";
    BOOST_TEST(drawn(ranges) == "has more than 16 ranges");
    BOOST_TEST(drawn("[1:10000]" + std::string(200'000, 'x')) == "a host has more than 1000 bytes");
}
