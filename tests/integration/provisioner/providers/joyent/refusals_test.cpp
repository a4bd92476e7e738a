#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/failures.hpp"
#include "tests/integration/provisioner/providers/joyent/fixture.hpp"

using namespace provisioner;
using joyent_tests::DataCentre;
using providers::Machine;
using providers::Offer;
using providers::Refused;

BOOST_AUTO_TEST_SUITE(joyent_refusals)

BOOST_AUTO_TEST_CASE(a_clock_that_is_wrong_is_named) {
    DataCentre centre;
    centre.set({{"clock", 400}});

    const std::string message = centre.refusal(centre.account(), DataCentre::spec());

    BOOST_TEST(message.starts_with("Provider credentials invalid/unauthorized: "));
    BOOST_TEST(message.find("behind the provider's") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_wrong_key_is_told) {
    DataCentre centre;
    const auto account = centre.account({{"ssh_keypair", "another"}});

    BOOST_TEST(centre.refusal(account, DataCentre::spec()) ==
               "Provider credentials invalid/unauthorized: Invalid authorization credentials "
               "supplied");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_missing_or_no_key_is_told) {
    DataCentre centre;
    auto account = centre.account();
    account.files.clear();
    const std::string missing = centre.refusal(account, DataCentre::spec());
    account.files["ssh_key_resource"] = "ssh-rsa AAAA";
    const std::string no_key = centre.refusal(account, DataCentre::spec());

    BOOST_TEST(missing.find("there is no file \"key\"") != std::string::npos);
    BOOST_TEST(no_key == "ssh_key_resource: the file is no private key in PEM or OpenSSH's form");
}

BOOST_AUTO_TEST_CASE(passwords_work_where_the_api_is_old_enough_and_are_explained_elsewhere) {
    DataCentre centre;
    const auto account = centre.account({{"ssh_key_resource", nullptr},
                                         {"api_password", "open sesame"},
                                         {"joyent_version", "~6.5"}});
    const auto today = centre.account({{"ssh_key_resource", nullptr}, {"api_password", "x"}});
    const std::string refused = centre.refusal(today, DataCentre::spec());
    centre.set({{"password", "open sesame"}});

    const auto created = centre.site.make(account, DataCentre::spec());

    BOOST_TEST(refused.find("takes no passwords") != std::string::npos);
    BOOST_TEST(std::holds_alternative<Machine>(created));
}

BOOST_AUTO_TEST_CASE(a_version_that_the_api_does_not_speak_is_named) {
    DataCentre centre;

    const auto message =
        centre.refusal(centre.account({{"joyent_version", "~6.5"}}), DataCentre::spec());

    BOOST_TEST(message.starts_with("joyent_version: "));
}

BOOST_AUTO_TEST_CASE(unknown_names_come_with_near_ones) {
    DataCentre centre;
    auto image = DataCentre::spec();
    image.image = "debain-12";
    auto flavor = DataCentre::spec();
    flavor.flavor = "k4-general-kvm-4G";
    const auto network = centre.account({{"network_ids", "interna"}});

    BOOST_TEST(centre.refusal(centre.account(), image) ==
               "there is no image \"debain-12\"; near: debian-12");
    BOOST_TEST(centre.refusal(centre.account(), flavor) ==
               "there is no package \"k4-general-kvm-4G\"; near: k4-general-kvm-3.75G");
    BOOST_TEST(centre.refusal(network, DataCentre::spec()) ==
               "there is no network \"interna\"; near: internal");
    BOOST_TEST(centre.site.state()["made"] == 0);
}

BOOST_AUTO_TEST_CASE(an_image_id_that_is_unknown_comes_with_what_there_is) {
    DataCentre centre;
    auto spec = DataCentre::spec();
    spec.image = "11111111-2222-3333-4444-555555555555";

    const std::string message = centre.refusal(centre.account(), spec);

    BOOST_TEST(message.starts_with("there is no image \"11111111-"));
    BOOST_TEST(message.find("debian-12") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_room_the_next_package_is_tried) {
    DataCentre centre;
    centre.site.fault({{"operation", "CreateMachine"},
                       {"kind", "error"},
                       {"status", 503},
                       {"code", "InsufficientCapacity"},
                       {"message", "Insufficient capacity in datacenter"}});
    auto spec = DataCentre::spec();
    spec.hardware["flavors"] = "g4-highcpu-1G";

    centre.made(spec);

    BOOST_TEST(centre.site.state()["machines"][0]["package"] == "g4-highcpu-1G");
}

BOOST_AUTO_TEST_CASE(no_room_anywhere_is_worth_another_try) {
    DataCentre centre;
    centre.set({{"capacity", 0}});

    const auto created = centre.site.make(centre.account(), DataCentre::spec());

    const auto& refused = std::get<Refused>(created);
    BOOST_TEST(refused.message.find("no room") != std::string::npos);
    BOOST_TEST(refused.message.find("k4-general-kvm-3.75G: Insufficient capacity") !=
               std::string::npos);
    BOOST_TEST(refused.worth_retrying);
    BOOST_TEST(refused.nothing_created);
}

BOOST_AUTO_TEST_CASE(a_quota_is_told_in_the_clouds_words) {
    DataCentre centre;
    centre.set({{"quota", 0}});

    const auto created = centre.site.make(centre.account(), DataCentre::spec());

    const auto& refused = std::get<Refused>(created);
    BOOST_TEST(refused.message ==
               "the account's quota is used up: Quota exceeded; to have your limits raised please "
               "contact Support");
    BOOST_TEST(refused.worth_retrying);
}

BOOST_AUTO_TEST_CASE(a_user_without_permission_is_told) {
    DataCentre centre;
    centre.set({{"forbidden", {"CreateMachine"}}});

    BOOST_TEST(centre.refusal(centre.account(), DataCentre::spec()) ==
               "the user of the provider may not do this: You do not have permission to access "
               "/joe/machines");
}

BOOST_AUTO_TEST_CASE(a_user_without_rules_gets_machines_when_the_firewall_is_off) {
    DataCentre centre;
    centre.set({{"forbidden", {"ListFirewallRules", "CreateFirewallRule"}}});
    const auto account = centre.account({{"joyent_firewall", "false"}});
    const auto spec = DataCentre::spec();

    const auto created = centre.site.make(account, spec);
    const auto& machine = std::get<Machine>(created);
    const bool firewalled = centre.site.state()["machines"][0]["firewall_enabled"].get<bool>();
    const auto destroyed = centre.site.take_away(account, spec, DataCentre::results(machine.id));

    BOOST_TEST(!firewalled);
    BOOST_TEST(std::holds_alternative<providers::Gone>(destroyed));
}

// The policy in the README of the provider.
BOOST_AUTO_TEST_CASE(the_calls_of_the_policy_are_enough) {
    DataCentre centre;
    centre.set({{"allowed",
                 {"ListMachines", "GetMachine", "CreateMachine", "DeleteMachine", "ListImages",
                  "ListPackages", "ListNetworks", "ListFirewallRules", "CreateFirewallRule",
                  "DeleteFirewallRule"}}});
    const auto account = centre.account({{"network_ids", "external"}});
    const auto spec = DataCentre::spec();

    const auto tested = centre.site.answer(centre.site.provider().test(account));
    const auto created = centre.site.make(account, spec);
    const auto results = DataCentre::results(std::get<Machine>(created).id);
    const auto confirmed = centre.site.confirm(account, spec, results);
    const auto seen = centre.site.answer(centre.site.provider().machines(account));
    const auto destroyed = centre.site.take_away(account, spec, results);

    BOOST_TEST(std::holds_alternative<Offer>(tested));
    BOOST_TEST(std::holds_alternative<providers::Reachable>(confirmed));
    BOOST_TEST(seen.size() == 1u);
    BOOST_TEST(std::holds_alternative<providers::Gone>(destroyed));
    BOOST_TEST(centre.site.state()["rules"].empty());
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_cut_off_leaves_the_result_unknown) {
    DataCentre centre;
    centre.made(DataCentre::spec());
    centre.site.fault({{"operation", "ListMachines"}, {"kind", "truncated"}});

    BOOST_CHECK_THROW(centre.site.answer(centre.site.provider().machines(centre.account())),
                      providers::cloud::Lost);
}

BOOST_AUTO_TEST_CASE(all_problems_of_fields_are_told_at_once) {
    DataCentre centre;
    auto spec = DataCentre::spec();
    spec.flavor = "";
    spec.image = "";
    spec.ssh_user = "$(reboot)";
    const auto account = centre.account({{"joyent_api_url", nullptr}, {"joyent_subuser", "bob"}});

    const std::string message = centre.refusal(account, spec);

    for (const char* field : {"joyent_api_url", "flavor", "image", "ssh_user", "joyent_version"}) {
        BOOST_TEST(message.find(field) != std::string::npos, field);
    }
}

BOOST_AUTO_TEST_CASE(a_test_of_the_account_tells_what_can_be_chosen) {
    DataCentre centre;
    const auto tested = centre.site.answer(centre.site.provider().test(centre.account()));
    const auto wrong = centre.site.answer(
        centre.site.provider().test(centre.account({{"ssh_keypair", "another"}})));

    const auto& offer = std::get<Offer>(tested);
    BOOST_TEST(offer.choices.at("flavor").size() == 2u);
    BOOST_TEST(offer.choices.at("image").at(0).label == "debian-12 20240612");
    BOOST_TEST(offer.choices.at("network_ids").size() == 2u);
    BOOST_TEST(offer.notes.at(0) == "the API speaks version 7.0.0");
    BOOST_TEST(std::get<Refused>(wrong).message.starts_with("Provider credentials invalid"));
}

BOOST_AUTO_TEST_SUITE_END()
