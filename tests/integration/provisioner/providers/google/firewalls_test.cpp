#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/google/google_site.hpp"

using namespace tests;

BOOST_AUTO_TEST_SUITE(google_firewalls)
using Names = std::vector<std::string>;

namespace {

const std::string tag = "cooperage-01234567-00000001";

Json rule_of(GoogleSite& site, const std::string& name) {
    const Json rules = site.state().at("firewalls");
    for (const Json& rule : rules) {
        if (base::text_at(rule, "name") == name) return rule;
    }
    return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_cluster_has_rules_for_what_it_opens_until_its_last_machine_goes) {
    GoogleSite site;
    const auto account = site.account(
        {{"ssh_ranges", "192.0.2.0/24"}, {"client_ranges", "198.51.100.0/24, 2001:db8::/32"}});
    site.start(account, GoogleSite::small(1001, 10));
    site.start(account, GoogleSite::small(1002, 11));
    BOOST_TEST((site.names("firewalls") ==
                Names{tag + "-cluster", tag + "-ports", tag + "-ports6", tag + "-ssh"}));
    const Json ssh = rule_of(site, tag + "-ssh");
    BOOST_TEST(ssh.at("sourceRanges").dump() == R"(["192.0.2.0/24"])");
    BOOST_TEST(ssh.at("targetTags").dump() == "[\"" + tag + "\"]");
    BOOST_TEST(rule_of(site, tag + "-ports").at("allowed").dump() ==
               R"([{"IPProtocol":"tcp","ports":["80"]}])");
    site.end(account, GoogleSite::small(1001, 10));
    BOOST_TEST(site.names("firewalls").size() == 4U);
    site.end(account, GoogleSite::small(1002, 11));
    BOOST_TEST(site.names("firewalls").empty());
}

BOOST_AUTO_TEST_CASE(rules_that_somebody_changed_are_repaired_when_a_machine_is_made) {
    GoogleSite site;
    site.hurry();
    const auto account = site.account();
    site.start(account, GoogleSite::small(1001, 10));
    auto more = GoogleSite::small(1002, 11);
    more.open_ports = {"80/tcp", "53/udp", "8000-8010/tcp"};
    site.start(account, more);
    BOOST_TEST(rule_of(site, tag + "-ports").at("allowed").dump() ==
               R"([{"IPProtocol":"tcp","ports":["80","8000-8010"]},)"
               R"({"IPProtocol":"udp","ports":["53"]}])");
    BOOST_TEST(site.calls_of("firewalls.patch") == 2, "IPv4 and IPv6");
    more.open_ports.clear();
    more.name = "00000001-1003";
    more.task = 12;
    site.start(account, more);
    BOOST_TEST((site.names("firewalls") == Names{tag + "-cluster", tag + "-ssh", tag + "-ssh6"}));
    const int changes = site.calls_of("firewalls.insert") + site.calls_of("firewalls.patch");
    more.name = "00000001-1004";
    more.task = 13;
    site.start(account, more);
    BOOST_TEST(site.calls_of("firewalls.insert") + site.calls_of("firewalls.patch") == changes);
}

BOOST_AUTO_TEST_CASE(rules_of_a_cluster_without_machines_are_listed_as_left_over) {
    GoogleSite site;
    const auto account = site.account();
    site.start(account, GoogleSite::small());
    site.control("POST", "/-/abandon",
                 R"({"project": "acme-1", "instance": ")" + tag + R"(-1001-10-1"})");
    const auto seen = site.answer(site.provider().machines(account));
    const auto is_rule = [](const auto& machine) {
        return machine.id.starts_with("firewall rule ") && machine.name == "00000001";
    };
    BOOST_TEST(std::count_if(seen.begin(), seen.end(), is_rule) == 5);
    site.end(account, GoogleSite::small());
    BOOST_TEST(site.names("firewalls").empty());
}

BOOST_AUTO_TEST_CASE(clusters_get_no_rules_where_nobody_wants_them) {
    GoogleSite site;
    const auto account = site.account({{"google_firewall", "false"}});
    site.start(account, GoogleSite::small());
    BOOST_TEST(site.names("firewalls").empty());
    const Json tags = site.only_machine().at("tags").at("items");
    BOOST_TEST(tags.dump() == "[\"coopr\",\"" + tag + "\"]");
}

BOOST_AUTO_TEST_SUITE_END()
