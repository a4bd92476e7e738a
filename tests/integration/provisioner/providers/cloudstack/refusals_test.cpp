#include <boost/test/unit_test.hpp>

#include <thread>

#include "provisioner/providers/cloud/failures.hpp"
#include "tests/integration/provisioner/providers/cloudstack/fixture.hpp"

using namespace provisioner;
using cloudstack_tests::Region;
using providers::Machine;
using providers::Offer;
using providers::Refused;

BOOST_AUTO_TEST_SUITE(cloudstack_refusals)

BOOST_AUTO_TEST_CASE(a_wrong_secret_is_told) {
    Region region;

    BOOST_TEST(region.refusal(region.account({{"api_secret", "another"}}), Region::spec()) ==
               "Provider credentials invalid/unauthorized: unable to verify user credentials "
               "and/or request signature");
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_behind_is_named) {
    Region region;
    region.set({{"clock", 3600}});

    const std::string message = region.refusal(region.account(), Region::spec());

    BOOST_TEST(message.starts_with("Provider credentials invalid/unauthorized: "));
    BOOST_TEST(message.find("behind the provider's") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(unknown_names_come_with_near_ones) {
    Region region;
    auto offering = Region::spec();
    offering.flavor = "Smal Instance";
    auto image = Region::spec();
    image.image = "debian-13";
    const auto zone = region.account({{"availability_zone", "eu-on"}});
    const auto network = region.account({{"network_ids", "share"}});

    BOOST_TEST(region.refusal(region.account(), offering) ==
               "there is no service offering \"Smal Instance\"; near: Small Instance");
    BOOST_TEST(region.refusal(region.account(), image) ==
               "there is no template \"debian-13\"; near: debian-12");
    BOOST_TEST(region.refusal(zone, Region::spec()) == "there is no zone \"eu-on\"; near: eu-one");
    BOOST_TEST(region.refusal(network, Region::spec()) ==
               "there is no network \"share\"; near: shared");
    BOOST_TEST(region.site.state()["made"] == 0);
}

BOOST_AUTO_TEST_CASE(a_limit_is_told_with_its_numbers) {
    Region region;
    region.set({{"limit", 0}});

    const auto created = region.site.make(region.account(), Region::spec());

    const auto& refused = std::get<Refused>(created);
    BOOST_TEST(refused.message.find("Account Resource Limit = 0") != std::string::npos);
    BOOST_TEST(refused.worth_retrying);
    BOOST_TEST(refused.nothing_created);
}

// The deployment is accepted; its job says later that there is no room.
BOOST_AUTO_TEST_CASE(no_room_is_told_by_the_job_and_the_next_attempt_takes_another_offering) {
    Region region;
    region.set({{"capacity", 0}});
    auto spec = Region::spec();
    spec.hardware["flavors"] = "Medium Instance";
    const Machine failed = region.made(spec);
    const auto confirmed = region.site.confirm(region.account(), spec, Region::results(failed.id));
    region.set({{"capacity", 10}});
    spec.attempt = 2;

    const Machine other = region.made(spec);

    BOOST_TEST(std::get<Refused>(confirmed).message ==
               "the provider could not make the machine " + failed.id +
                   ": Unable to create a deployment for VM instance due to insufficient capacity");
    BOOST_TEST(other.id != failed.id);
    const base::Json machines = region.site.state()["machines"];
    BOOST_REQUIRE(machines.size() == 1u);
    BOOST_TEST(machines[0]["name"] == "cooperage-01234567-00000001-1001-10-2");
}

BOOST_AUTO_TEST_CASE(no_room_that_is_told_at_once_takes_the_next_zone) {
    Region region;
    region.site.fault({{"operation", "deployVirtualMachine"},
                       {"kind", "error"},
                       {"code", 533},
                       {"message", "Insufficient capacity"}});
    auto spec = Region::spec();
    spec.hardware["availability_zones"] = "eu-two";

    region.made(spec);

    BOOST_TEST(region.site.state()["machines"][0]["zonename"] == "eu-two");
}

BOOST_AUTO_TEST_CASE(a_request_to_slow_down_is_waited_for) {
    Region region;
    region.site.fault({{"operation", "deployVirtualMachine"}, {"kind", "throttle"}});
    region.site.fault({{"operation", "listVirtualMachines"}, {"kind", "throttle"}});

    region.made(Region::spec());

    BOOST_TEST(region.site.state()["made"] == 1);
}

BOOST_AUTO_TEST_CASE(a_foreign_machine_of_that_name_is_left_alone) {
    Region region;
    auto other = region.account({{"security_groups", "default"}});
    other.installation = "01234567ffffffffffffffffffffffff";
    region.made(other, Region::spec());

    const std::string message = region.refusal(region.account(), Region::spec());

    BOOST_TEST(message.find("not of this installation") != std::string::npos);
    BOOST_TEST(region.site.state()["made"] == 1);
}

BOOST_AUTO_TEST_CASE(
    a_machine_that_somebody_destroyed_keeps_its_name_and_the_next_attempt_has_another) {
    Region region;
    region.set({{"user_expunge", false}});
    auto spec = Region::spec();
    const auto results = Region::results(region.made(spec).id);
    region.site.take_away(region.account(), spec, results);

    const auto created = region.site.make(region.account(), spec);
    spec.attempt = 2;
    region.made(spec);

    BOOST_TEST(std::get<Refused>(created).worth_retrying);
    BOOST_TEST(std::get<Refused>(created).message.find("not expunged") != std::string::npos);
    BOOST_TEST(region.site.state()["made"] == 2);
}

BOOST_AUTO_TEST_CASE(a_call_that_the_role_lacks_is_told) {
    Region region;
    region.site.fault({{"operation", "deployVirtualMachine"},
                       {"kind", "error"},
                       {"code", 432},
                       {"message", "The given command does not exist"}});

    BOOST_TEST(region.refusal(region.account(), Region::spec()) ==
               "the account may not do this: The given command does not exist");
}

/// The calls of the role in the README of the provider.
const base::Json role = {"listVirtualMachines",
                         "deployVirtualMachine",
                         "destroyVirtualMachine",
                         "queryAsyncJobResult",
                         "createTags",
                         "listZones",
                         "listServiceOfferings",
                         "listTemplates",
                         "listNetworks",
                         "listPublicIpAddresses",
                         "listSecurityGroups",
                         "createSecurityGroup",
                         "authorizeSecurityGroupIngress",
                         "revokeSecurityGroupIngress",
                         "deleteSecurityGroup",
                         "associateIpAddress",
                         "disassociateIpAddress",
                         "enableStaticNat",
                         "createFirewallRule",
                         "listFirewallRules",
                         "deleteFirewallRule",
                         "disableStaticNat",
                         "deleteTags",
                         "listSSHKeyPairs",
                         "listCapabilities"};

BOOST_AUTO_TEST_CASE(the_calls_of_the_role_are_enough) {
    for (const bool has_router : {false, true}) {
        Region region;
        region.set({{"role", role}});
        const auto account = has_router ? region.behind_router() : region.account();
        const auto spec = Region::spec();

        const auto tested = region.site.answer(region.site.provider().test(account));
        const auto results = Region::results(region.made(account, spec).id);
        const auto confirmed = region.site.confirm(account, spec, results);
        const auto seen = region.site.answer(region.site.provider().machines(account));
        const auto destroyed = region.site.take_away(account, spec, results);

        BOOST_TEST(std::holds_alternative<Offer>(tested));
        BOOST_TEST(std::holds_alternative<providers::Reachable>(confirmed));
        BOOST_TEST(seen.size() == 1u);
        BOOST_TEST(std::holds_alternative<providers::Gone>(destroyed));
        BOOST_TEST(region.site.state()["machines"].empty());
        BOOST_TEST(region.site.state()["addresses"].empty());
        BOOST_TEST(region.site.state()["groups"].empty());
    }
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_cut_off_leaves_the_result_unknown) {
    Region region;
    region.site.fault({{"operation", "listVirtualMachines"}, {"kind", "truncated"}});

    BOOST_CHECK_THROW(region.site.answer(region.site.provider().machines(region.account())),
                      providers::cloud::Lost);
}

BOOST_AUTO_TEST_CASE(all_problems_of_fields_are_told_at_once) {
    Region region;
    auto spec = Region::spec();
    spec.flavor = "";
    spec.image = "";
    spec.hardware["root_disk_gb"] = "much";
    const auto account = region.account({{"api_key", nullptr},
                                         {"api_secret", nullptr},
                                         {"availability_zone", nullptr},
                                         {"cloudstack_address", "many"}});

    const std::string message = region.refusal(account, spec);

    for (const char* field : {"api_key", "api_secret", "availability_zone", "flavor", "image",
                              "root_disk_gb", "cloudstack_address"}) {
        BOOST_TEST(message.find(field) != std::string::npos, field);
    }
}

BOOST_AUTO_TEST_CASE(a_test_of_the_account_tells_what_can_be_chosen) {
    Region region;
    region.set({{"user_expunge", false}});
    const auto tested = region.site.answer(region.site.provider().test(region.account()));
    const auto wrong = region.site.answer(
        region.site.provider().test(region.account({{"api_secret", "another"}})));

    const auto& offer = std::get<Offer>(tested);
    BOOST_TEST(offer.choices.at("availability_zone").at(0).value == "eu-one");
    BOOST_TEST(offer.choices.at("flavor").size() == 2u);
    BOOST_TEST(offer.choices.at("image").at(0).value == "debian-12");
    BOOST_TEST(offer.choices.at("security_groups").at(0).value == "default");
    BOOST_TEST(offer.notes.at(0) == "CloudStack 4.19.0.0");
    BOOST_TEST(offer.notes.at(1).find("may not expunge") != std::string::npos);
    BOOST_TEST(std::get<Refused>(wrong).message.starts_with("Provider credentials invalid"));
}

BOOST_AUTO_TEST_SUITE_END()
