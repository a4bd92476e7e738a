#include "provisioner/model/money.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace provisioner::model;

BOOST_AUTO_TEST_SUITE(money)

BOOST_AUTO_TEST_CASE(decimal_numbers_are_exact) {
    BOOST_TEST(micros_in("0.0116").value() == 11'600);
    BOOST_TEST(micros_in("12").value() == 12'000'000);
    BOOST_TEST(micros_in("0.000001").value() == 1);
    BOOST_TEST(micros_in("007.50").value() == 7'500'000);
    BOOST_TEST(micros_in("1000000000").value() == most_micros);
    for (const char* micros : {"0.01", "0.10", "0.107", "0.000001", "1234.567891", "0.00"}) {
        BOOST_TEST(decimal_text(*micros_in(micros)) == micros);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_amount_is_not_read) {
    for (const char* text :
         {"", ".", "1.", ".5", "-1", "+1", "1e3", "0x1", "1,5", " 1", "1 ", "0.0000001",
          "1000000000.000001", "1000000001", "nan", "1.2.3", "99999999999999999999"}) {
        BOOST_TEST(!micros_in(text).has_value(), text);
    }
}

BOOST_AUTO_TEST_CASE(amounts_have_at_least_two_decimals) {
    BOOST_TEST(decimal_text(0) == "0.00");
    BOOST_TEST(decimal_text(12'500'000) == "12.50");
    BOOST_TEST(decimal_text(-12'345'678) == "-12.345678");
    BOOST_TEST(to_text(Money{"USD", 46'400}) == "0.0464 USD");
}

BOOST_AUTO_TEST_CASE(sums_can_be_shown_in_cents) {
    BOOST_TEST(to_rounded_text(Money{"USD", 75'599'917}) == "75.60 USD");
    BOOST_TEST(to_rounded_text(Money{"USD", 15'000}) == "0.02 USD");
    BOOST_TEST(to_rounded_text(Money{"USD", 9'999}) == "0.009999 USD");
    BOOST_TEST(to_rounded_text(Money{"USD", 0}) == "0.00 USD");
}

BOOST_AUTO_TEST_CASE(currencies_are_three_capital_letters) {
    BOOST_TEST(is_currency("USD"));
    for (const char* text : {"", "US", "usd", "USDT", "U$D", "EU1"}) {
        BOOST_TEST(!is_currency(text), text);
    }
}

BOOST_AUTO_TEST_CASE(costs_are_rounded_to_a_millionth_and_never_overflow) {
    BOOST_TEST(cost_of(3'600, 1) == 1);
    BOOST_TEST(cost_of(1'800, 1) == 1);
    BOOST_TEST(cost_of(1'799, 1) == 0);
    BOOST_TEST(cost_of(107'000, 2 * 3600 + 1800) == 267'500);
    // 0.1 + 0.2, a thousand times.
    BOOST_TEST(cost_of(300'000, 3'600'000) == 300'000'000);
    BOOST_TEST(cost_of(most_micros, 3600 * 9'000) == 9'000 * most_micros);
    BOOST_TEST(cost_of(most_micros, 3600 * 9'300) == std::numeric_limits<std::int64_t>::max());
}

BOOST_AUTO_TEST_CASE(two_currencies_are_never_added_up) {
    Amounts amounts;
    amounts.add({"USD", 1'500'000});
    amounts.add({"EUR", 200'000});
    amounts.add({"USD", 500'000});

    BOOST_TEST(to_text(amounts) == "0.20 EUR and 2.00 USD");
    BOOST_TEST(amounts.of("USD") == 2'000'000);
    BOOST_TEST(amounts.of("CHF") == 0);
    BOOST_TEST(to_text(Amounts{}) == "");
    Amounts free;
    free.add(Money{"EUR", 0});
    free.add(Money{"USD", 0});
    BOOST_TEST(to_text(free) == "0.00 EUR");
    free.add(Money{"USD", 2'000'000});
    BOOST_TEST(to_text(free) == "2.00 USD");
}

BOOST_AUTO_TEST_SUITE_END()
