#include <boost/test/unit_test.hpp>

#include <set>

#include "tests/integration/provisioner/providers/joyent/fixture.hpp"

using namespace provisioner;
using joyent_tests::DataCentre;
using providers::Confirmed;
using providers::Machine;
using providers::Reachable;
using providers::Refused;

BOOST_AUTO_TEST_SUITE(joyent_creation)

BOOST_AUTO_TEST_CASE(a_machine_is_made_reached_and_taken_away_and_nothing_is_left) {
    DataCentre centre;
    const auto spec = DataCentre::spec();

    const Machine machine = centre.made(spec);
    const Confirmed confirmed =
        centre.site.confirm(centre.account(), spec, DataCentre::results(machine.id));
    const auto destroyed =
        centre.site.take_away(centre.account(), spec, DataCentre::results(machine.id));

    const auto& reachable = std::get<Reachable>(confirmed);
    BOOST_TEST(reachable.addresses.at("access_v4").starts_with("127.1.0."));
    BOOST_TEST(reachable.addresses.at("bind_v4") == reachable.addresses.at("access_v4"));
    BOOST_TEST(reachable.host_key.starts_with("ssh-ed25519 "));
    BOOST_TEST(reachable.host_key_travelled);
    BOOST_TEST(std::holds_alternative<providers::Gone>(destroyed));
    const base::Json state = centre.site.state();
    BOOST_TEST(state["machines"].empty());
    BOOST_TEST(state["rules"].empty());
    const base::Json calls = centre.site.calls();
    BOOST_TEST(calls["refused"].empty());
    BOOST_TEST(calls["signed_targets"].get<int>() > 5);
}

