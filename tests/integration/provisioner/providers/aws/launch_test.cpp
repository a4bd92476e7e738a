#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/aws/site.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using tests::AwsSite;
using tests::fresh_site;

BOOST_AUTO_TEST_SUITE(aws_launch)

BOOST_AUTO_TEST_CASE(instance_disk_and_interface_are_tagged_as_they_are_made) {
    AwsSite& site = fresh_site();
    const Account account = site.account({{"tags", {"team=web", "cost=12"}}});

    site.made(account, site.spec());

    const base::Json instances = site.things("instances");
    const base::Json volumes = site.things("volumes");
    BOOST_REQUIRE(volumes.size() == 1U);
    for (const base::Json& tags : {instances[0].at("tags"), volumes[0].at("tags")}) {
        BOOST_TEST(base::text_at(tags, "Name") == "web1001.example.org");
        BOOST_TEST(base::text_at(tags, "cooperage-machine") == "00000001-1001");
        BOOST_TEST(base::text_at(tags, "cooperage-installation") == account.installation);
        BOOST_TEST(base::text_at(tags, "team") == "web");
    }
    BOOST_TEST(base::text_at(site.request(), "TagSpecification.3.ResourceType") ==
               "network-interface");
    BOOST_TEST(!site.calls().at("operations").contains("CreateTags"));
}

BOOST_AUTO_TEST_CASE(the_root_disk_is_what_the_fields_say) {
    AwsSite& site = fresh_site();
    MachineSpec spec = site.spec();
    spec.hardware["aws_root_ebs_size"] = "33";

    site.made(site.account({{"aws_root_ebs_volume_type", "gp3"}}), spec);

    const base::Json volumes = site.things("volumes");
    BOOST_REQUIRE(volumes.size() == 1U);
    BOOST_TEST(volumes[0].at("size") == 33);
    BOOST_TEST(base::text_at(volumes[0], "type") == "gp3");
    BOOST_TEST(base::text_at(site.request(), "BlockDeviceMapping.1.Ebs.DeleteOnTermination") ==
               "true");
}

BOOST_AUTO_TEST_CASE(a_root_disk_that_people_want_to_keep_is_kept_and_not_ours) {
    AwsSite& site = fresh_site();
    const Account account = site.account({{"aws_root_ebs_delete_on_term", "false"}});
    site.made(account, site.spec());

    site.removed(account, site.spec());

    BOOST_TEST(site.left() == 0);
    const base::Json volumes = site.things("volumes");
    BOOST_REQUIRE(volumes.size() == 1U);
    BOOST_TEST(base::text_at(volumes[0].at("tags"), "Name") == "web1001.example.org");
    BOOST_TEST(site.answer(site.provider().machines(account)).empty());
}

BOOST_AUTO_TEST_CASE(a_machine_is_what_all_its_fields_say) {
    AwsSite& site = fresh_site();
    site.ask("seed", {{"key_pair", "people"}});
    site.ask("seed", {{"profile", "app"}});

    site.made(site.account({{"ssh_keypair", "people"},
                            {"dedicated_instance", "true"},
                            {"placement_group", "near"},
                            {"availability_zone", "us-east-1b"},
                            {"iam_instance_profile", "app"},
                            {"spot", true},
                            {"spot_max_price", "0.02"},
                            {"aws_metadata_tokens", "optional"}}),
              site.spec());

    const base::Json request = site.request();
    BOOST_TEST(base::text_at(request, "KeyName") == "people");
    BOOST_TEST(base::text_at(request, "Placement.Tenancy") == "dedicated");
    BOOST_TEST(base::text_at(request, "Placement.GroupName") == "near");
    BOOST_TEST(base::text_at(request, "Placement.AvailabilityZone") == "us-east-1b");
    BOOST_TEST(base::text_at(request, "IamInstanceProfile.Name") == "app");
    BOOST_TEST(base::text_at(request, "InstanceMarketOptions.SpotOptions.MaxPrice") == "0.02");
    BOOST_TEST(base::text_at(request, "MetadataOptions.HttpTokens") == "optional");
    BOOST_TEST(base::text_at(site.living().at(0), "lifecycle") == "spot");
    BOOST_TEST(site.refused_by_judge().empty());
}

BOOST_AUTO_TEST_CASE(machines_are_listed_over_pages) {
    AwsSite& site = fresh_site();
    const Account account = site.account({{"security_groups", "default"}});
    constexpr int count = 12;
    site.set({{"page_size", 5}});
    for (int node = 1001; node < 1001 + count; ++node) site.made(account, site.spec(node));

    const base::Json before = site.calls().at("operations").at("DescribeInstances");
    const auto seen = site.answer(site.provider().machines(account));

    BOOST_TEST(seen.size() == static_cast<std::size_t>(count));
    BOOST_TEST(site.calls().at("operations").at("DescribeInstances") == before.get<int>() + 3);
}

BOOST_AUTO_TEST_CASE(other_installations_and_people_keep_their_machines) {
    AwsSite& site = fresh_site();
    const Account ours = site.account();
    Account theirs = site.account();
    theirs.installation = "another";
    site.made(theirs, site.spec());

    const auto seen = site.answer(site.provider().machines(ours));
    site.removed(ours, site.spec());

    BOOST_TEST(seen.empty());
    BOOST_TEST(site.living().size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
