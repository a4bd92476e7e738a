#include "provisioner/providers/cloud/rate_limits.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/cloud/fake_cloud.hpp"

using namespace provisioner;
using namespace provisioner::providers::cloud;
using namespace std::chrono_literals;

namespace {

const Lane ten_a_second{.account = "a", .kind = "read", .per_second = 10, .burst = 3};

}  // namespace

BOOST_AUTO_TEST_CASE(a_burst_goes_at_once_and_the_rest_one_after_the_other) {
    tests::SetClock clock;
    LocalRateLimits limits(clock);
    std::vector<std::chrono::milliseconds> waits;
    for (int i = 0; i < 5; ++i) waits.push_back(tests::run(limits.take(ten_a_second, 1s)));
    BOOST_TEST((waits == std::vector<std::chrono::milliseconds>{0ms, 0ms, 0ms, 100ms, 200ms}));
}

BOOST_AUTO_TEST_CASE(a_wait_beyond_patience_takes_nothing) {
    tests::SetClock clock;
    LocalRateLimits limits(clock);
    for (int i = 0; i < 13; ++i) tests::run(limits.take(ten_a_second, 1s));
    BOOST_TEST((tests::run(limits.take(ten_a_second, 500ms)) == 1100ms));
    BOOST_TEST((tests::run(limits.take(ten_a_second, 500ms)) == 1100ms));
    clock.moment += 1100ms;
    BOOST_TEST((tests::run(limits.take(ten_a_second, 500ms)) == 0ms));
}

BOOST_AUTO_TEST_CASE(a_pause_holds_for_all_and_is_followed_by_no_burst) {
    tests::SetClock clock;
    LocalRateLimits limits(clock);
    tests::run([&]() -> boost::asio::awaitable<int> {
        co_await limits.pause(ten_a_second, 2s);
        co_return 0;
    }());
    BOOST_TEST((tests::run(limits.take(ten_a_second, 5s)) == 2000ms));
    BOOST_TEST((tests::run(limits.take(ten_a_second, 5s)) == 2100ms));
    const Lane other{.account = "a", .kind = "create", .per_second = 1, .burst = 1};
    BOOST_TEST((tests::run(limits.take(other, 5s)) == 0ms));
}
