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

BOOST_AUTO_TEST_CASE(rules_take_the_place_of_others_sets_stay_and_nothing_else_is_touched) {
    const std::string rules = rules_with({"80/tcp"});

    BOOST_TEST(
        rules.starts_with("add table inet cooperage_3\nflush table inet cooperage_3\n"
                          "table inet cooperage_3 {\n"));
    BOOST_TEST(rules.find("flush", rules.find('{')) == std::string::npos);
    BOOST_TEST(!has(rules, "delete"));
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
    BOOST_TEST(has(rules_of(1, {}, {.machine_ports = {"3142/tcp"}}),
                   "ip daddr 10.77.4.1 tcp dport { 3142 } jump counted\n        drop\n"));
}

BOOST_AUTO_TEST_CASE(whatever_a_host_may_begin_elsewhere_is_counted) {
    const std::string rules =
        rules_of(1, {{"c1", {.number = 7, .open_ports = {"80/tcp"}, .machines = {"a"}}}},
                 {.machine_ports = {"3142/tcp"}, .connections = {.at_once = 9, .per_second = 4}});

    BOOST_TEST(has(rules, "limit rate over 4/second burst 9 packets } drop\n"));
    BOOST_TEST(has(rules, "ct count over 9 } drop\n"));
    // What follows an answer was counted when it began; what stays in the cluster is not
    // remembered.
    for (const char* chain : {"chain to_machine {", "chain to_host {", "chain from_host {"}) {
        const auto from = rules.find(chain);
        const std::string lines = rules.substr(from, rules.find('}', from) - from);
        const auto accepted = lines.find("accept");
        BOOST_TEST(lines.substr(0, accepted).ends_with("established,related "), chain);
        BOOST_TEST(lines.find("accept", accepted + 1) == std::string::npos, chain);
    }
    BOOST_TEST(!has(rules, "@most"));
    BOOST_TEST(!has(rules, "@pace_of"));
    BOOST_TEST(!has(rules, "@brief"));
}

BOOST_AUTO_TEST_CASE(all_hosts_together_leave_a_quarter_of_the_room_for_connections) {
    // At once, in a burst, and what is remembered for a minute although it is over.
    const auto room_of = [](const Connections& each) {
        return 2 * each.at_once + 62 * each.per_second;
    };
    for (const long room : {8192, 65536, 262144, 1048576, 16777216}) {
        for (const long hosts : {1, 20, 64, 1021}) {
            const Connections each = connections_of_host(room, hosts);
            BOOST_TEST(each.at_once <= most_connections_of_host);
            const bool is_tiny = room / hosts < 200;
            BOOST_TEST((is_tiny || hosts * room_of(each) <= room / 4 * 3), room << " " << hosts);
        }
    }
    BOOST_TEST((connections_of_host(262144, 64) == Connections{.at_once = 1000, .per_second = 17}));
    BOOST_TEST((connections_of_host(65536, 64) == Connections{.at_once = 256, .per_second = 4}));
    BOOST_TEST((connections_of_host(0, 0) == Connections{.at_once = 1, .per_second = 1}));
}

BOOST_AUTO_TEST_CASE(what_is_no_port_opens_nothing) {
    BOOST_TEST(rules_with({"80/tcp } accept", "x"}) == rules_with({}));
}

BOOST_AUTO_TEST_SUITE_END()
