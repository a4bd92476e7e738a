#include <boost/test/unit_test.hpp>

#include <set>

#include "tests/integration/provisioner/providers/cloudstack/fixture.hpp"

using namespace provisioner;
using cloudstack_tests::Region;
using providers::Confirmed;
using providers::Machine;
using providers::Reachable;
using providers::Refused;

BOOST_AUTO_TEST_SUITE(cloudstack_creation)

BOOST_AUTO_TEST_CASE(a_machine_is_made_reached_and_taken_away_and_nothing_is_left) {
    Region region;
    const auto spec = Region::spec();

    const Machine machine = region.made(spec);
    const Confirmed confirmed =
        region.site.confirm(region.account(), spec, Region::results(machine.id));
    const auto destroyed =
        region.site.take_away(region.account(), spec, Region::results(machine.id));

    const auto& reachable = std::get<Reachable>(confirmed);
    BOOST_TEST(reachable.addresses.at("access_v4") == "10.2.2.3");
    BOOST_TEST(reachable.host_key.starts_with("ssh-ed25519 "));
    BOOST_TEST(reachable.host_key_travelled);
    BOOST_TEST(std::holds_alternative<providers::Gone>(destroyed));
    const base::Json state = region.site.state();
    BOOST_TEST(state["machines"].empty());
    BOOST_TEST(state["groups"].empty());
    region.is_not_blamed();
}

