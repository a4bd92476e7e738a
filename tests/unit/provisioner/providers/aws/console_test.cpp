#include "provisioner/providers/aws/console.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/base/base64.hpp"

using namespace provisioner::providers::aws;

BOOST_AUTO_TEST_SUITE(aws_console)

BOOST_AUTO_TEST_CASE(base64_is_read_back_with_and_without_line_breaks) {
    for (const std::string text : {"", "a", "ab", "abc", "abcd", "\xff\x80\n\x7f"}) {
        BOOST_TEST(from_base64(provisioner::base::base64(text)).value() == text);
    }
    BOOST_TEST(from_base64("YW\r\nJj\n").value() == "abc");
    BOOST_TEST(!from_base64("YW-j").has_value());
}

BOOST_AUTO_TEST_CASE(the_host_key_that_cloud_init_prints_is_found) {
    const std::string console =
        "[   12.1] cloud-init[512]: ...\n"
        "-----BEGIN SSH HOST KEY KEYS-----\r\n"
        "ecdsa-sha2-nistp256 AAAAE2VjZHNh root@ip-10-0-0-1\r\n"
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 root@ip-10-0-0-1\r\n"
        "-----END SSH HOST KEY KEYS-----\r\n";

    BOOST_TEST(host_key_in_console(console) == "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5");
}

BOOST_AUTO_TEST_CASE(a_prefix_of_the_lines_does_not_matter) {
    const std::string console =
        "<14>Nov 22 ec2: -----BEGIN SSH HOST KEY KEYS-----\n"
        "<14>Nov 22 ec2: ecdsa-sha2-nistp256 AAAAE2VjZHNh root@a\n"
        "<14>Nov 22 ec2: -----END SSH HOST KEY KEYS-----\n";

    BOOST_TEST(host_key_in_console(console) == "ecdsa-sha2-nistp256 AAAAE2VjZHNh");
}

BOOST_AUTO_TEST_CASE(the_keys_of_the_last_boot_count) {
    const auto boot = [](const std::string& key) {
        return "-----BEGIN SSH HOST KEY KEYS-----\nssh-ed25519 " + key +
               " a\n-----END SSH HOST KEY KEYS-----\n";
    };

    BOOST_TEST(host_key_in_console(boot("AAAAold") + boot("AAAAnew")) == "ssh-ed25519 AAAAnew");
}

BOOST_AUTO_TEST_CASE(a_console_that_is_cut_off_has_no_key) {
    BOOST_TEST(host_key_in_console("") == "");
    BOOST_TEST(host_key_in_console("ssh-ed25519 AAAA a\n") == "");
    BOOST_TEST(host_key_in_console("-----BEGIN SSH HOST KEY KEYS-----\nssh-ed25519 AAAAhalf") ==
               "");
}

BOOST_AUTO_TEST_SUITE_END()
