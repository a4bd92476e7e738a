#include "fcgi/pages/words.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(moments)

namespace {

using namespace std::chrono_literals;
using fcgi::pages::moment;
using fcgi::pages::relative;
using fcgi::pages::spoken;

const auto now = provisioner::base::from_sql("2026-11-20 10:00:00.5");

}  // namespace

BOOST_AUTO_TEST_CASE(the_past_is_ago_and_the_future_is_in) {
    BOOST_TEST(relative(now - 10s, now) == "just now");
    BOOST_TEST(relative(now + 10s, now) == "in a moment");
    BOOST_TEST(relative(now - 50s, now) == "1 minute ago");
    BOOST_TEST(relative(now - 95s, now) == "2 minutes ago");
    BOOST_TEST(relative(now - 3h, now) == "3 hours ago");
    BOOST_TEST(relative(now + 168h, now) == "in 7 days");
}

BOOST_AUTO_TEST_CASE(durations_are_said_in_two_units_at_most) {
    BOOST_TEST(spoken(0ms) == "< 0.1 s");
    BOOST_TEST(spoken(99ms) == "< 0.1 s");
    BOOST_TEST(spoken(100ms) == "0.1 s");
    BOOST_TEST(spoken(999ms) == "0.9 s");
    BOOST_TEST(spoken(4900ms) == "4 s");
    BOOST_TEST(spoken(119s) == "119 s");
    BOOST_TEST(spoken(59min + 59s) == "59 minutes");
    BOOST_TEST(spoken(90min) == "1 hour 30 minutes");
    BOOST_TEST(spoken(168h) == "7 days");
    BOOST_TEST(spoken(30h + 5min) == "1 day 6 hours");
}

BOOST_AUTO_TEST_CASE(a_moment_has_its_time_for_machines_and_for_people) {
    const auto json = moment(now, now);

    BOOST_TEST(json.at("iso") == "2026-11-20T10:00:00.500000Z");
    BOOST_TEST(json.at("absolute") == "2026-11-20 10:00:00 UTC");
    BOOST_TEST(json.at("relative") == "just now");
}

BOOST_AUTO_TEST_SUITE_END()
