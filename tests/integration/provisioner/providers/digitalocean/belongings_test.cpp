#include <boost/test/unit_test.hpp>

#include "provisioner/base/json.hpp"
#include "tests/integration/provisioner/providers/digitalocean/fixture.hpp"

using namespace provisioner;
using base::Json;
using providers::Refused;
using tests::DigitalOceanSite;

namespace {

/// "tcp 22 192.0.2.0/24 ..." for each rule that lets clients in.
std::vector<std::string> inbound(const Json& firewall) {
    std::vector<std::string> lines;
    for (const Json& rule : firewall["inbound_rules"]) {
        const Json* addresses = base::member(rule["sources"], "addresses");
        if (addresses == nullptr) continue;
        std::string line = base::text_at(rule, "protocol") + " " + base::text_at(rule, "ports");
        for (const std::string& address : base::strings_of(addresses)) line += " " + address;
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(digitalocean_belongings)

BOOST_FIXTURE_TEST_CASE(one_firewall_opens_the_ports_of_a_cluster, DigitalOceanSite) {
    account.fields["ssh_ranges"] = "192.0.2.0/24";
    made(spec(1001));
    made(spec(1002));

    const Json firewalls = site.state()["firewalls"];
    BOOST_REQUIRE(firewalls.size() == 1);
    BOOST_TEST(inbound(firewalls[0]) ==
                   (std::vector<std::string>{"tcp 22 192.0.2.0/24", "tcp 80 0.0.0.0/0 ::/0"}),
               boost::test_tools::per_element());
    BOOST_TEST(calls_of("firewalls_create") == 1);
    BOOST_TEST(calls_of("firewalls_update") == 0);
    // Looked at once in a while, not for each machine.
    BOOST_TEST(calls_of("firewalls_list") == 1);
}

BOOST_FIXTURE_TEST_CASE(a_firewall_that_somebody_changed_is_repaired, DigitalOceanSite) {
    made(spec());
    site.control("POST", "/-/change_firewalls",
                 R"({"inbound_rules": [{"protocol": "tcp", "ports": "3306",
                     "sources": {"addresses": ["0.0.0.0/0"]}}], "droplet_ids": [7]})");
    auto more = spec(1002);
    more.open_ports = {"80/tcp", "8000-8100/udp"};

    made(more);

    const Json firewall = site.state()["firewalls"][0];
    BOOST_TEST(inbound(firewall) ==
                   (std::vector<std::string>{"tcp 22 0.0.0.0/0 ::/0", "tcp 80 0.0.0.0/0 ::/0",
                                             "udp 8000-8100 0.0.0.0/0 ::/0"}),
               boost::test_tools::per_element());
    BOOST_TEST(firewall["droplet_ids"] == Json::array({7}));
    BOOST_TEST(calls_of("firewalls_update") == 1);
}

BOOST_FIXTURE_TEST_CASE(a_firewall_is_as_it_should_be_before_anybody_logs_in, DigitalOceanSite) {
    auto machine = spec();
    const std::string id = made(machine);
    machine.open_ports = {"443/tcp"};

    site.confirm(account, machine, results_of(id));

    BOOST_TEST(inbound(site.state()["firewalls"][0]) ==
                   (std::vector<std::string>{"tcp 22 0.0.0.0/0 ::/0", "tcp 443 0.0.0.0/0 ::/0"}),
               boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_firewall_stays_until_the_last_machine_is_gone, DigitalOceanSite) {
    set("boot_seconds", 0);
    const std::string first = made(spec(1001));
    const std::string second = made(spec(1002));

    take_away(spec(1001), first);
    BOOST_TEST(count("firewalls") == 1);

    take_away(spec(1002), second);
    BOOST_TEST(count("firewalls") == 0);
}

BOOST_FIXTURE_TEST_CASE(who_wants_no_firewall_gets_none, DigitalOceanSite) {
    account.fields["digitalocean_firewall"] = "false";
    set("boot_seconds", 0);
    const std::string id = made(spec());
    site.confirm(account, spec(), results_of(id));
    BOOST_TEST(calls_of("firewalls_list") == 0);
    take_away(spec(), id);

    BOOST_TEST(calls_of("firewalls_create") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_data_disk_is_made_attached_and_deleted_with_its_machine,
                        DigitalOceanSite) {
    account.fields["digitalocean_volume_size_gb"] = "50";
    set("boot_seconds", 0);

    const std::string id = made(spec());
    const Json state = site.state();
    BOOST_REQUIRE(state["volumes"].size() == 1);
    BOOST_TEST(state["volumes"][0]["size_gigabytes"] == 50);
    BOOST_TEST(base::to_text(state["volumes"][0]["droplet_ids"][0]) == id);
    const auto user_data = state["droplets"][0]["user_data"].get<std::string>();
    BOOST_TEST(user_data.find("scsi-0DO_Volume_cooperage-01234567-00000001-1001") !=
               std::string::npos);

    take_away(spec(), id);
    BOOST_TEST(count("volumes") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_data_disk_whose_machine_was_refused_is_used_or_found_as_left_over,
                        DigitalOceanSite) {
    account.fields["digitalocean_volume_size_gb"] = "50";
    set("droplet_limit", 0);
    refusal(spec());
    BOOST_TEST(count("volumes") == 1);

    const auto seen = site.answer(site.provider().machines(account));
    BOOST_REQUIRE(seen.size() == 1);
    BOOST_TEST(seen[0].name == "00000001-1001");
    BOOST_TEST(seen[0].id.starts_with("disk "));

    take_away(spec(1001, 0), seen[0].id);
    BOOST_TEST(count("volumes") == 0);
    BOOST_TEST(count("firewalls") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_lost_reply_costs_no_second_disk, DigitalOceanSite) {
    account.fields["digitalocean_volume_size_gb"] = "50";
    site.fault(Json{{"operation", "volumes_create"}, {"kind", "lost_reply"}});
    site.fault(Json{{"operation", "firewalls_create"}, {"kind", "lost_reply"}});

    made(spec());

    BOOST_TEST(count("volumes") == 1);
    BOOST_TEST(count("firewalls") == 1);
}

BOOST_FIXTURE_TEST_CASE(a_key_of_the_account_is_put_on_by_its_name, DigitalOceanSite) {
    site.control("POST", "/-/add_key", R"({"name": "ours", "public_key": "ssh-ed25519 AAAA"})");
    account.fields["ssh_keypair"] = "ours";

    made(spec());

    const Json state = site.state();
    BOOST_TEST(state["droplets"][0]["ssh_keys"] == Json::array({state["keys"][0]["id"]}));
    account.fields["ssh_keypair"] = "our";
    BOOST_TEST(refusal(spec(1002)) == "ssh_keypair: there is no SSH key \"our\"; near: ours");
}

BOOST_AUTO_TEST_SUITE_END()
