#include "provisioner/providers/joyent/rules.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::joyent;
using provisioner::base::parse_json;
using provisioner::providers::cloud::FirewallRule;

BOOST_AUTO_TEST_SUITE(joyent_rules)

BOOST_AUTO_TEST_CASE(rules_are_written_in_the_clouds_words) {
    const std::vector<FirewallRule> wanted{{"tcp", 22, 22, "192.0.2.0/24"},
                                           {"tcp", 80, 80, "0.0.0.0/0"},
                                           {"tcp", 80, 80, "::/0"},
                                           {"udp", 8000, 8100, "192.0.2.7/32"},
                                           {"tcp", 443, 443, "2001:db8::/32"}};

    std::string all;
    for (const std::string& text : rule_texts(wanted, "g")) all += text + "\n";

    const std::string to = "TO tag \"cooperage-firewall\" = \"g\" ALLOW ";
    const std::string from_group = "FROM tag \"cooperage-firewall\" = \"g\" ";
    BOOST_TEST(all == "FROM any " + to + "tcp PORT 80\n" +                         //
                          "FROM ip 192.0.2.7 " + to + "udp PORTS 8000 - 8100\n" +  //
                          "FROM subnet 192.0.2.0/24 " + to + "tcp PORT 22\n" +     //
                          "FROM subnet 2001:db8::/32 " + to + "tcp PORT 443\n" +   //
                          from_group + to + "icmp TYPE all\n" +                    //
                          from_group + to + "tcp PORT all\n" +                     //
                          from_group + to + "udp PORT all\n");
}

BOOST_AUTO_TEST_CASE(a_repair_adds_what_is_missing_and_takes_what_is_surplus) {
    const auto wanted = rule_texts({{"tcp", 22, 22, "0.0.0.0/0"}}, "g");
    std::vector<Rule> there;
    for (const std::string& text : wanted) there.push_back({text, text, true});
    there[0].is_enabled = false;
    there.push_back({"twice", wanted[1], true});
    there.push_back(
        {"old", "FROM any TO tag \"cooperage-firewall\" = \"g\" ALLOW tcp PORT 8", true});
    there.push_back(
        {"other", "FROM any TO tag \"cooperage-firewall\" = \"h\" ALLOW tcp PORT 8", true});
    there.push_back({"theirs", "FROM any TO all vms ALLOW tcp PORT 22", true});

    const RuleRepair repair = repair_of(there, wanted, "g");

    BOOST_TEST(repair.missing == std::vector<std::string>{wanted[0]},
               boost::test_tools::per_element());
    BOOST_TEST(repair.surplus == (std::vector<std::string>{wanted[0], "twice", "old"}),
               boost::test_tools::per_element());
}

// From the documentation of CloudAPI.
BOOST_AUTO_TEST_CASE(a_listing_is_read) {
    const auto listing = parse_json(R"([{"id": "38de17c4-39e8-48c7-a168-0f58083de860",
        "rule": "FROM vm 3d51f2d5-46f2-4da5-bb04-3238f2f64768 TO subnet 10.99.99.0/24 BLOCK tcp PORT 25",
        "enabled": true}])");

    const auto rules = rules_in(*listing);

    BOOST_TEST(rules.at(0).id == "38de17c4-39e8-48c7-a168-0f58083de860");
    BOOST_TEST(rules.at(0).is_enabled);
    BOOST_TEST(group_of(rules.at(0)) == "");
}

BOOST_AUTO_TEST_SUITE_END()
