#include "provisioner/queue/retry.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using provisioner::queue::about_next_try;
using provisioner::queue::Cause;
using provisioner::queue::cause_of_outage;
using provisioner::queue::cause_of_step;
using provisioner::queue::retry_in;
using provisioner::queue::retry_rules;

BOOST_AUTO_TEST_CASE(the_pause_doubles_with_each_try_up_to_the_longest) {
    BOOST_TEST((retry_in(Cause::step, 1, 0.0) == 2000ms));
    BOOST_TEST((retry_in(Cause::step, 2, 0.0) == 4000ms));
    BOOST_TEST((retry_in(Cause::apt_locked, 4, 0.0) == 40s));
    BOOST_TEST((retry_in(Cause::apt_locked, 9, 0.0) == 60s));
}

BOOST_AUTO_TEST_CASE(a_command_that_fails_gets_three_tries_as_the_wire_contract_has_it) {
    BOOST_TEST(retry_in(Cause::step, 2, 0.0).has_value());
    BOOST_TEST(!retry_in(Cause::step, 3, 0.0).has_value());
}

BOOST_AUTO_TEST_CASE(what_cannot_succeed_is_not_tried_again) {
    for (const Cause cause : {Cause::provider_refused, Cause::macro, Cause::host_key,
                              Cause::aborted, Cause::definition, Cause::taken_over}) {
        BOOST_TEST(!retry_in(cause, 1, 0.0).has_value());
    }
}

BOOST_AUTO_TEST_CASE(every_rule_stands_once_and_pauses_between_its_tries) {
    for (const auto& rule : retry_rules) {
        BOOST_TEST(std::ranges::count(retry_rules, rule.cause,
                                      &provisioner::queue::RetryRule::cause) == 1);
        BOOST_TEST((rule.tries == 1 || (rule.first > 0ms && rule.longest >= rule.first)));
    }
}

BOOST_AUTO_TEST_CASE(jitter_adds_at_most_a_fifth) {
    BOOST_TEST((retry_in(Cause::step, 1, 0.999) > 2390ms));
    BOOST_TEST((retry_in(Cause::step, 1, 0.999) <= 2400ms));
}

BOOST_AUTO_TEST_CASE(people_read_how_often_it_is_tried_and_when_next) {
    BOOST_TEST(about_next_try(Cause::step, 1, 2300ms) == " (try 1 of 3, the next one after 2 s)");
    BOOST_TEST(about_next_try(Cause::apt_locked, 9, 1min) ==
               " (try 9 of 10, the next one after 60 s)");
}

BOOST_AUTO_TEST_CASE(a_lock_held_by_apt_is_known_by_what_apt_prints) {
    BOOST_TEST((cause_of_step("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by "
                              "process 812 (unattended-upgr)\n",
                              100) == Cause::apt_locked));
    BOOST_TEST((cause_of_step("dpkg: error: dpkg frontend lock was locked by another process with "
                              "pid 812\n",
                              78) == Cause::apt_locked));
    BOOST_TEST((cause_of_step("E: Unable to locate package redis-sever\n", 100) == Cause::step));
    BOOST_TEST((cause_of_step("", 1) == Cause::step));
}

BOOST_AUTO_TEST_CASE(a_step_that_calls_its_configuration_wrong_is_not_tried_again) {
    const Cause cause = cause_of_step("port: abc is no number\n", 78);

    BOOST_TEST((cause == Cause::configuration));
    BOOST_TEST(!retry_in(cause, 1, 0));
    BOOST_TEST(retry_in(Cause::step, 1, 0).has_value());
}

BOOST_AUTO_TEST_CASE(a_dropped_greeting_is_told_from_a_lost_network) {
    BOOST_TEST((cause_of_outage("10.0.0.5: handshake: Failed getting banner") == Cause::no_banner));
    BOOST_TEST((cause_of_outage("10.0.0.5: cannot connect: No route to host") == Cause::network));
}
