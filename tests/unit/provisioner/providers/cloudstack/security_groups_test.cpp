#include "provisioner/providers/cloudstack/security_groups.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::providers::cloudstack;

BOOST_AUTO_TEST_SUITE(cloudstack_security_groups)

BOOST_AUTO_TEST_CASE(rules_are_wanted_read_back_and_asked_for) {
    const auto wanted = wanted_group_rules(
        {{.protocol = "tcp", .first_port = 22, .last_port = 22, .range = "192.0.2.0/24"}}, "g");
    const auto group = base::parse_json(R"({"ingressrule": [
        {"ruleid": "1", "protocol": "tcp", "startport": 22, "endport": 22, "cidr": "192.0.2.0/24"},
        {"ruleid": "2", "protocol": "tcp", "startport": 1, "endport": 65535, "account": "joe",
         "securitygroupname": "g"},
        {"ruleid": "3", "protocol": "udp", "startport": 1, "endport": 65535, "account": "joe",
         "securitygroupname": "g"},
        {"ruleid": "4", "protocol": "icmp", "icmptype": -1, "icmpcode": -1, "account": "joe",
         "securitygroupname": "g"}]})");

    const auto there = group_rules_in(*group);

    BOOST_REQUIRE(there.size() == wanted.size());
    for (std::size_t i = 0; i < there.size(); ++i) BOOST_TEST(there[i].is_like(wanted[i]), i);
    BOOST_TEST(!there[0].is_like(there[1]));
}

BOOST_AUTO_TEST_CASE(an_authorization_names_a_network_or_a_group) {
    const Params network = authorization(
        "id", "joe", {.protocol = "tcp", .first_port = 80, .last_port = 81, .range = "0.0.0.0/0"});
    const Params group = authorization(
        "id", "joe", {.protocol = "icmp", .first_port = -1, .last_port = -1, .group = "g"});

    BOOST_TEST((network == Params{{"securitygroupid", "id"},
                                  {"protocol", "tcp"},
                                  {"startport", "80"},
                                  {"endport", "81"},
                                  {"cidrlist", "0.0.0.0/0"}}));
    BOOST_TEST((group == Params{{"securitygroupid", "id"},
                                {"protocol", "icmp"},
                                {"icmptype", "-1"},
                                {"icmpcode", "-1"},
                                {"usersecuritygrouplist[0].account", "joe"},
                                {"usersecuritygrouplist[0].group", "g"}}));
}

BOOST_AUTO_TEST_SUITE_END()