BOOST_AUTO_TEST_CASE(a_machine_carries_its_mark_its_keys_and_its_name) {
    DataCentre centre;
    const auto spec = DataCentre::spec();

    centre.made(spec);

    const base::Json machine = centre.site.state()["machines"].at(0);
    BOOST_TEST(machine["name"] == "cooperage-01234567-00000001-1001");
    BOOST_TEST(machine["tags"]["cooperage-installation"] == "0123456789abcdef0123456789abcdef");
    BOOST_TEST(machine["tags"]["cooperage-task"] == "10-1");
    BOOST_TEST(machine["firewall_enabled"] == true);
    const auto data = machine["metadata"]["cloud-init:user-data"].get<std::string>();
    BOOST_TEST(data.starts_with("#cloud-config\n"));
    BOOST_TEST(data.find(spec.authorized_key) != std::string::npos);
    BOOST_TEST(data.find("BEGIN OPENSSH PRIVATE KEY") != std::string::npos);
    BOOST_TEST(data.find("/dev/vdb /data ext4") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_image_without_cloud_init_gets_a_script_and_its_host_key_is_not_known) {
    DataCentre centre;
    auto spec = DataCentre::spec();
    spec.image = "base";
    spec.hardware["cloud_init"] = "no";

    const Machine machine = centre.made(spec);
    const Confirmed confirmed =
        centre.site.confirm(centre.account(), spec, DataCentre::results(machine.id));

    const base::Json shown = centre.site.state()["machines"].at(0);
    const auto script = shown["metadata"]["user-script"].get<std::string>();
    BOOST_TEST(script.find(spec.authorized_key) != std::string::npos);
    BOOST_TEST(std::get<Reachable>(confirmed).host_key == "");
    BOOST_TEST(!std::get<Reachable>(confirmed).host_key_travelled);
}

BOOST_AUTO_TEST_CASE(every_kind_of_key_signs) {
    for (const char* kind : {"rsa-openssh", "ed25519"}) {
        DataCentre centre(kind);

        centre.made(DataCentre::spec());

        BOOST_TEST(centre.site.calls()["refused"].empty(), kind);
    }
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_lost_costs_no_second_machine) {
    DataCentre centre;
    centre.site.fault({{"operation", "CreateMachine"}, {"kind", "lost_reply"}});

    centre.made(DataCentre::spec());

    BOOST_TEST(centre.site.state()["made"] == 1);
}

BOOST_AUTO_TEST_CASE(a_creation_asked_for_twice_finds_its_machine) {
    DataCentre centre;
    const auto spec = DataCentre::spec();

    const Machine first = centre.made(spec);
    const Machine second = centre.made(spec);

    BOOST_TEST(first.id == second.id);
    BOOST_TEST(centre.site.state()["made"] == 1);
}

// The machine appears while the second attempt is under way: its name is taken then.
BOOST_AUTO_TEST_CASE(a_machine_that_appears_late_is_found_by_its_name) {
    DataCentre centre;
    centre.set({{"boot", 5000}});
    const auto spec = DataCentre::spec();
    centre.made(spec);
    centre.site.fault({{"operation", "ListMachines"}, {"kind", "empty"}});

    const Machine found = centre.made(spec);

    BOOST_TEST(centre.site.state()["made"] == 1);
    BOOST_TEST(found.id == centre.site.state()["machines"][0]["id"].get<std::string>());
}

BOOST_AUTO_TEST_CASE(a_machine_that_appears_after_a_failed_creation_is_the_wanted_one) {
    DataCentre centre;
    centre.site.longest_pause = std::chrono::seconds{5};
    centre.site.fault({{"operation", "CreateMachine"}, {"kind", "late"}, {"millis", 1000}});

    centre.made(DataCentre::spec());

    BOOST_TEST(centre.site.state()["made"] == 1);
}

BOOST_AUTO_TEST_CASE(a_foreign_machine_of_that_name_is_left_alone) {
    DataCentre centre;
    auto other = centre.account();
    other.installation = "0123456700000000";
    centre.site.make(other, DataCentre::spec());

    const std::string message = centre.refusal(centre.account(), DataCentre::spec());

    BOOST_TEST(message.find("not the tags of this installation") != std::string::npos);
    BOOST_TEST(centre.site.state()["made"] == 1);
}

BOOST_AUTO_TEST_CASE(a_request_to_slow_down_is_waited_for) {
    DataCentre centre;
    centre.site.fault({{"operation", "CreateMachine"}, {"kind", "throttle"}, {"count", 2}});

    centre.made(DataCentre::spec());

    BOOST_TEST(centre.site.state()["made"] == 1);
}

BOOST_AUTO_TEST_CASE(addresses_are_polled_for) {
    DataCentre centre;
    centre.set({{"boot", 100}, {"addresses", 1500}});
    const auto spec = DataCentre::spec();

    const Machine machine = centre.made(spec);
    const base::Json first = centre.site.state()["machines"].at(0);
    const Confirmed confirmed =
        centre.site.confirm(centre.account(), spec, DataCentre::results(machine.id));

    BOOST_TEST(first["ips"].empty());
    BOOST_TEST(std::get<Reachable>(confirmed).addresses.count("access_v4") == 1);
}

BOOST_AUTO_TEST_CASE(all_pages_are_read_and_machines_of_others_are_not_among_them) {
    DataCentre centre;
    centre.set({{"page", 2}});
    std::set<std::string> names;
    for (int number = 1001; number <= 1005; ++number) {
        centre.made(DataCentre::spec(number));
        names.insert("00000001-" + std::to_string(number));
    }
    auto other = centre.account();
    other.installation = "ffffffffffffffffffffffffffffffff";
    centre.site.make(other, DataCentre::spec());

    const auto seen = centre.site.answer(centre.site.provider().machines(centre.account()));

    std::set<std::string> found;
    for (const auto& machine : seen) found.insert(machine.name);
    BOOST_TEST(found == names, boost::test_tools::per_element());
    BOOST_TEST(seen.size() == 5u);
}

BOOST_AUTO_TEST_CASE(networks_are_found_by_name) {
    DataCentre centre;
    const auto account = centre.account({{"network_ids", "internal"}});

    const auto created = centre.site.make(account, DataCentre::spec());
    const auto& machine = std::get<Machine>(created);
    const Confirmed confirmed =
        centre.site.confirm(account, DataCentre::spec(), DataCentre::results(machine.id));

    BOOST_TEST(std::get<Reachable>(confirmed).addresses.at("access_v4").starts_with("10.88.88."));
}

BOOST_AUTO_TEST_CASE(a_machine_that_failed_is_refused_and_the_next_attempt_makes_another) {
    DataCentre centre;
    centre.set({{"fails", 1}});
    auto spec = DataCentre::spec();
    const Machine failed = centre.made(spec);

    spec.asked_for = std::chrono::minutes{1};
    std::this_thread::sleep_for(std::chrono::milliseconds{400});
    const auto confirmed = centre.site.answer(
        centre.site.provider().confirm(centre.account(), spec, DataCentre::results(failed.id)));
    spec.attempt = 2;
    const Machine other = centre.made(spec);

    BOOST_TEST(std::get<Refused>(confirmed).message.find(failed.id) != std::string::npos);
    BOOST_TEST(other.id != failed.id);
}

BOOST_AUTO_TEST_SUITE_END()
