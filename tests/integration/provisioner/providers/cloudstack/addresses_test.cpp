#include <boost/test/unit_test.hpp>

#include <set>

#include "tests/integration/provisioner/providers/cloudstack/fixture.hpp"

using namespace provisioner;
using cloudstack_tests::Region;
using providers::Confirmed;
using providers::Gone;
using providers::Machine;
using providers::Reachable;

BOOST_AUTO_TEST_SUITE(cloudstack_addresses)

BOOST_AUTO_TEST_CASE(a_machine_behind_a_router_gets_an_address_that_is_released) {
    Region region;
    const auto account = region.behind_router();
    const auto spec = Region::spec();

    const Machine machine = region.made(account, spec);
    const Confirmed confirmed = region.site.confirm(account, spec, Region::results(machine.id));
    const base::Json state = region.site.state();
    const auto destroyed = region.site.take_away(account, spec, Region::results(machine.id));

    const auto& reachable = std::get<Reachable>(confirmed);
    BOOST_TEST(reachable.addresses.at("access_v4") == "203.0.113.10");
    BOOST_TEST(reachable.addresses.at("bind_v4") == "10.1.1.3");
    std::set<int> ports;
    for (const base::Json& rule : state["rules"]) ports.insert(rule["startport"].get<int>());
    BOOST_TEST(ports == (std::set<int>{22, 80}), boost::test_tools::per_element());
    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(region.site.state()["addresses"].empty());
    BOOST_TEST(region.site.state()["rules"].empty());
    region.is_not_blamed();
}

BOOST_AUTO_TEST_CASE(a_lost_reply_costs_no_second_address) {
    Region region;
    const auto account = region.behind_router();
    const auto spec = Region::spec();
    const Machine machine = region.made(account, spec);
    region.site.fault({{"operation", "associateIpAddress"}, {"kind", "lost_reply"}});

    region.site.confirm(account, spec, Region::results(machine.id));

    BOOST_TEST(region.site.state()["addresses"].size() == 1u);
}

BOOST_AUTO_TEST_CASE(lost_replies_at_every_step_still_lead_to_the_address) {
    for (const char* step : {"createTags", "createFirewallRule", "enableStaticNat"}) {
        Region region;
        const auto account = region.behind_router();
        const auto spec = Region::spec();
        const Machine machine = region.made(account, spec);
        region.site.fault({{"operation", step}, {"kind", "lost_reply"}});

        const auto confirmed = region.site.confirm(account, spec, Region::results(machine.id));

        BOOST_TEST(std::holds_alternative<Reachable>(confirmed), step);
        BOOST_TEST(region.site.state()["addresses"].size() == 1u, step);
    }
}

BOOST_AUTO_TEST_CASE(an_unused_address_is_borrowed_and_given_back_as_it_was) {
    Region region;
    region.site.control("POST", "/-/addresses");
    const auto account = region.behind_router();
    const auto spec = Region::spec();
    const Machine machine = region.made(account, spec);

    const auto confirmed = region.site.confirm(account, spec, Region::results(machine.id));
    region.site.take_away(account, spec, Region::results(machine.id));

    BOOST_TEST(std::holds_alternative<Reachable>(confirmed));
    const base::Json addresses = region.site.state()["addresses"];
    BOOST_REQUIRE(addresses.size() == 1u);
    BOOST_TEST(addresses[0]["isstaticnat"] == false);
    BOOST_TEST(addresses[0]["tags"].empty());
    BOOST_TEST(region.site.state()["rules"].empty());
}

BOOST_AUTO_TEST_CASE(an_address_whose_machine_is_gone_is_seen_as_left_over) {
    Region region;
    const auto account = region.behind_router();
    const auto spec = Region::spec();
    const Machine machine = region.made(account, spec);
    region.site.confirm(account, spec, Region::results(machine.id));
    region.site.fault({{"operation", "disassociateIpAddress"},
                       {"kind", "error"},
                       {"code", 530},
                       {"count", 1000}});
    region.site.patience = std::chrono::seconds{2};
    BOOST_CHECK_THROW(region.site.take_away(account, spec, Region::results(machine.id)),
                      std::runtime_error);

    const auto seen = region.site.answer(region.site.provider().machines(account));

    BOOST_REQUIRE(seen.size() == 1u);
    BOOST_TEST(seen[0].id == "address 203.0.113.10");
    BOOST_TEST(seen[0].name == "00000001-1001");
}

// CloudStack joins several tags of a filter with OR.
BOOST_AUTO_TEST_CASE(each_machine_has_an_address_of_its_own_that_the_deletion_of_another_leaves) {
    Region region;
    const auto account = region.behind_router();
    auto other = account;
    other.installation = "ffffffffffffffffffffffffffffffff";
    std::set<std::string> fetched;
    for (const auto& [owner, number] :
         std::vector{std::pair(account, 1001), std::pair(account, 1002), std::pair(other, 1001)}) {
        const Machine machine = region.made(owner, Region::spec(number));
        const auto confirmed =
            region.site.confirm(owner, Region::spec(number), Region::results(machine.id));
        fetched.insert(std::get<Reachable>(confirmed).addresses.at("access_v4"));
    }

    region.site.take_away(account, Region::spec(1001), {});

    BOOST_TEST(fetched.size() == 3u);
    const base::Json left = region.site.state()["addresses"];
    BOOST_REQUIRE(left.size() == 2u);
    for (const base::Json& address : left) BOOST_TEST(address["isstaticnat"] == true);
    region.is_not_blamed();
}

BOOST_AUTO_TEST_CASE(an_address_that_kept_tags_of_an_earlier_owner_loses_them) {
    Region region;
    region.set({{"keeps_tags", true}});
    const auto account = region.behind_router();
    const Machine first = region.made(account, Region::spec(1001));
    region.site.confirm(account, Region::spec(1001), Region::results(first.id));
    region.site.take_away(account, Region::spec(1001), Region::results(first.id));

    const Machine second = region.made(account, Region::spec(1002));
    const auto confirmed =
        region.site.confirm(account, Region::spec(1002), Region::results(second.id));
    const base::Json addresses = region.site.state()["addresses"];
    region.site.take_away(account, Region::spec(1002), Region::results(second.id));

    BOOST_TEST(std::holds_alternative<Reachable>(confirmed));
    BOOST_TEST(addresses.size() == 1u);
    BOOST_TEST(region.site.state()["addresses"].empty());
    region.is_not_blamed();
}

BOOST_AUTO_TEST_SUITE_END()
