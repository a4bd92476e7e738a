#include "provisioner/remote/host_key.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace provisioner::remote;

BOOST_AUTO_TEST_SUITE(host_key)

BOOST_AUTO_TEST_CASE(a_key_is_written_as_in_known_hosts) {
    const std::string key("\0\0\0\x0bssh-ed25519\0\0\0\x02hi", 21);

    BOOST_TEST(host_key_line(key) == "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAAmhp");
}

BOOST_AUTO_TEST_CASE(base64_is_filled_to_groups_of_four) {
    BOOST_TEST(host_key_line(std::string("\0\0\0\x01x", 5)) == "x AAAAAXg=");
    BOOST_TEST(host_key_line(std::string("\0\0\0\x01xy", 6)) == "x AAAAAXh5");
    BOOST_TEST(host_key_line(std::string("\0\0\0\x01xyz", 7)) == "x AAAAAXh5eg==");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_key_have_no_line) {
    BOOST_TEST(host_key_line("") == "");
    BOOST_TEST(host_key_line("abc") == "");
    BOOST_TEST(host_key_line(std::string("\0\0\0\x09short", 9)) == "");
}

BOOST_AUTO_TEST_CASE(comments_do_not_make_another_key) {
    BOOST_TEST(same_host_key("ssh-ed25519 AAAA root@db1", "ssh-ed25519 AAAA"));
    BOOST_TEST(same_host_key("ssh-ed25519 AAAA\n", "ssh-ed25519 AAAA"));
    BOOST_TEST(!same_host_key("ssh-ed25519 AAAA", "ssh-ed25519 AAAB"));
    BOOST_TEST(!same_host_key("ssh-ed25519 AAAA", "ssh-ed25519 AAA"));
    BOOST_TEST(!same_host_key("", ""));
}

BOOST_AUTO_TEST_CASE(a_known_key_narrows_what_the_host_may_show) {
    BOOST_TEST(host_key_algorithms("ssh-ed25519 AAAA") == "ssh-ed25519");
    BOOST_TEST(host_key_algorithms("").starts_with("ssh-ed25519,ecdsa-"));
    BOOST_TEST(host_key_algorithms("").find("rsa") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
