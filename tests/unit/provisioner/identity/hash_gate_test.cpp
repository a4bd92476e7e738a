#include "provisioner/identity/hash_gate.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>
#include <vector>

#include "provisioner/identity/common_passwords/common_passwords.hpp"

using namespace provisioner::identity;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(hash_gates)

BOOST_AUTO_TEST_CASE(never_do_more_run_than_may) {
    HashGate gate({.at_once = 3, .waiting = 100, .patience = 10s});
    std::atomic<int> running = 0;
    std::atomic<int> most = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 24; ++i) {
        threads.emplace_back([&] {
            const HashGate::Turn turn(gate);
            const int now = ++running;
            for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
            }
            std::this_thread::yield();
            --running;
        });
    }
    for (std::thread& thread : threads) thread.join();

    BOOST_TEST(most >= 1);
    BOOST_TEST(most <= 3);
}

BOOST_AUTO_TEST_CASE(who_would_wait_too_long_or_behind_too_many_is_told_at_once) {
    HashGate gate({.at_once = 1, .waiting = 0, .patience = 1ms});
    {
        const HashGate::Turn turn(gate);
        BOOST_CHECK_THROW(HashGate::Turn{gate}, TooManyHashes);
        gate.set({.at_once = 1, .waiting = 5, .patience = 1ms});
        BOOST_CHECK_THROW(HashGate::Turn{gate}, TooManyHashes);
    }
    BOOST_CHECK_NO_THROW(HashGate::Turn{gate});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(common_passwords)

BOOST_AUTO_TEST_CASE(there_are_three_thousand_of_every_length_that_may_be_the_least) {
    BOOST_TEST(common_passwords_from(8) >= 10'000U);
    BOOST_TEST(common_passwords_from(12) >= 3'000U);
}

BOOST_AUTO_TEST_CASE(common_ones_are_known_whatever_their_case) {
    BOOST_TEST(is_common_password("1qaz2wsx3edc"));
    BOOST_TEST(is_common_password("PassWord123"));
    BOOST_TEST(!is_common_password("staves, hoops and a croze"));
    BOOST_TEST(!is_common_password(""));
}

BOOST_AUTO_TEST_SUITE_END()
