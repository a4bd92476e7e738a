#include "provisioner/model/tenants/budget.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::model;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(budget)

namespace {

constexpr std::int64_t dollar = micros_per_unit;

const base::Timestamp now = base::from_sql("2026-11-30 14:00:00");

HourlyCost dollars_per_hour(std::int64_t micros) {
    HourlyCost cost;
    cost.per_hour.add({"USD", micros});
    return cost;
}

BudgetLoad a_load(std::int64_t micros_per_hour,
                  std::optional<base::Timestamp> until = std::nullopt) {
    BudgetLoad load;
    load.add(dollars_per_hour(micros_per_hour), until, now);
    return load;
}

BudgetUse a_use(std::int64_t spent, const BudgetLoad& machines) {
    BudgetUse use{.machines = machines, .month = month_of(now)};
    use.spent.amounts.add({"USD", spent});
    return use;
}

const Budget one_dollar_per_hour{.currency = "USD", .per_hour = dollar};
const Budget hundred_per_month{.currency = "USD", .per_month = 100 * dollar};

std::string lines(const std::vector<std::string>& sentences) {
    std::string text;
    for (const auto& sentence : sentences) text += sentence + "\n";
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(months_are_those_of_the_calendar_in_utc) {
    const Month month = month_of(base::from_sql("2026-12-31 23:59:59.999999"));

    BOOST_TEST(base::to_sql(month.begin) == "2026-12-01 00:00:00.000000");
    BOOST_TEST(base::to_sql(month.end) == "2027-01-01 00:00:00.000000");
    BOOST_TEST(month.name == "2026-12");
}

BOOST_AUTO_TEST_CASE(machines_are_committed_until_the_end_of_their_lease_or_of_the_month) {
    BOOST_TEST(a_load(dollar).committed.of("USD") == 10 * dollar);
    BOOST_TEST(a_load(dollar, now + 2h).committed.of("USD") == 2 * dollar);
    BOOST_TEST(a_load(dollar, now + 20h).committed.of("USD") == 10 * dollar);
    BOOST_TEST(a_load(dollar, now - 2h).committed.of("USD") == 0);
}

BOOST_AUTO_TEST_CASE(the_last_of_a_budget_may_be_used_and_no_more) {
    BOOST_TEST(
        lines(over_budget(one_dollar_per_hour, a_use(0, a_load(dollar - 200)), a_load(200))) == "");
    BOOST_TEST(
        lines(over_budget(one_dollar_per_hour, a_use(0, a_load(900'000)), a_load(200'000))) ==
        "The tenant's budget allows 1.00 USD per hour: its machines cost 0.90 USD now, and "
        "these would cost 0.20 USD more.\n");
}

BOOST_AUTO_TEST_CASE(a_month_counts_what_is_spent_and_what_is_promised) {
    const BudgetUse use = a_use(60 * dollar, a_load(3 * dollar));

    BOOST_TEST(lines(over_budget(hundred_per_month, use, a_load(dollar))) == "");
    BOOST_TEST(lines(over_budget(hundred_per_month, use, a_load(2 * dollar))) ==
               "The tenant's budget allows 100.00 USD in 2026-11: 60.00 USD are spent, its "
               "machines will cost 30.00 USD until the end of the month or of their leases, and "
               "these would cost 20.00 USD more.\n");
    BOOST_TEST(lines(over_budget(hundred_per_month, use, a_load(2 * dollar, now + 4h))) == "");
}

BOOST_AUTO_TEST_CASE(every_limit_that_is_exceeded_is_said) {
    const Budget both{.currency = "USD", .per_hour = dollar, .per_month = dollar};

    BOOST_TEST(over_budget(both, a_use(0, {}), a_load(2 * dollar)).size() == 2U);
}

BOOST_AUTO_TEST_CASE(machines_without_a_price_or_in_another_currency_do_not_fit) {
    HourlyCost cost;
    cost.unpriced[{"aws", "main", "", "m9", ""}] = 2;
    cost.per_hour.add({"EUR", 60'000});
    cost.per_hour.add({"CHF", 0});
    BudgetLoad more;
    more.add(cost, std::nullopt, now);

    BOOST_TEST(lines(over_budget(one_dollar_per_hour, a_use(0, {}), more)) ==
               "There is no price for flavor m9 of provider main (2 machines). A tenant with a "
               "budget needs one.\n"
               "These machines cost 0.06 EUR per hour, but the tenant's budget is in USD.\n");
}

BOOST_AUTO_TEST_CASE(what_costs_nothing_fits_into_a_budget_that_is_exceeded) {
    BOOST_TEST(over_budget(one_dollar_per_hour, a_use(0, a_load(5 * dollar)), a_load(0)).empty());
    BOOST_TEST(over_budget(hundred_per_month, a_use(500 * dollar, {}), BudgetLoad{}).empty());
}

BOOST_AUTO_TEST_CASE(people_are_warned_from_eighty_percent_on) {
    BOOST_TEST(lines(budget_warnings(one_dollar_per_hour, a_use(0, a_load(700'000)),
                                     a_load(99'999))) == "");
    BOOST_TEST(
        lines(budget_warnings(one_dollar_per_hour, a_use(0, a_load(700'000)), a_load(100'000))) ==
        "80 % of the tenant's budget of 1.00 USD per hour is used.\n");
    BOOST_TEST(lines(budget_warnings(hundred_per_month, a_use(120 * dollar, {}), {})) ==
               "120 % of the tenant's budget of 100.00 USD in 2026-11 is spent or promised to "
               "existing machines.\n");
}

BOOST_AUTO_TEST_CASE(what_a_budget_cannot_count_is_said) {
    HourlyCost cost = dollars_per_hour(0);
    cost.unpriced[{"aws", "main", "", "m9", ""}] = 1;
    cost.per_hour.add({"EUR", 60'000});
    BudgetLoad machines;
    machines.add(cost, std::nullopt, now);

    BOOST_TEST(lines(budget_warnings(one_dollar_per_hour, a_use(0, machines), {})) ==
               "There is no price for flavor m9 of provider main (1 machine).\n"
               "The budget is in USD and does not count what machines cost in other "
               "currencies.\n");
}

BOOST_AUTO_TEST_SUITE_END()
