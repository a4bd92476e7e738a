#include "provisioner/store/database/breaker.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using provisioner::store::Breaker;

BOOST_AUTO_TEST_SUITE(breaker)

namespace {

constexpr Breaker::Moment start{1h};

}  // namespace

BOOST_AUTO_TEST_CASE(everybody_has_a_turn_while_the_server_answers) {
    Breaker breaker;
    breaker.answered(start);

    const auto one = breaker.admit();
    const auto other = breaker.admit();

    BOOST_REQUIRE((one && other));
    BOOST_TEST((!one->is_trial() && !other->is_trial()));
}

BOOST_AUTO_TEST_CASE(one_at_a_time_tries_a_silent_server) {
    Breaker breaker;
    breaker.not_answered(start);

    auto trial = breaker.admit();

    BOOST_REQUIRE(trial.has_value());
    BOOST_TEST(trial->is_trial());
    BOOST_TEST(!breaker.admit().has_value());
    trial.reset();
    BOOST_TEST(breaker.admit().has_value());
}

BOOST_AUTO_TEST_CASE(an_answer_lets_everybody_in_again) {
    Breaker breaker;
    breaker.not_answered(start);
    const auto trial = breaker.admit();

    BOOST_TEST(breaker.is_silent());
    breaker.answered(start + 1s);
    BOOST_TEST(!breaker.is_silent());

    const auto other = breaker.admit();
    BOOST_REQUIRE(other.has_value());
    BOOST_TEST(!other->is_trial());
}

BOOST_AUTO_TEST_CASE(a_connection_that_is_lost_while_others_are_answered_is_no_silence) {
    Breaker breaker;
    breaker.answered(start);

    breaker.not_answered(start + 900ms);
    BOOST_TEST(!breaker.admit()->is_trial());

    breaker.not_answered(start + 1100ms);
    BOOST_TEST(breaker.admit()->is_trial());
}

BOOST_AUTO_TEST_SUITE_END()
