#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/openstack/site.hpp"

BOOST_AUTO_TEST_SUITE(refusals)

using namespace provisioner;
using namespace provisioner::providers;
using tests::OpenStackSite;

Refused refused(OpenStackSite& site, const Account& account, MachineSpec spec) {
    const Created created = site.make(account, std::move(spec));
    if (const auto* pending = std::get_if<Pending>(&created)) BOOST_TEST_MESSAGE(pending->reason);
    BOOST_REQUIRE(std::holds_alternative<Refused>(created));
    return std::get<Refused>(created);
}

bool says(const Refused& refusal, const std::string& part) {
    const bool found = refusal.message.find(part) != std::string::npos;
    if (!found) BOOST_TEST_MESSAGE(refusal.message);
    return found;
}

BOOST_AUTO_TEST_CASE(a_wrong_password_is_named_as_coopr_does) {
    OpenStackSite site;

    const Refused refusal = refused(site, site.account({{"api_password", "wrong"}}), site.spec());

    BOOST_TEST(says(refusal, "Provider credentials invalid/unauthorized"));
    BOOST_TEST(refusal.nothing_created);
    BOOST_TEST(!refusal.worth_retrying);
}

BOOST_AUTO_TEST_CASE(a_keystone_without_version_3_is_named) {
    OpenStackSite site;
    site.settings({{"has_v3", false}});

    BOOST_TEST(says(refused(site, site.account(), site.spec()), "there is no Keystone v3 at"));
}

BOOST_AUTO_TEST_CASE(fields_that_are_missing_are_all_named_without_a_call) {
    OpenStackSite site;
    const Account account = site.account({{"api_user", ""},
                                          {"openstack_tenant", ""},
                                          {"boot_volume_size", "big"},
                                          {"openstack_interface", "private"}});

    const Refused refusal = refused(site, account, site.spec());

    for (const char* field :
         {"api_user", "openstack_tenant", "boot_volume_size", "openstack_interface"}) {
        BOOST_TEST(says(refusal, field));
    }
    BOOST_TEST(site.calls().at("calls").empty());
}

BOOST_AUTO_TEST_CASE(a_quota_is_refused_with_its_numbers_and_leaves_no_parts) {
    OpenStackSite site;
    site.settings({{"quota_instances", 0}});

    const Refused refusal = refused(
        site, site.account({{"floating_ip", "true"}, {"security_groups", "default"}}), site.spec());

    BOOST_TEST(says(refusal, "Requested 1, but already used 0 of 0 instances"));
    BOOST_TEST(refusal.worth_retrying);
    BOOST_TEST(refusal.nothing_created);
    BOOST_TEST(site.left() == "");
}

BOOST_AUTO_TEST_CASE(quotas_of_ports_and_floating_addresses_are_refused_in_words) {
    OpenStackSite site;
    const Account account = site.account({{"floating_ip", "true"}, {"security_groups", "default"}});
    site.settings({{"quota_ports", 0}});

    const Refused ports = refused(site, account, site.spec());
    site.settings({{"quota_ports", 100}, {"quota_floatingips", 0}});
    const Refused addresses = refused(site, account, site.spec());

    BOOST_TEST(says(ports, "Quota exceeded for resources: ['port']"));
    BOOST_TEST(says(addresses, "Quota exceeded for resources: ['floatingip']"));
    BOOST_TEST(ports.worth_retrying);
    BOOST_TEST(addresses.worth_retrying);
    BOOST_TEST(site.left() == "");
}

BOOST_AUTO_TEST_CASE(names_that_do_not_exist_are_refused_with_near_ones) {
    OpenStackSite site;
    const auto with = [&](const char* field, const char* value) {
        base::Json fields = {{"security_groups", "default"}};
        fields[field] = value;
        return refused(site, site.account(fields), site.spec());
    };
    auto flavor = site.spec();
    flavor.flavor = "m1.smal";
    auto image = site.spec();
    image.image = "debain12";
    auto gone = site.spec();
    gone.image = "00000000-0000-0000-0000-000000000000";

    BOOST_TEST(says(refused(site, site.account(), flavor), "near: m1.small"));
    BOOST_TEST(says(refused(site, site.account(), image), "near: debian12"));
    BOOST_TEST(says(refused(site, site.account({{"security_groups", "default"}}), gone),
                    "there are debian12, windows"));
    BOOST_TEST(says(with("network_ids", "privat"), "near: private"));
    BOOST_TEST(says(with("ssh_keypair", "demokey"), "near: demo-key"));
    BOOST_TEST(says(with("availability_zone", "zone-c"), "near: zone-b"));
    BOOST_TEST(says(with("security_groups", "defaults"), "near: default"));
    BOOST_TEST(says(with("server_group", "spread"), "there is no server group \"spread\""));
    BOOST_TEST(says(with("openstack_region", "RegionThree"), "there are RegionOne, RegionTwo"));
    BOOST_TEST(says(with("openstack_region", ""), "name one: RegionOne and RegionTwo"));
    BOOST_TEST(site.left() == "");
    BOOST_TEST(site.misfits() == "");
}

