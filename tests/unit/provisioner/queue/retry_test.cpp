#define BOOST_TEST_MODULE queue
#include "provisioner/queue/retry.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using provisioner::queue::retry_in;

BOOST_AUTO_TEST_CASE(the_pause_doubles_with_each_attempt) {
    BOOST_TEST((retry_in(1, 0.0) == 2000ms));
    BOOST_TEST((retry_in(2, 0.0) == 4000ms));
}

BOOST_AUTO_TEST_CASE(the_last_attempt_is_not_followed_by_another) {
    BOOST_TEST(!retry_in(provisioner::queue::max_attempts, 0.0).has_value());
}

BOOST_AUTO_TEST_CASE(jitter_adds_at_most_a_fifth) {
    BOOST_TEST((retry_in(1, 0.999) > 2390ms));
    BOOST_TEST((retry_in(1, 0.999) <= 2400ms));
}