BOOST_AUTO_TEST_CASE(the_display_name_has_the_mark_and_tags_have_it_too) {
    Region region;

    region.made(Region::spec());

    const base::Json machine = region.site.state()["machines"].at(0);
    BOOST_TEST(machine["name"] == "cooperage-01234567-00000001-1001-10-1");
    BOOST_TEST(machine["displayname"] ==
               "cooperage 0123456789abcdef0123456789abcdef 00000001 00000001-1001 10-1");
    std::set<std::string> tags;
    for (const base::Json& tag : machine["tags"]) tags.insert(tag["key"].get<std::string>());
    BOOST_TEST(
        tags == (std::set<std::string>{"cooperage-cluster", "cooperage-installation",
                                       "cooperage-job", "cooperage-machine", "cooperage-task"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(user_data_longer_than_a_get_takes_are_sent) {
    Region region;
    auto account = region.account();
    account.files["user_data_resource"] = "#!/bin/sh\n# " + std::string(8000, 'x') + "\n";

    region.made(account, Region::spec());

    const auto data = region.site.state()["machines"][0]["userdata"].get<std::string>();
    BOOST_TEST(data.size() > 8000u);
    region.is_not_blamed();
}

BOOST_AUTO_TEST_CASE(user_data_longer_than_the_cloud_takes_are_refused_before) {
    Region region;
    auto account = region.account();
    account.files["user_data_resource"] = "#!/bin/sh\n# " + std::string(40000, 'x') + "\n";

    BOOST_TEST(region.refusal(account, Region::spec()).find("bytes, and CloudStack takes 32768") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_image_without_cloud_init_gets_no_user_data_at_all) {
    Region region;
    auto spec = Region::spec();
    spec.hardware["cloud_init"] = "false";

    region.made(spec);

    BOOST_TEST(region.site.state()["machines"][0]["userdata"] == "");
    region.is_not_blamed();
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_lost_costs_no_second_machine) {
    Region region;
    region.site.fault({{"operation", "deployVirtualMachine"}, {"kind", "lost_reply"}});

    region.made(Region::spec());

    BOOST_TEST(region.site.state()["made"] == 1);
}

// Deploying and tagging are two calls: between them the daemon may die.
BOOST_AUTO_TEST_CASE(a_machine_without_tags_is_found_and_gets_them) {
    Region region;
    region.site.fault({{"operation", "createTags"}, {"kind", "error"}, {"code", 530}});
    const Machine first = region.made(Region::spec());
    BOOST_TEST(region.site.state()["machines"][0]["tags"].empty());

    const Machine second = region.made(Region::spec());

    BOOST_TEST(first.id == second.id);
    BOOST_TEST(region.site.state()["made"] == 1);
    BOOST_TEST(region.site.state()["machines"][0]["tags"].size() == 4u);
}

BOOST_AUTO_TEST_CASE(a_listing_that_lags_behind_costs_no_second_machine) {
    Region region;
    const auto spec = Region::spec();
    const Machine first = region.made(spec);
    region.site.fault({{"operation", "listVirtualMachines"}, {"kind", "empty"}});

    const Machine second = region.made(spec);

    BOOST_TEST(first.id == second.id);
    BOOST_TEST(region.site.state()["made"] == 1);
}

BOOST_AUTO_TEST_CASE(names_that_only_begin_alike_are_other_machines) {
    Region region;
    const Machine longer = region.made(Region::spec(10011));
    const Machine wanted = region.made(Region::spec(1001));

    BOOST_TEST(wanted.id != longer.id);
    BOOST_TEST(region.site.state()["made"] == 2);
}

BOOST_AUTO_TEST_CASE(all_pages_are_read_and_machines_of_others_are_not_among_them) {
    Region region;
    region.set({{"page", 2}});
    std::set<std::string> names;
    for (int number = 1001; number <= 1005; ++number) {
        region.made(Region::spec(number));
        names.insert("00000001-" + std::to_string(number));
    }
    auto other = region.account({{"security_groups", "default"}});
    // Its first digits are the same, so the filter by name finds it.
    other.installation = "01234567ffffffffffffffffffffffff";
    region.made(other, Region::spec(1001, 20));

    const auto seen = region.site.answer(region.site.provider().machines(region.account()));

    std::set<std::string> found;
    for (const auto& machine : seen) found.insert(machine.name);
    BOOST_TEST(found == names, boost::test_tools::per_element());
    BOOST_TEST(seen.size() == 5u);
}

BOOST_AUTO_TEST_CASE(a_cluster_gets_a_security_group_that_is_repaired) {
    Region region;
    region.made(Region::spec(1001));
    auto changed = Region::spec(1002);
    changed.open_ports = {"443/tcp"};

    region.made(changed);

    const base::Json groups = region.site.state()["groups"];
    BOOST_REQUIRE(groups.size() == 1u);
    BOOST_TEST(groups[0]["name"] == "cooperage-01234567-00000001");
    std::multiset<int> ports;
    for (const base::Json& rule : groups[0]["ingressrule"]) {
        if (rule.contains("cidr")) ports.insert(rule["startport"].get<int>());
    }
    BOOST_TEST(ports == (std::multiset<int>{22, 22, 443, 443}), boost::test_tools::per_element());
    BOOST_TEST(groups[0]["ingressrule"].size() == 7u);
}

BOOST_AUTO_TEST_CASE(security_groups_that_are_named_are_used_and_none_is_made) {
    Region region;
    const auto account = region.account({{"security_groups", "default"}});

    region.made(account, Region::spec());

    BOOST_TEST(region.site.state()["groups"].empty());
    BOOST_TEST(
        region.refusal(region.account({{"security_groups", "defalt"}}), Region::spec(1002)) ==
        "there is no security group \"defalt\"; near: default");
}

BOOST_AUTO_TEST_CASE(a_key_pair_and_a_group_go_along) {
    Region region;
    region.site.control("POST", "/-/keys", R"({"name": "ours"})");
    const auto account =
        region.account({{"ssh_keypair", "ours"}, {"cloudstack_group", "web farm"}});

    region.made(account, Region::spec());

    const base::Json machine = region.site.state()["machines"].at(0);
    BOOST_TEST(machine["keypairs"] == "ours");
    BOOST_TEST(machine["group"] == "web farm");
}

BOOST_AUTO_TEST_CASE(a_group_that_goes_while_a_machine_begins_is_made_again) {
    for (const char* step : {"deployVirtualMachine", "authorizeSecurityGroupIngress"}) {
        Region region;
        region.site.fault({{"operation", step}, {"kind", "before"}, {"what", "forget_groups"}});

        region.made(Region::spec());

        const base::Json state = region.site.state();
        BOOST_TEST(state["made"] == 1, step);
        BOOST_TEST(state["groups"].size() == 1u, step);
        BOOST_TEST(region.site.calls()["faults"] == 1, step);
    }
}

BOOST_AUTO_TEST_CASE(a_machine_that_slips_between_two_pages_hides_no_other) {
    Region region;
    for (const int number : {1001, 1002, 1003}) region.made(Region::spec(number));
    region.set({{"page", 2}});
    region.site.fault({{"operation", "listVirtualMachines"},
                       {"page", "2"},
                       {"kind", "before"},
                       {"what", "lose_machine"}});

    BOOST_CHECK_THROW(region.site.answer(region.site.provider().machines(region.account())),
                      providers::cloud::Lost);

    BOOST_TEST(region.site.answer(region.site.provider().machines(region.account())).size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