BOOST_AUTO_TEST_CASE(two_images_of_one_name_are_told_apart_by_id) {
    OpenStackSite site;
    const auto second = site.stand_in("image", {{"name", "debian12"}});

    const Refused refusal = refused(site, site.account(), site.spec());

    BOOST_TEST(says(refusal, second.at("id").get<std::string>()));
    auto by_id = site.spec();
    by_id.image = second.at("id").get<std::string>();
    BOOST_TEST(std::holds_alternative<Machine>(site.make(site.account(), by_id)));
}

BOOST_AUTO_TEST_CASE(several_networks_must_be_chosen_from) {
    OpenStackSite site;
    site.stand_in("network", {{"name", "storage"}, {"cidr", "192.168.7.0/24"}});

    BOOST_TEST(says(refused(site, site.account(), site.spec()),
                    "network_ids: the project can use several networks"));
}

BOOST_AUTO_TEST_CASE(an_old_nova_is_refused_in_words) {
    OpenStackSite site;
    site.settings({{"max_microversion", "2.42"}});

    BOOST_TEST(says(refused(site, site.account(), site.spec()), "Nova is too old"));
}

BOOST_AUTO_TEST_CASE(user_data_that_are_too_long_are_refused_before_a_server_is_asked_for) {
    OpenStackSite site;
    Account account =
        site.account({{"security_groups", "default"}, {"user_data_resource", "setup"}});
    account.files["user_data_resource"] = "#!/bin/sh\n" + std::string(60'000, '#');

    BOOST_TEST(says(refused(site, account, site.spec()), "Nova takes 65535"));
    BOOST_TEST(site.calls_of("compute.create_server") == 0);
    BOOST_TEST(site.left() == "");
}

BOOST_AUTO_TEST_CASE(a_server_in_error_says_why_and_is_deleted_before_the_next) {
    OpenStackSite site;
    const Account account = site.account({{"security_groups", "default"}});
    auto spec = site.spec();
    spec.flavor = "m1.huge";
    const Created created = site.make(account, spec);
    BOOST_REQUIRE(std::holds_alternative<Machine>(created));
    const auto results = tests::results_of(std::get<Machine>(created));

    const Confirmed confirmed = site.confirm(account, spec, results);

    BOOST_REQUIRE(std::holds_alternative<Refused>(confirmed));
    BOOST_TEST(says(std::get<Refused>(confirmed), "No valid host was found"));
    auto next = site.spec();
    next.attempt = 2;
    BOOST_TEST(std::holds_alternative<Machine>(site.make(account, next)));
    BOOST_TEST(site.count("servers") == 1U);
    BOOST_TEST(site.count("ports") == 1U);
}

BOOST_AUTO_TEST_CASE(the_next_attempt_tries_the_next_flavor_that_the_hardware_type_lists) {
    OpenStackSite site;
    const Account account = site.account({{"security_groups", "default"}});
    auto spec = site.spec();
    spec.flavor = "m1.huge";
    spec.hardware["flavors"] = "m1.tiny";
    spec.attempt = 2;

    const Created created = site.make(account, spec);

    BOOST_REQUIRE(std::holds_alternative<Machine>(created));
    const auto confirmed =
        site.confirm(account, spec, tests::results_of(std::get<Machine>(created)));
    BOOST_TEST(std::holds_alternative<Reachable>(confirmed));
}

BOOST_AUTO_TEST_CASE(a_test_of_the_account_names_everything_that_does_not_exist) {
    OpenStackSite site;

    const Tested tested = site.answer(site.provider().test(
        site.account({{"ssh_keypair", "nobody"}, {"network_ids", "privat,private"}})));

    BOOST_REQUIRE(std::holds_alternative<Refused>(tested));
    BOOST_TEST(says(std::get<Refused>(tested), "ssh_keypair"));
    BOOST_TEST(says(std::get<Refused>(tested), "near: private"));
}

BOOST_AUTO_TEST_SUITE_END()
