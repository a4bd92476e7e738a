#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/openstack/site.hpp"

BOOST_AUTO_TEST_SUITE(openstack)

using namespace provisioner;
using namespace provisioner::providers;
using tests::OpenStackSite;
using tests::results_of;

Machine made(OpenStackSite& site, const Account& account, const MachineSpec& spec) {
    const Created created = site.make(account, spec);
    if (const auto* refused = std::get_if<Refused>(&created)) BOOST_TEST_MESSAGE(refused->message);
    BOOST_REQUIRE(std::holds_alternative<Machine>(created));
    return std::get<Machine>(created);
}

Reachable reached(OpenStackSite& site, const Account& account, const MachineSpec& spec,
                  const Machine& machine) {
    const Confirmed confirmed = site.confirm(account, spec, results_of(machine));
    if (const auto* refused = std::get_if<Refused>(&confirmed))
        BOOST_TEST_MESSAGE(refused->message);
    BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
    return std::get<Reachable>(confirmed);
}

void take_away(OpenStackSite& site, const Account& account, const MachineSpec& spec,
               const Machine& machine) {
    const Destroyed destroyed = site.take_away(account, spec, results_of(machine));
    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
}

BOOST_AUTO_TEST_CASE(a_machine_is_made_reached_and_taken_away_and_nothing_is_left) {
    OpenStackSite site;
    const Account account = site.account();
    const auto spec = site.spec();

    const Machine machine = made(site, account, spec);
    const Reachable reachable = reached(site, account, spec, machine);
    const auto state = site.state();
    take_away(site, account, spec, machine);

    BOOST_TEST(reachable.addresses.at("access_v4").starts_with("10.0."));
    BOOST_TEST(reachable.addresses.at("bind_v4") == reachable.addresses.at("access_v4"));
    BOOST_TEST(reachable.host_key.starts_with("ssh-ed25519 "));
    BOOST_TEST(reachable.host_key_travelled);
    const auto& server = state.at("servers").at(0);
    BOOST_TEST(server.at("name") == "web1001.example.org");
    BOOST_TEST(server.at("metadata").at("cooperage-machine") == "00000001-1001");
    BOOST_TEST(server.at("tags").size() == 4U);
    BOOST_TEST(site.left() == "");
    BOOST_TEST(site.misfits() == "");
}

BOOST_AUTO_TEST_CASE(a_floating_address_is_made_bound_and_released) {
    OpenStackSite site;
    // Nova shows it later than Neutron, or never.
    site.settings({{"address_seconds", 3600}});
    const Account account = site.account({{"floating_ip", "true"}, {"security_groups", "default"}});
    const auto spec = site.spec();

    const Machine machine = made(site, account, spec);
    const Reachable reachable = reached(site, account, spec, machine);
    take_away(site, account, spec, machine);

    BOOST_TEST(reachable.addresses.at("access_v4").starts_with("203.0.113."));
    BOOST_TEST(reachable.addresses.at("bind_v4").starts_with("10.0."));
    BOOST_TEST(site.left() == "");
    BOOST_TEST(site.misfits() == "");
}

