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

BOOST_AUTO_TEST_SUITE_END()
