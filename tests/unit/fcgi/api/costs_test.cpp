#include "fcgi/api/costs.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using namespace provisioner::model;

BOOST_AUTO_TEST_SUITE(api_costs)

BOOST_AUTO_TEST_CASE(amounts_are_exact_texts_apart_by_currency) {
    provisioner::operations::ClusterCost cost;
    cost.hourly.per_hour.add({"USD", 46'400});
    cost.hourly.per_hour.add({"EUR", 1});
    cost.hourly.unpriced[{"aws", "main", "eu-west-1", "m9", "ami-1"}] = 2;
    cost.so_far.amounts.add({"USD", 75'599'917});
    cost.so_far.unpriced_seconds = 7;

    BOOST_TEST(
        api::to_json(cost).dump() ==
        R"({"perHour":[{"currency":"EUR","amount":"0.000001"},{"currency":"USD","amount":"0.0464"}],)"
        R"("unpriced":[{"providerType":"aws","provider":"main","region":"eu-west-1","flavor":"m9",)"
        R"("image":"ami-1","machines":2,"message":"There is no price for flavor m9 of provider main )"
        R"(in eu-west-1 (2 machines)."}],)"
        R"("soFar":[{"currency":"USD","amount":"75.599917"}],"unpricedSeconds":7})");
}

BOOST_AUTO_TEST_CASE(a_budget_says_its_limits_and_what_is_used) {
    provisioner::operations::BudgetState state{.budget = {.currency = "USD", .per_hour = 500'000},
                                               .use = {.month = {.name = "2026-11"}},
                                               .warnings = {"80 %"}};
    state.use.machines.hourly.per_hour.add({"USD", 400'000});

    BOOST_TEST(api::to_json(state).dump() ==
               R"({"currency":"USD","perHour":"0.50","perMonth":null,"month":"2026-11",)"
               R"("usedPerHour":"0.40","spent":"0.00","committed":"0.00","warnings":["80 %"]})");
}

BOOST_AUTO_TEST_CASE(files_of_values_are_downloads) {
    const auto response = api::csv("a,b\r\n", "prices.csv");

    BOOST_TEST(response.header("Content-Type") == "text/csv; charset=utf-8");
    BOOST_TEST(response.header("Content-Disposition") == "attachment; filename=\"prices.csv\"");
}

BOOST_AUTO_TEST_SUITE_END()
