#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/cloudstack/fixture.hpp"

using namespace provisioner;
using cloudstack_tests::Region;
using providers::Gone;
using providers::Pending;

BOOST_AUTO_TEST_SUITE(cloudstack_removal)

BOOST_AUTO_TEST_CASE(deleting_expunges_and_ends_when_the_machine_is_gone) {
    Region region;
    const auto spec = Region::spec();
    const auto results = Region::results(region.made(spec).id);

    const auto first =
        region.site.answer(region.site.provider().destroy(region.account(), spec, results));
    const auto last = region.site.take_away(region.account(), spec, results);

    BOOST_TEST(std::get<Pending>(first).reason.find("is being deleted") != std::string::npos);
    BOOST_TEST(std::holds_alternative<Gone>(last));
    BOOST_TEST(region.site.state()["machines"].empty());
}

BOOST_AUTO_TEST_CASE(who_may_not_expunge_destroys_and_can_make_the_node_again) {
    Region region;
    region.set({{"user_expunge", false}});
    const auto spec = Region::spec();
    const auto results = Region::results(region.made(spec).id);

    const auto destroyed = region.site.take_away(region.account(), spec, results);
    const base::Json machines = region.site.state()["machines"];
    const auto seen = region.site.answer(region.site.provider().machines(region.account()));
    region.made(Region::spec(1001, 20));

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(machines.at(0)["state"] == "Destroyed");
    // The group is used by the machine until the cloud expunges it; the sweep sees it.
    BOOST_REQUIRE(seen.size() == 1u);
    BOOST_TEST(seen[0].id.starts_with("security group "));
    BOOST_TEST(region.site.state()["made"] == 2);
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_kept_after_deletion_is_wished_so) {
    Region region;
    const auto account = region.account({{"expunge", "false"}});
    const auto spec = Region::spec();
    const auto machine = region.made(account, spec);

    const auto destroyed = region.site.take_away(account, spec, Region::results(machine.id));

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(region.site.state()["machines"][0]["state"] == "Destroyed");
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_unknown_is_gone) {
    Region region;

    const auto destroyed = region.site.take_away(
        region.account(), Region::spec(), Region::results("11111111-2222-3333-4444-555555555555"));

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
}

BOOST_AUTO_TEST_CASE(a_lost_reply_to_a_deletion_is_asked_again) {
    Region region;
    const auto spec = Region::spec();
    const auto results = Region::results(region.made(spec).id);
    region.site.fault({{"operation", "destroyVirtualMachine"}, {"kind", "lost_reply"}});

    const auto destroyed = region.site.take_away(region.account(), spec, results);

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(region.site.state()["machines"].empty());
}

BOOST_AUTO_TEST_CASE(a_machine_made_for_a_later_task_is_left_alone) {
    Region region;
    const auto results = Region::results(region.made(Region::spec(1001, 20)).id);

    const auto destroyed = region.site.take_away(region.account(), Region::spec(1001, 10), results);

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(region.site.state()["machines"].size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_security_group_goes_with_the_last_machine) {
    Region region;
    const auto first = Region::results(region.made(Region::spec(1001)).id);
    const auto second = Region::results(region.made(Region::spec(1002)).id);

    region.site.take_away(region.account(), Region::spec(1001), first);
    const auto between = region.site.state()["groups"].size();
    region.site.take_away(region.account(), Region::spec(1002), second);

    BOOST_TEST(between == 1u);
    BOOST_TEST(region.site.state()["groups"].empty());
}

BOOST_AUTO_TEST_SUITE_END()
