#include "provisioner/providers/local/host/hosts_file.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(local_hosts_file)

BOOST_AUTO_TEST_CASE(a_new_file_knows_localhost_and_the_first_host_by_both_names) {
    const std::string text = with_host("", {"10.77.0.5", "web-1.demo.local", "m1"});

    BOOST_TEST(text ==
               "127.0.0.1 localhost\n"
               "::1 localhost ip6-localhost ip6-loopback\n"
               "10.77.0.5 web-1.demo.local web-1 # m1\n");
}

BOOST_AUTO_TEST_CASE(a_host_without_a_domain_has_one_name) {
    BOOST_TEST(with_host("x\n", {"10.77.0.5", "web", "m1"}) == "x\n10.77.0.5 web # m1\n");
}

BOOST_AUTO_TEST_CASE(a_machine_has_one_line_however_often_it_is_entered) {
    std::string text = with_host("", {"10.77.0.5", "a.x", "m1"});
    text = with_host(text, {"10.77.0.6", "b.x", "m10"});

    const std::string again = with_host(text, {"10.77.0.7", "a.x", "m1"});

    BOOST_TEST(again.ends_with("10.77.0.6 b.x b # m10\n10.77.0.7 a.x a # m1\n"));
    BOOST_TEST(again.find("10.77.0.5") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_file_says_when_its_last_host_has_gone) {
    std::string text = with_host("", {"10.77.0.5", "a.x", "m1"});
    text = with_host(text, {"10.77.0.6", "b.x", "m2"});

    text = without_host(text, "m1");
    BOOST_TEST(has_hosts(text));

    text = without_host(text, "m2");
    BOOST_TEST(!has_hosts(text));
}

BOOST_AUTO_TEST_SUITE_END()
