#include "provisioner/daemon/claims/outage.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace std::chrono_literals;
using daemon::has_lasted_too_long;

BOOST_AUTO_TEST_SUITE(outage)

BOOST_AUTO_TEST_CASE(an_outage_is_waited_for_five_minutes) {
    BOOST_TEST(!has_lasted_too_long({.age = 0ms, .turns = 0}));
    BOOST_TEST(!has_lasted_too_long({.age = 5min, .turns = 100}));
    BOOST_TEST(has_lasted_too_long({.age = 5min + 1ms, .turns = 100}));
}

BOOST_AUTO_TEST_CASE(who_was_away_itself_does_not_give_up_at_once) {
    BOOST_TEST(!has_lasted_too_long({.age = 24h, .turns = 1}));
    BOOST_TEST(!has_lasted_too_long({.age = 24h, .turns = 9}));
    BOOST_TEST(has_lasted_too_long({.age = 24h, .turns = 10}));
}

BOOST_AUTO_TEST_CASE(tasks_that_were_cut_off_together_come_back_apart) {
    const auto first = daemon::wait_for_end(queue::Outage::begins, "reset", 0.0);
    const auto last = daemon::wait_for_end(queue::Outage::begins, "reset", 0.99);

    BOOST_TEST((first.poll_in == 1000ms));
    BOOST_TEST((last.poll_in == 1990ms));
    BOOST_TEST((first.outage == queue::Outage::begins));
    BOOST_TEST(first.output_starts_over);
    BOOST_TEST(first.reason == "reset");
}

BOOST_AUTO_TEST_SUITE_END()
