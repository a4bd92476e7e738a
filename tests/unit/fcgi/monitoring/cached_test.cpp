#include "fcgi/monitoring/cached.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using fcgi::monitoring::Cached;

BOOST_AUTO_TEST_SUITE(cached)

namespace {

struct Ticking {
    std::shared_ptr<const int> ask() {
        return cache.get(
            [this] {
                now += takes;
                return ++made;
            },
            [this] { return now; });
    }

    Cached<int> cache{{.fresh = 1s, .stale = 30s, .rest = 20}};
    Cached<int>::Moment now{1h};
    std::chrono::milliseconds takes{10};
    int made = 0;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_value_is_made_again_only_when_it_is_no_longer_fresh, Ticking) {
    BOOST_TEST(*ask() == 1);
    now += 999ms;
    BOOST_TEST(*ask() == 1);
    now += 1ms;
    BOOST_TEST(*ask() == 2);
}

BOOST_FIXTURE_TEST_CASE(a_value_that_took_long_is_kept_for_a_multiple_of_that, Ticking) {
    takes = 2s;
    BOOST_TEST(*ask() == 1);
    now += 39s;
    BOOST_TEST(*ask() == 1);
    now += 1s;
    BOOST_TEST(*ask() == 2);
}

// Asked while the value is being made, as another thread would.
BOOST_FIXTURE_TEST_CASE(nobody_waits_while_another_makes_the_value, Ticking) {
    const auto clock = [this] { return now; };
    const auto not_called = [] { return -1; };
    std::shared_ptr<const int> meanwhile = std::make_shared<const int>(0);
    const auto slow = [&] {
        meanwhile = cache.get(not_called, clock);
        return ++made;
    };

    cache.get(slow, clock);
    BOOST_TEST(meanwhile == nullptr);
    now += 25s;
    cache.get(slow, clock);
    BOOST_REQUIRE(meanwhile);
    BOOST_TEST(*meanwhile == 1);
    now += 31s;
    cache.get(slow, clock);
    BOOST_TEST(meanwhile == nullptr);
    BOOST_TEST(made == 3);
}

BOOST_AUTO_TEST_SUITE_END()
