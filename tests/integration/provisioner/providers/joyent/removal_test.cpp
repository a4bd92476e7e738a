#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/joyent/fixture.hpp"

using namespace provisioner;
using joyent_tests::DataCentre;
using providers::Gone;
using providers::Pending;

BOOST_AUTO_TEST_SUITE(joyent_removal)

BOOST_AUTO_TEST_CASE(a_machine_without_a_server_is_waited_for_in_the_words_of_coopr) {
    DataCentre centre;
    centre.set({{"allocation", 1200}});
    const auto spec = DataCentre::spec();
    const auto results = DataCentre::results(centre.made(spec).id);

    const auto first =
        centre.site.answer(centre.site.provider().destroy(centre.account(), spec, results));
    const auto last = centre.site.take_away(centre.account(), spec, results);

    BOOST_TEST(std::get<Pending>(first).reason ==
               "Unable to delete a VM that has not been allocated to a server yet");
    BOOST_TEST(std::holds_alternative<Gone>(last));
    BOOST_TEST(centre.site.state()["machines"].empty());
}

BOOST_AUTO_TEST_CASE(deleting_ends_when_the_machine_is_gone) {
    DataCentre centre;
    centre.set({{"destroy", 800}});
    const auto spec = DataCentre::spec();
    const auto results = DataCentre::results(centre.made(spec).id);

    const auto first =
        centre.site.answer(centre.site.provider().destroy(centre.account(), spec, results));
    const auto last = centre.site.take_away(centre.account(), spec, results);

    BOOST_TEST(std::get<Pending>(first).reason.find("is being deleted") != std::string::npos);
    BOOST_TEST(std::holds_alternative<Gone>(last));
    BOOST_TEST(centre.site.state()["machines"].empty());
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_unknown_is_gone) {
    DataCentre centre;

    const auto destroyed =
        centre.site.take_away(centre.account(), DataCentre::spec(),
                              DataCentre::results("11111111-2222-3333-4444-555555555555"));

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
}

BOOST_AUTO_TEST_CASE(a_lost_reply_to_a_deletion_is_asked_again) {
    DataCentre centre;
    const auto spec = DataCentre::spec();
    const auto results = DataCentre::results(centre.made(spec).id);
    centre.site.fault({{"operation", "DeleteMachine"}, {"kind", "lost_reply"}});

    const auto destroyed = centre.site.take_away(centre.account(), spec, results);

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(centre.site.state()["machines"].empty());
}

BOOST_AUTO_TEST_CASE(a_machine_made_for_a_later_task_is_left_alone) {
    DataCentre centre;
    const auto results = DataCentre::results(centre.made(DataCentre::spec(1001, 20)).id);

    const auto destroyed =
        centre.site.take_away(centre.account(), DataCentre::spec(1001, 10), results);

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(centre.site.state()["machines"].size() == 1u);
}

BOOST_AUTO_TEST_CASE(rules_are_made_once_repaired_and_go_with_the_last_machine) {
    DataCentre centre;
    const auto first = centre.made(DataCentre::spec(1001));
    auto changed = DataCentre::spec(1002);
    changed.open_ports = {"443/tcp"};
    const auto second = centre.made(changed);
    const base::Json rules = centre.site.state()["rules"];
    centre.site.take_away(centre.account(), DataCentre::spec(1001), DataCentre::results(first.id));
    const auto between = centre.site.state()["rules"].size();
    centre.site.take_away(centre.account(), changed, DataCentre::results(second.id));

    std::vector<std::string> ports;
    for (const base::Json& rule : rules) {
        const auto text = rule["rule"].get<std::string>();
        BOOST_TEST(text.find("cooperage-01234567-00000001") != std::string::npos);
        if (text.starts_with("FROM any")) ports.push_back(text.substr(text.rfind(' ') + 1));
    }
    std::sort(ports.begin(), ports.end());
    BOOST_TEST(ports == (std::vector<std::string>{"22", "443"}), boost::test_tools::per_element());
    BOOST_TEST(between == rules.size());
    BOOST_TEST(centre.site.state()["rules"].empty());
}

BOOST_AUTO_TEST_CASE(rules_of_a_cluster_without_machines_are_seen_as_left_over) {
    DataCentre centre;
    const auto machine = centre.made(DataCentre::spec());
    centre.site.fault(
        {{"operation", "DeleteFirewallRule"}, {"kind", "error"}, {"status", 500}, {"count", 1000}});
    centre.site.patience = std::chrono::seconds{2};
    BOOST_CHECK_THROW(centre.site.take_away(centre.account(), DataCentre::spec(),
                                            DataCentre::results(machine.id)),
                      std::runtime_error);

    const auto seen = centre.site.answer(centre.site.provider().machines(centre.account()));

    BOOST_REQUIRE(seen.size() == 5u);
    BOOST_TEST(seen[0].id.starts_with("firewall rule "));
    BOOST_TEST(seen[0].name == "00000001");
}

BOOST_AUTO_TEST_SUITE_END()
