#include "provisioner/simulation/chance.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

using namespace provisioner::simulation;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(chances)

// Written down, so that a seed means the same run on every machine and in the next version too.
BOOST_AUTO_TEST_CASE(a_question_has_the_same_answer_everywhere_and_for_ever) {
    BOOST_TEST(chance(1, "quota", "00000001-1000", 0) == 0.53497857962411643);
    BOOST_TEST(chance(7, "boot time", "00000002-1003", 3) == 0.63888267481176231);
}

BOOST_AUTO_TEST_CASE(every_part_of_the_question_makes_a_difference) {
    const std::set<double> answers{chance(1, "quota", "a", 0), chance(2, "quota", "a", 0),
                                   chance(1, "boot", "a", 0),  chance(1, "quota", "b", 0),
                                   chance(1, "quota", "a", 1), chance(1, "quot", "aa", 0)};

    BOOST_TEST(answers.size() == 6u);
}

BOOST_AUTO_TEST_CASE(answers_are_spread_evenly_over_machines_and_attempts) {
    constexpr int parts = 10;
    constexpr int questions = 10'000;
    int by_machine[parts] = {};
    int by_attempt[parts] = {};

    for (int i = 0; i < questions; ++i) {
        const double machine = chance(7, "quota", "00000001-" + std::to_string(1000 + i));
        const double attempt = chance(7, "quota", "00000001-1000", i);
        BOOST_REQUIRE((machine >= 0 && machine < 1 && attempt >= 0 && attempt < 1));
        ++by_machine[static_cast<int>(machine * parts)];
        ++by_attempt[static_cast<int>(attempt * parts)];
    }

    // Five standard deviations of a fair draw.
    for (int part = 0; part < parts; ++part) {
        BOOST_TEST(std::abs(by_machine[part] - questions / parts) < 150);
        BOOST_TEST(std::abs(by_attempt[part] - questions / parts) < 150);
    }
}

BOOST_AUTO_TEST_CASE(what_happens_never_and_what_happens_always_are_certain) {
    BOOST_TEST(!happens(0, 0.0));
    BOOST_TEST(happens(100, 0.999999));
    BOOST_TEST(happens(15, 0.149));
    BOOST_TEST(!happens(15, 0.15));
}

BOOST_AUTO_TEST_CASE(a_spread_time_lies_around_the_middle_and_not_below_zero) {
    BOOST_TEST((spread_around(400ms, 300ms, 0.5) == 400ms));
    BOOST_TEST((spread_around(400ms, 300ms, 0.0) == 100ms));
    BOOST_TEST((spread_around(400ms, 300ms, 0.75) == 550ms));
    BOOST_TEST((spread_around(100ms, 300ms, 0.0) == 0ms));
    BOOST_TEST((spread_around(0ms, 0ms, 0.9) == 0ms));
}

BOOST_AUTO_TEST_SUITE_END()
