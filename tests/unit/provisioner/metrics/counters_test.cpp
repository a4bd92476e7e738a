#include "provisioner/metrics/counters.hpp"

#include <boost/test/unit_test.hpp>
#include <thread>

using namespace provisioner::metrics;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(counters)

namespace {

constexpr std::array<double, 2> bounds{0.1, 1};

}  // namespace

BOOST_AUTO_TEST_CASE(several_threads_lose_no_count) {
    Counter counter;
    Level level;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int n = 0; n < 10'000; ++n) {
                const Level::One one(level);
                counter.add();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();

    BOOST_TEST(counter.value() == 40'000U);
    BOOST_TEST(level.value() == 0);
}

BOOST_AUTO_TEST_CASE(a_duration_counts_in_the_first_bucket_that_holds_it) {
    Histogram histogram(bounds);

    histogram.observe(100ms);
    histogram.observe(101ms);
    histogram.observe(1s);
    histogram.observe(2s);

    const std::vector<std::uint64_t> expected{1, 2, 1};
    BOOST_TEST(histogram.buckets() == expected, boost::test_tools::per_element());
    BOOST_TEST(histogram.sum() == 3.201, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
