#include "provisioner/providers/local/host/network/rules.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(local_network_rules)

namespace {

bool has(const std::string& rules, const std::string& line) {
    return rules.find(line) != std::string::npos;
}

std::string rules_with(const std::vector<std::string>& ports) {
    ClusterNetworks clusters;
    clusters["c1"] = {.number = 7, .open_ports = ports, .machines = {"a"}};
    return rules_of(3, clusters, {});
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_table_is_made_anew_and_nothing_else_is_touched) {
    const std::string rules = rules_with({"80/tcp"});

    BOOST_TEST(
        rules.starts_with("add table inet cooperage_3\ndelete table inet cooperage_3\n"
                          "table inet cooperage_3 {\n"));
    BOOST_TEST(!has(rules, "flush"));
    BOOST_TEST(rules.find("table ", rules.find('{')) == std::string::npos);
}

BOOST_AUTO_TEST_CASE(only_what_concerns_the_networks_bridges_is_judged) {
    const std::string rules = rules_with({});

    BOOST_TEST(has(rules, "policy accept;\n        iifname \"cooper3b*\" jump to_machine\n"));
    BOOST_TEST(has(rules, "oifname \"cooper3b*\" jump to_host\n"));
    BOOST_TEST(has(rules, "ip saddr != 10.77.12.0/22 drop\n"));
    BOOST_TEST(!has(rules, "@table"));
    BOOST_TEST(!has(rules, "@bridges"));
    BOOST_TEST(!has(rules, "dport"));
}

BOOST_AUTO_TEST_CASE(each_cluster_lets_in_what_it_declares) {
    const std::string rules = rules_with({"443/tcp", "80/tcp", "8000-8100/udp"});

    BOOST_TEST(has(rules, "oifname \"cooper3b7\" tcp dport { 80, 443 } jump counted\n"));
    BOOST_TEST(has(rules, "oifname \"cooper3b7\" udp dport { 8000-8100 } jump counted\n"));
}

BOOST_AUTO_TEST_CASE(ranges_that_meet_are_joined) {
    BOOST_TEST(has(rules_with({"10-20/tcp", "15-30/tcp", "31/tcp", "33/tcp", "12/tcp"}),
                   "tcp dport { 10-31, 33 } jump"));
    BOOST_TEST(has(rules_with({"1-65535/udp", "53/udp"}), "udp dport { 1-65535 } jump"));
}

BOOST_AUTO_TEST_CASE(the_machine_opens_ports_at_its_first_address) {
    BOOST_TEST(has(rules_of(1, {}, {"3142/tcp"}),
                   "ip daddr 10.77.4.1 tcp dport { 3142 } accept\n        drop\n"));
}

BOOST_AUTO_TEST_CASE(what_is_no_port_opens_nothing) {
    BOOST_TEST(rules_with({"80/tcp } accept", "x"}) == rules_with({}));
}

BOOST_AUTO_TEST_SUITE_END()
