#include "provisioner/providers/cloud/looks.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/cloud/http_site.hpp"

using namespace provisioner::providers::cloud;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(cloud_looks)

BOOST_AUTO_TEST_CASE(a_look_is_trusted_for_as_long_as_the_caller_says_and_a_minute_at_most) {
    tests::SetClock clock;
    tests::AnsweringClient client;
    tests::CloudTools daemon{client, clock};
    BOOST_TEST(!was_good_lately(daemon, "firewall a", "open 22", 5s));
    note_good(daemon, "firewall a", "open 22");

    clock.moment += 4999ms;
    BOOST_TEST(was_good_lately(daemon, "firewall a", "open 22", 5s));
    BOOST_TEST(!was_good_lately(daemon, "firewall b", "open 22", 5s));
    BOOST_TEST(!was_good_lately(daemon, "firewall a", "open 80", 5s));
    clock.moment += 1ms;
    BOOST_TEST(!was_good_lately(daemon, "firewall a", "open 22", 5s));
    BOOST_TEST(was_good_lately(daemon, "firewall a", "open 22", 1min));
    clock.moment += 56s;
    BOOST_TEST(!was_good_lately(daemon, "firewall a", "open 22", 24h));
}

BOOST_AUTO_TEST_CASE(what_is_deleted_is_looked_at_again) {
    tests::SetClock clock;
    tests::AnsweringClient client;
    tests::CloudTools daemon{client, clock};
    note_good(daemon, "firewall a", "open 22");
    forget_look(daemon, "firewall a");

    BOOST_TEST(!was_good_lately(daemon, "firewall a", "open 22", 5s));
}

BOOST_AUTO_TEST_SUITE_END()
