#include "provisioner/providers/cloud/firewall.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/cloud/fake_cloud.hpp"

using namespace provisioner;
using namespace provisioner::providers::cloud;

namespace {

std::string drawn(const std::vector<FirewallRule>& rules) {
    std::string text;
    for (const FirewallRule& rule : rules) {
        text += rule.protocol + " " + std::to_string(rule.first_port) + "-" +
                std::to_string(rule.last_port) + " " + rule.range + "\n";
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(ssh_and_the_ports_of_services_are_open_and_nothing_else) {
    auto account = tests::an_account();
    auto spec = tests::a_spec();
    account.fields = {{"ssh_ranges", "192.0.2.7"},
                      {"client_ranges", "198.51.100.0/24, 2001:db8::/32"}};
    spec.open_ports = {"80/tcp", "80/tcp", "9000-9010/udp"};
    BOOST_TEST(drawn(wanted_rules(account, spec)) ==
               "tcp 22-22 192.0.2.7/32\n"
               "tcp 80-80 198.51.100.0/24\n"
               "tcp 80-80 2001:db8::/32\n"
               "udp 9000-9010 198.51.100.0/24\n"
               "udp 9000-9010 2001:db8::/32\n");
}

BOOST_AUTO_TEST_CASE(without_ranges_everybody_may_connect) {
    BOOST_TEST(drawn(wanted_rules(tests::an_account(), tests::a_spec())) ==
               "tcp 22-22 0.0.0.0/0\ntcp 22-22 ::/0\n");
}

BOOST_AUTO_TEST_CASE(wrong_ranges_and_ports_are_all_told) {
    auto account = tests::an_account();
    auto spec = tests::a_spec();
    account.fields = {{"ssh_ranges", "10.0.0.0/33,home"}, {"client_ranges", "::/129"}};
    spec.open_ports = {"80", "0/tcp", "70000/tcp", "9-8/udp", "53/icmp"};
    BOOST_TEST(check_rules(account, spec).size() == 8U);
}

BOOST_AUTO_TEST_CASE(a_group_that_somebody_changed_is_brought_back) {
    const FirewallRule ssh{"tcp", 22, 22, "0.0.0.0/0"};
    const FirewallRule web{"tcp", 80, 80, "0.0.0.0/0"};
    const FirewallRule all{"tcp", 1, 65535, "0.0.0.0/0"};
    const auto changes = changes_of({all, ssh}, {ssh, web});
    BOOST_TEST(drawn(changes.missing) == drawn({web}));
    BOOST_TEST(drawn(changes.surplus) == drawn({all}));
}