BOOST_AUTO_TEST_CASE(a_hardware_type_says_for_its_machines_whether_they_get_a_floating_address) {
    for (const bool by_hardware : {true, false}) {
        BOOST_TEST_CONTEXT("floating by hardware type: " << by_hardware) {
            OpenStackSite site;
            site.settings({{"address_seconds", 3600}});
            const Account account = site.account({{"floating_ip", by_hardware ? "" : "true"}});
            auto spec = site.spec();
            spec.hardware["floating_ip"] = by_hardware ? "true" : "false";
            site.patience = std::chrono::seconds{20};

            const Machine machine = made(site, account, spec);
            const Reachable reachable = reached(site, account, spec, machine);
            take_away(site, account, spec, machine);

            BOOST_TEST(reachable.addresses.at("access_v4")
                           .starts_with(by_hardware ? "203.0.113." : "10.0."));
            BOOST_TEST(site.left() == "");
            BOOST_TEST(site.misfits() == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(a_free_address_of_the_project_is_taken_first_and_given_back_as_it_was) {
    OpenStackSite site;
    const auto own = site.stand_in("address", {});
    const Account account = site.account({{"floating_ip", "true"}});
    const auto spec = site.spec();

    const Machine machine = made(site, account, spec);
    const Reachable reachable = reached(site, account, spec, machine);
    take_away(site, account, spec, machine);

    BOOST_TEST(reachable.addresses.at("access_v4") ==
               own.at("floating_ip_address").get<std::string>());
    const auto addresses = site.state().at("addresses");
    BOOST_REQUIRE(addresses.size() == 1U);
    BOOST_TEST(addresses[0].at("description") == "theirs");
    BOOST_TEST(addresses[0].at("port_id").is_null());
}

BOOST_AUTO_TEST_CASE(a_machine_has_a_port_in_each_network_that_is_named) {
    OpenStackSite site;
    site.stand_in("network", {{"name", "storage"}, {"cidr", "192.168.7.0/24"}});
    const Account account = site.account({{"network_ids", "storage, private"}});
    const auto spec = site.spec();

    const Machine machine = made(site, account, spec);
    reached(site, account, spec, machine);
    const auto ports = site.state().at("ports");
    take_away(site, account, spec, machine);

    BOOST_TEST(ports.size() == 2U);
    BOOST_TEST(site.left() == "");
}

BOOST_AUTO_TEST_CASE(the_group_of_a_cluster_has_the_ports_of_its_services_and_is_repaired) {
    OpenStackSite site;
    const Account account = site.account({{"ssh_ranges", "192.0.2.7/24"}});
    const Machine first = made(site, account, site.spec());
    auto second_spec = site.spec(1002);
    second_spec.open_ports = {"80/tcp", "5000-5010/udp"};

    const Machine second = made(site, account, second_spec);
    const auto rules = site.state().at("rules");
    const auto third = made(site, account, site.spec(1003));
    const auto repaired = site.state().at("rules");

    // Login from one network, two ports from everywhere in two protocols, and each other in two.
    BOOST_TEST(rules.size() == 1U + 4U + 2U);
    BOOST_TEST(repaired.size() == 1U + 2U + 2U);
    BOOST_TEST(site.count("groups") == 1U);
    take_away(site, account, site.spec(), first);
    take_away(site, account, second_spec, second);
    BOOST_TEST(site.count("groups") == 1U);
    take_away(site, account, site.spec(1003), third);
    BOOST_TEST(site.left() == "");
    BOOST_TEST(site.misfits() == "");
}

BOOST_AUTO_TEST_CASE(a_boot_volume_goes_with_its_machine) {
    OpenStackSite site;
    const Account account = site.account({{"boot_volume_size", 20}});
    const auto spec = site.spec();

    const Machine machine = made(site, account, spec);
    reached(site, account, spec, machine);
    const auto volumes = site.state().at("volumes");
    take_away(site, account, spec, machine);

    BOOST_REQUIRE(volumes.size() == 1U);
    BOOST_TEST(volumes[0].at("size") == 20);
    BOOST_TEST(site.left() == "");
    BOOST_TEST(site.misfits() == "");
}

BOOST_AUTO_TEST_CASE(machines_of_a_cluster_are_spread_in_a_server_group_of_its_own) {
    OpenStackSite site;
    const Account account = site.account({{"anti_affinity", "soft-anti-affinity"}});
    const Machine first = made(site, account, site.spec());
    const Machine second = made(site, account, site.spec(1002));

    const auto groups = site.state().at("server_groups");

    BOOST_REQUIRE(groups.size() == 1U);
    BOOST_TEST(groups[0].at("members").size() == 2U);
    take_away(site, account, site.spec(), first);
    take_away(site, account, site.spec(1002), second);
    BOOST_TEST(site.left() == "");
    BOOST_TEST(site.misfits() == "");
}

BOOST_AUTO_TEST_CASE(an_application_credential_logs_in_without_a_project) {
    OpenStackSite site;
    const auto credential = site.stand_in("credential", {{"name", "c"}, {"secret", "deep"}});
    Account account = site.account({{"openstack_application_credential_id", credential.at("id")},
                                    {"openstack_application_credential_secret", "deep"}});
    for (const char* field : {"api_user", "api_password", "openstack_tenant"}) {
        account.fields.erase(field);
    }

    const Machine machine = made(site, account, site.spec());

    BOOST_TEST(!machine.id.empty());
    BOOST_TEST(site.misfits() == "");
}

BOOST_AUTO_TEST_CASE(region_and_interface_choose_the_addresses_of_the_catalogue) {
    OpenStackSite site;
    const Account account =
        site.account({{"openstack_region", "RegionTwo"}, {"openstack_interface", "internal"}});

    made(site, account, site.spec());

    BOOST_TEST(site.calls_of("compute.create_server@internal@RegionTwo") == 1);
    BOOST_TEST(site.calls_of("compute.create_server") == 0);
}

BOOST_AUTO_TEST_CASE(only_machines_with_the_mark_of_the_installation_are_listed_over_all_pages) {
    OpenStackSite site;
    site.settings({{"page", 2}});
    const Account account = site.account({{"security_groups", "default"}});
    for (int number = 1001; number <= 1005; ++number) made(site, account, site.spec(number));
    Account other = account;
    other.installation = "ffffffffffffffffffffffffffffffff";
    made(site, other, site.spec(1006));

    const auto machines = site.answer(site.provider().machines(account));

    BOOST_TEST(machines.size() == 5U);
}

BOOST_AUTO_TEST_CASE(a_login_serves_many_calls_and_is_renewed_when_it_was_revoked_or_expires) {
    OpenStackSite site;
    const Account account = site.account({{"security_groups", "default"}});
    made(site, account, site.spec(1001));
    made(site, account, site.spec(1002));
    BOOST_TEST(site.calls_of("identity.log_in") == 1);

    site.stand_in("revoke", {});
    made(site, account, site.spec(1003));

    BOOST_TEST(site.calls_of("identity.log_in") == 2);
}

BOOST_AUTO_TEST_CASE(a_test_of_the_account_offers_what_there_is) {
    OpenStackSite site;

    const Tested tested = site.answer(site.provider().test(site.account()));

    BOOST_REQUIRE(std::holds_alternative<Offer>(tested));
    const auto& choices = std::get<Offer>(tested).choices;
    BOOST_TEST(choices.at("flavor").size() == 3U);
    BOOST_TEST(choices.at("image").at(0).value == "debian12");
    BOOST_TEST(choices.at("network_ids").at(0).value == "private");
    BOOST_TEST(choices.at("floating_network").at(0).value == "public");
    BOOST_TEST(choices.at("availability_zone").size() == 2U);
    BOOST_TEST(choices.at("ssh_keypair").at(0).value == "demo-key");
    BOOST_TEST(site.misfits() == "");
}

BOOST_AUTO_TEST_SUITE_END()
