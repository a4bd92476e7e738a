#include "provisioner/providers/google/firewalls.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/google/orders.hpp"

using namespace tests;
using namespace provisioner::providers;

BOOST_AUTO_TEST_SUITE(google_firewalls)

std::vector<Json> wanted_of(const Json& fields = Json::object()) {
    auto spec = google_spec();
    spec.open_ports = {"80/tcp", "8000-8010/tcp", "53/udp"};
    return google::wanted_firewalls(google_account(fields), spec);
}

std::string names_of(const std::vector<Json>& rules) {
    std::string names;
    for (const Json& rule : rules) names += base::text_at(rule, "name").substr(28) + " ";
    return names;
}

BOOST_AUTO_TEST_CASE(a_cluster_needs_a_rule_for_itself_for_ssh_and_for_its_ports) {
    BOOST_TEST(names_of(wanted_of()) == "cluster ports ports6 ssh ssh6 ");
    const auto wanted = wanted_of({{"client_ranges", "192.0.2.0/24"}, {"ssh_ranges", "::1/128"}});
    BOOST_TEST(names_of(wanted) == "cluster ports ssh6 ");
    BOOST_TEST(base::to_text(wanted.at(1)) ==
               R"({"name":"cooperage-01234567-00000001-ports",)"
               R"("description":"Made by Cooperage for a cluster; goes with it",)"
               R"("network":"global/networks/default","direction":"INGRESS",)"
               R"("targetTags":["cooperage-01234567-00000001"],"sourceRanges":["192.0.2.0/24"],)"
               R"("allowed":[{"IPProtocol":"tcp","ports":["80","8000-8010"]},)"
               R"({"IPProtocol":"udp","ports":["53"]}]})");
}

BOOST_AUTO_TEST_CASE(rules_that_are_as_wanted_stay_whatever_the_order_of_their_lists) {
    const auto wanted = wanted_of();
    auto there = wanted;
    for (Json& rule : there) {
        rule["network"] =
            "https://www.googleapis.com/compute/v1/projects/p/global/networks/default";
        rule["disabled"] = false;
        auto& allowed = rule["allowed"];
        std::reverse(allowed.begin(), allowed.end());
    }
    const auto changes = google::firewall_changes(there, wanted);
    BOOST_TEST(changes.missing.empty());
    BOOST_TEST(changes.different.empty());
    BOOST_TEST(changes.surplus.empty());
}

BOOST_AUTO_TEST_CASE(what_somebody_changed_is_found) {
    const auto wanted = wanted_of();
    const std::vector<std::pair<std::string, Json>> edits{
        {"sourceRanges", Json::array({"0.0.0.0/0", "203.0.113.0/24"})},
        {"disabled", true},
        {"targetTags", Json::array({"other"})},
        {"allowed", Json::array({Json{{"IPProtocol", "tcp"}}})},
        {"direction", "EGRESS"},
        {"denied", Json::array({Json{{"IPProtocol", "all"}}})}};
    for (const auto& [member, value] : edits) {
        auto there = wanted;
        there[1][member] = value;
        const auto changes = google::firewall_changes(there, wanted);
        BOOST_TEST(names_of(changes.different) == "ports ", member);
    }
}

BOOST_AUTO_TEST_CASE(missing_and_surplus_rules_are_found_and_those_of_another_network) {
    const auto wanted = wanted_of();
    auto there = wanted;
    there.erase(there.begin());
    there[0]["name"] = "cooperage-01234567-00000001-old";
    there[1]["network"] = "global/networks/other";
    const auto changes = google::firewall_changes(there, wanted);
    BOOST_TEST(names_of(changes.missing) == "cluster ports ");
    BOOST_TEST((changes.surplus == std::vector<std::string>{"cooperage-01234567-00000001-old",
                                                            "cooperage-01234567-00000001-ports6"}));
}

BOOST_AUTO_TEST_CASE(the_name_of_a_rule_says_whose_it_is) {
    const auto account = google_account();
    using google::cluster_of_firewall;
    BOOST_TEST(cluster_of_firewall(account, "cooperage-01234567-00000001-ssh") == "00000001");
    BOOST_TEST(cluster_of_firewall(account, "cooperage-76543210-00000001-ssh").empty());
    BOOST_TEST(cluster_of_firewall(account, "default-allow-ssh").empty());
}

BOOST_AUTO_TEST_CASE(networks_of_other_projects_keep_their_own_rules) {
    const auto spec = google_spec();
    BOOST_TEST(google::makes_firewalls(google_account(), spec));
    const auto shared = google_account({{"network", "projects/host/global/networks/n"}});
    BOOST_TEST(!google::makes_firewalls(shared, spec));
    BOOST_TEST(!google::makes_firewalls(google_account({{"google_firewall", false}}), spec));
}

BOOST_AUTO_TEST_SUITE_END()
