#include "fcgi/auth/throttle.hpp"

#include <boost/test/unit_test.hpp>

using fcgi::auth::Throttle;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(throttling)

namespace {

struct SetClock : provisioner::base::Clock {
    provisioner::base::Timestamp moment{};
    provisioner::base::Timestamp now() const override { return moment; }
};

void fail(Throttle& throttle, const std::string& who, int times) {
    for (int i = 0; i < times; ++i) throttle.count_failure(who);
}

}  // namespace

BOOST_AUTO_TEST_CASE(who_failed_too_often_waits_for_the_rest_of_the_minute) {
    SetClock clock;
    Throttle throttle(clock);
    fail(throttle, "bob", Throttle::most_failures - 1);
    BOOST_TEST(!throttle.wait_of("bob").has_value());
    clock.moment += 20s;
    fail(throttle, "bob", 1);
    BOOST_TEST(throttle.wait_of("bob")->count() == 40);
    clock.moment += 40s;
    BOOST_TEST(!throttle.wait_of("bob").has_value());
}

BOOST_AUTO_TEST_CASE(nobody_waits_for_the_failures_of_others) {
    SetClock clock;
    Throttle throttle(clock);
    fail(throttle, "bob", 1000);
    BOOST_TEST(!throttle.wait_of("eve").has_value());
}

BOOST_AUTO_TEST_CASE(a_new_minute_counts_from_nothing) {
    SetClock clock;
    Throttle throttle(clock);
    fail(throttle, "bob", Throttle::most_failures);
    clock.moment += 60s;
    fail(throttle, "bob", 1);
    BOOST_TEST(!throttle.wait_of("bob").has_value());
}

BOOST_AUTO_TEST_CASE(invented_names_push_out_the_oldest_and_nobody_else) {
    SetClock clock;
    Throttle throttle(clock);
    fail(throttle, "oldest", Throttle::most_failures);
    fail(throttle, "second", Throttle::most_failures);

    for (std::size_t i = 0; i < Throttle::most_kept - 1; ++i) {
        fail(throttle, "invented " + std::to_string(i), 1);
    }

    BOOST_TEST(throttle.kept() == Throttle::most_kept);
    BOOST_TEST(!throttle.wait_of("oldest").has_value());
    BOOST_TEST(throttle.wait_of("second").has_value());
}

BOOST_AUTO_TEST_CASE(names_whose_minute_is_over_are_not_kept) {
    SetClock clock;
    Throttle throttle(clock);
    for (int i = 0; i < 1000; ++i) fail(throttle, "invented " + std::to_string(i), 1);

    clock.moment += 60s;
    fail(throttle, "bob", 1);

    BOOST_TEST(throttle.kept() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
