#include "fcgi/pages/costs.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;
using namespace provisioner::model;

BOOST_AUTO_TEST_SUITE(costs)

namespace {

HourlyCost a_cost(std::int64_t micros, int unpriced) {
    HourlyCost cost;
    if (micros >= 0) cost.per_hour.add({"USD", micros});
    if (unpriced > 0) cost.unpriced[{"aws", "main", "", "m9", ""}] = unpriced;
    return cost;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_refusal_for_lack_of_prices_is_told_from_others) {
    using provisioner::base::Problems;

    BOOST_TEST(unpriced_words(Problems{{"name", "Enter a name."}}) == "");
    BOOST_TEST(!unpriced_words(Problems{{"numMachines",
                                         "There is no price for flavor m9 of provider main (2 "
                                         "machines). A tenant with a budget needs one."}})
                    .empty());
}

BOOST_AUTO_TEST_CASE(hardware_types_without_a_price_are_named) {
    Labels labels;
    labels.add(CatalogueKind::hardware_type, {{"large", "Large"}});
    std::vector<provisioner::operations::TypeAtProvider> types;
    BOOST_TEST(unpriced_words(types, labels) == "");
    types = {{"large", "sim"}};
    BOOST_TEST(unpriced_words(types, labels) ==
               "The tenant has a budget, and these hardware types have no price: Large of sim. No "
               "cluster can have them until they have one.");
    types.assign(7, {"large", "sim"});
    BOOST_TEST(unpriced_words(types, labels).find("and 2 more") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_cost_per_hour_says_what_has_no_price) {
    BOOST_TEST(cost_words(a_cost(46'400, 0)) == "0.0464 USD per hour");
    BOOST_TEST(cost_words(a_cost(46'400, 2)) ==
               "at least 0.0464 USD per hour; 2 machines have no price");
    BOOST_TEST(cost_words(a_cost(46'400, 1)) ==
               "at least 0.0464 USD per hour; 1 machine has no price");
    BOOST_TEST(cost_words(a_cost(-1, 1)) == "not known");
    BOOST_TEST(cost_words(a_cost(0, 0)) == "0.00 USD per hour");
    BOOST_TEST(cost_words(HourlyCost{}) == "nothing");
}

BOOST_AUTO_TEST_CASE(a_cost_so_far_says_the_time_without_a_price) {
    MeteredCost cost;
    BOOST_TEST(cost_words(cost) == "nothing");
    cost.unpriced_seconds = 7200;
    BOOST_TEST(cost_words(cost) == "not known: 2 hours of machine time without a price");
    cost.amounts.add({"USD", 75'599'917});
    BOOST_TEST(cost_words(cost) == "75.60 USD and 2 hours of machine time without a price");
}

BOOST_AUTO_TEST_CASE(without_prices_and_warnings_nothing_is_said) {
    BOOST_TEST(costs_json(std::nullopt, "", {}).at("has_costs") == false);

    const auto json = costs_json(a_cost(46'400, 2), ", 1.00 USD until the lease ends", {"80 %"});

    BOOST_TEST(json.at("has_costs") == true);
    BOOST_TEST(json.at("cost_words") ==
               "at least 0.0464 USD per hour, 1.00 USD until the lease ends; 2 machines have no "
               "price");
    BOOST_TEST(json.at("cost_notes").size() == 1U);
    BOOST_TEST(costs_json(a_cost(46'400, 2), "", {}).at("has_cost_notes") == false);
}

BOOST_AUTO_TEST_CASE(users_read_one_sentence_about_all_flavors_without_a_price) {
    const auto json =
        costs_json(a_cost(46'400, 0), "",
                   {"There is no price for flavor any of provider main (1 machine).",
                    "There is no price for flavor m9 of provider aws-1 in eu-1 (12 machines).",
                    "80 % of the tenant's budget of 1.00 USD per hour is used."});

    BOOST_TEST_REQUIRE(json.at("cost_notes").size() == 2U);
    BOOST_TEST(json.at("cost_notes")[0].at("note") ==
               "Some of the tenant's machines have no price: its budget leaves them out.");
    BOOST_TEST(json.at("cost_notes")[1].at("note") ==
               "80 % of the tenant's budget of 1.00 USD per hour is used.");
}

BOOST_AUTO_TEST_SUITE_END()
