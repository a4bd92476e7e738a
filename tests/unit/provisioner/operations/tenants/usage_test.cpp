#include "provisioner/operations/tenants/usage.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace std::chrono_literals;
using operations::UsageEntry;
using Entries = std::vector<UsageEntry>;

namespace {

base::Timestamp at(std::int64_t seconds) {
    return base::from_millis(seconds * 1000);
}

store::NodeSpan a_node(std::int64_t created) {
    return {.created = at(created), .deleted = std::nullopt};
}

store::NodeSpan a_node(std::int64_t created, std::int64_t deleted) {
    return {.created = at(created), .deleted = at(deleted)};
}

std::optional<operations::NodeUsage> node_usage(const std::vector<store::NodeSpan>& spans,
                                                const operations::UsageQuestion& question,
                                                base::Timestamp now) {
    return operations::node_usage(spans, {}, question, now);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_worked_case_of_the_wire_contract) {
    const auto usage =
        node_usage({a_node(2), a_node(17), a_node(9, 20)}, {.start = 5, .end = 22}, at(100));

    BOOST_REQUIRE(usage.has_value());
    BOOST_TEST((usage->entries == Entries{{5, 33}}));
    BOOST_TEST(usage->end == 22);
}

BOOST_AUTO_TEST_CASE(the_second_worked_case_of_the_wire_contract) {
    const std::int64_t hour = 3600;

    const auto usage =
        node_usage({a_node(2 * hour), a_node(17 * hour), a_node(9 * hour, 20 * hour)},
                   {.start = 18000, .end = 79200, .period = hour, .unit = 1min}, at(100 * hour));

    BOOST_REQUIRE(usage.has_value());
    BOOST_REQUIRE(usage->entries.size() == 17U);
    for (const UsageEntry& entry : usage->entries) {
        const std::int64_t number = entry.time / hour;
        const bool three = number >= 17 && number <= 19;
        const std::int64_t expected = number <= 8 ? 60 : three ? 180 : 120;
        BOOST_TEST(entry.value == expected, "hour " << number);
    }
}

BOOST_AUTO_TEST_CASE(
    without_start_and_end_it_is_from_the_first_creation_to_now_or_the_last_deletion) {
    const auto running = node_usage({a_node(10)}, {}, at(25));
    const auto deleted = node_usage({a_node(10), a_node(5, 15)}, {}, at(25));

    BOOST_TEST((running->entries == Entries{{10, 15}}));
    BOOST_TEST(running->end == 25);
    BOOST_TEST((deleted->entries == Entries{{5, 15}}));
    BOOST_TEST(deleted->end == 15);
}

BOOST_AUTO_TEST_CASE(nothing_is_a_zero_at_the_start) {
    BOOST_TEST((node_usage({}, {}, at(7))->entries == Entries{{0, 0}}));
    BOOST_TEST(node_usage({}, {}, at(7))->end == 7);
    BOOST_TEST((node_usage({}, {.start = 3, .end = 5}, at(7))->entries == Entries{{3, 0}}));
}

BOOST_AUTO_TEST_CASE(the_first_bucket_begins_at_the_start_and_shares_are_cut_to_whole_units) {
    const auto usage =
        node_usage({a_node(50), a_node(3599)},
                   {.start = 100, .end = 3700, .period = 3600, .unit = 1min}, at(9000));

    // 58 whole minutes of 3500 s; the second node's one second is none, then 100 s twice.
    BOOST_TEST((usage->entries == Entries{{100, 58}, {3600, 2}}));
}

BOOST_AUTO_TEST_CASE(small_units_are_many_in_a_second) {
    const auto usage = node_usage({a_node(0, 2)}, {.unit = 1ms}, at(9));

    BOOST_TEST((usage->entries == Entries{{0, 2000}}));
}

BOOST_AUTO_TEST_CASE(an_answer_without_end_is_refused) {
    BOOST_TEST(!node_usage({a_node(1)}, {.start = 9, .end = 8}, at(9)).has_value());
    BOOST_TEST(!node_usage({a_node(1)}, {.start = 0, .end = 253402300799, .period = 3600}, at(9))
                    .has_value());
}

BOOST_AUTO_TEST_CASE(machines_that_are_added_up_count_where_all_of_their_time_is_asked_for) {
    const store::UsageTotals totals{.machines = 2,
                                    .seconds = 130,
                                    .minutes = 1,
                                    .hours = 0,
                                    .days = 0,
                                    .first = at(5),
                                    .last = at(90)};

    const auto all = operations::node_usage({a_node(80)}, totals, {}, at(200));
    const auto minutes = operations::node_usage({a_node(0)}, totals, {.unit = 1min}, at(200));
    const auto covered =
        operations::node_usage({a_node(80)}, totals, {.start = 4, .end = 100}, at(200));
    const auto part = operations::node_usage({a_node(80)}, totals, {.start = 6}, at(200));
    const auto by_hour = operations::node_usage({a_node(80)}, totals, {.period = 3600}, at(200));

    BOOST_TEST((all->entries == Entries{{5, 140}}));
    BOOST_TEST(all->end == 90);
    BOOST_TEST((minutes->entries == Entries{{0, 2}}));
    BOOST_TEST((covered->entries == Entries{{4, 150}}));
    BOOST_TEST((part->entries == Entries{{6, 10}}));
    BOOST_TEST((by_hour->entries == Entries{{5, 10}}));
}
