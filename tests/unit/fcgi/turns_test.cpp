#include "fcgi/turns.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <optional>
#include <thread>

using fcgi::Turns;
using fcgi::turns_for;
using provisioner::model::UserId;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(turns)

BOOST_AUTO_TEST_CASE(a_user_has_one_turn_at_once) {
    Turns turns({.at_once = 4, .waiting = 0, .patience = 0ms});
    std::optional<Turns::Turn> first(std::in_place, turns, UserId{1});
    {
        const Turns::Turn second(turns, UserId{1});
        const Turns::Turn of_another(turns, UserId{2});

        BOOST_TEST(first->has_begun());
        BOOST_TEST(!second.has_begun());
        BOOST_TEST(second.is_own_fault());
        BOOST_TEST(of_another.has_begun());
    }
    first.reset();
    BOOST_TEST(Turns::Turn(turns, UserId{1}).has_begun());
}

BOOST_AUTO_TEST_CASE(all_users_have_so_many_turns_at_once) {
    Turns turns({.at_once = 2, .waiting = 0, .patience = 0ms});
    const Turns::Turn first(turns, UserId{1});
    const Turns::Turn second(turns, UserId{2});

    const Turns::Turn third(turns, UserId{3});

    BOOST_TEST(second.has_begun());
    BOOST_TEST(!third.has_begun());
    BOOST_TEST(!third.is_own_fault());
}

BOOST_AUTO_TEST_CASE(a_request_waits_until_the_one_before_has_ended) {
    Turns turns({.at_once = 2, .waiting = 1, .patience = 10s});
    std::optional<Turns::Turn> first(std::in_place, turns, UserId{1});
    std::atomic<bool> has_begun = false;

    std::thread waiting([&] { has_begun = Turns::Turn(turns, UserId{1}).has_begun(); });
    first.reset();
    waiting.join();

    BOOST_TEST(has_begun);
}

BOOST_AUTO_TEST_CASE(threads_are_left_for_others) {
    for (const int threads : {4, 8, 64}) {
        const auto limits = turns_for(threads);
        BOOST_TEST(limits.at_once + limits.waiting < static_cast<std::size_t>(threads));
    }
    BOOST_TEST(turns_for(1).at_once == 1);
    BOOST_TEST(turns_for(8).at_once == 4);
}

BOOST_AUTO_TEST_SUITE_END()
