#include "provisioner/model/machines/price.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::model;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(price)

namespace {

const base::Timestamp noon = base::from_sql("2026-11-22 12:00:00");

const MachineKind machine{.provider_type = "aws",
                          .provider = "main",
                          .region = "eu-west-1",
                          .flavor = "m5.large",
                          .image = "ami-1"};

Price a_price(MachineKind of, std::int64_t micros, bool is_own = false) {
    return {.of = std::move(of),
            .per_hour = {.currency = "USD", .micros = micros},
            .is_own = is_own,
            .valid_from = noon - 24h};
}

std::int64_t found(std::vector<Price> prices, const MachineKind& kind = machine) {
    const Prices all(std::move(prices));
    const Price* price = all.find(kind, noon);
    return price == nullptr ? -1 : price->per_hour.micros;
}

const MachineKind any{.provider_type = "aws", .flavor = "*"};
const MachineKind by_flavor{.provider_type = "aws", .flavor = "m5.large"};

}  // namespace

BOOST_AUTO_TEST_CASE(the_price_of_all_machines_is_none_of_what_is_left_of_them) {
    for (const char* flavor : {disk_gb_flavor, address_flavor}) {
        const MachineKind part{.provider_type = "aws", .provider = "main", .flavor = flavor};
        BOOST_TEST(found({a_price(any, 1)}, part) == -1);
        BOOST_TEST(found({a_price(any, 1), a_price(part, 2)}, part) == 2);
    }
}

BOOST_AUTO_TEST_CASE(a_price_fits_what_it_says_and_all_of_what_it_does_not_say) {
    BOOST_TEST(found({a_price(machine, 1)}) == 1);
    BOOST_TEST(found({a_price(by_flavor, 1)}) == 1);
    BOOST_TEST(found({a_price(any, 1)}) == 1);
    BOOST_TEST(found({a_price({"gce", "", "", "m5.large", ""}, 1)}) == -1);
    BOOST_TEST(found({a_price({"aws", "other", "", "m5.large", ""}, 1)}) == -1);
    BOOST_TEST(found({a_price({"aws", "", "us-east-1", "m5.large", ""}, 1)}) == -1);
    BOOST_TEST(found({a_price({"aws", "", "", "m5.xlarge", ""}, 1)}) == -1);
    BOOST_TEST(found({a_price({"aws", "", "", "m5.large", "ami-2"}, 1)}) == -1);
    BOOST_TEST(found({}) == -1);
}

BOOST_AUTO_TEST_CASE(the_price_that_says_most_counts_and_the_tenants_own_before_all) {
    const MachineKind by_provider{"aws", "main", "", "*", ""};
    const MachineKind by_region{"aws", "", "eu-west-1", "m5.large", ""};
    const MachineKind by_image{"aws", "", "", "m5.large", "ami-1"};

    BOOST_TEST(found({a_price(any, 1), a_price(by_flavor, 2)}) == 2);
    BOOST_TEST(found({a_price(by_flavor, 2), a_price(by_provider, 1)}) == 2);
    BOOST_TEST(found({a_price(by_image, 1), a_price(by_region, 2)}) == 2);
    BOOST_TEST(found({a_price(by_flavor, 1), a_price(by_image, 2)}) == 2);
    BOOST_TEST(found({a_price(machine, 1), a_price(any, 2, true)}) == 2);
}

BOOST_AUTO_TEST_CASE(a_price_counts_in_its_time_only) {
    Price old = a_price(by_flavor, 1);
    old.valid_until = noon;
    Price later = a_price(by_flavor, 2);
    later.valid_from = noon;
    const Prices prices({old, later});

    BOOST_TEST(prices.find(machine, noon - 1us)->per_hour.micros == 1);
    BOOST_TEST(prices.find(machine, noon)->per_hour.micros == 2);
    BOOST_TEST(prices.find(machine, noon - 25h) == nullptr);
}

BOOST_AUTO_TEST_CASE(hourly_costs_are_kept_apart_by_currency_and_say_what_has_no_price) {
    Price euros = a_price({"gce", "", "", "n1", ""}, 30'000);
    euros.per_hour.currency = "EUR";
    const Prices prices({a_price(by_flavor, 107'000), euros});
    const MachineKind unknown{"aws", "main", "eu-west-1", "m9", ""};

    const auto cost =
        hourly_cost({{machine, 3}, {{"gce", "g", "", "n1", "x"}, 2}, {unknown, 1}}, prices, noon);

    BOOST_TEST(to_text(cost.per_hour) == "0.06 EUR and 0.321 USD");
    const auto sentences = unpriced_sentences(cost.unpriced);
    BOOST_REQUIRE(sentences.size() == 1U);
    BOOST_TEST(sentences.front() ==
               "There is no price for flavor m9 of provider main in eu-west-1 (1 machine).");
}

BOOST_AUTO_TEST_CASE(machines_without_a_price_are_not_free) {
    const auto cost = hourly_cost({{machine, 2}}, Prices{}, noon);

    BOOST_TEST(cost.per_hour.empty());
    BOOST_TEST(cost.unpriced.at(machine) == 2);
}

BOOST_AUTO_TEST_CASE(a_changed_price_leaves_what_was_metered_before_it) {
    Price old = a_price(by_flavor, 100'000);
    old.valid_until = noon;
    Price later = a_price(by_flavor, 200'000);
    later.valid_from = noon;
    const Prices prices({old, later});
    const Timeline timeline = prices.timeline_of(machine);

    CostMeter meter;
    meter.add(timeline, noon - 2h, noon + 3h);

    BOOST_TEST(timeline.size() == 3U);
    BOOST_TEST(to_text(meter.total().amounts) == "0.80 USD");
}

BOOST_AUTO_TEST_CASE(time_before_the_first_price_is_said_and_not_counted_as_nothing) {
    const Prices prices({a_price(by_flavor, 100'000)});

    CostMeter meter;
    meter.add(prices.timeline_of(machine), noon - 30h, noon);
    meter.add(prices.timeline_of({"gce", "", "", "n1", ""}), noon, noon + 1h);

    BOOST_TEST(to_text(meter.total().amounts) == "2.40 USD");
    BOOST_TEST(meter.total().unpriced_seconds == 7 * 3600);
}

BOOST_AUTO_TEST_CASE(seconds_are_added_up_before_they_are_rounded) {
    const Prices prices({a_price(by_flavor, 1)});
    const Timeline timeline = prices.timeline_of(machine);

    CostMeter meter;
    for (int i = 0; i < 3600; ++i) meter.add(timeline, noon + 1s * i, noon + 1s * (i + 1));
    meter.add(timeline, noon, noon - 1h);

    BOOST_TEST(meter.total().amounts.of("USD") == 1);
}

BOOST_AUTO_TEST_CASE(a_price_of_nothing_is_a_price) {
    const auto cost = hourly_cost({{machine, 2}}, Prices({a_price(any, 0)}), noon);

    BOOST_TEST(cost.unpriced.empty());
    BOOST_TEST(to_text(cost.per_hour) == "0.00 USD");
}

BOOST_AUTO_TEST_SUITE_END()
