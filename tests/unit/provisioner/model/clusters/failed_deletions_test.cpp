#include "provisioner/model/clusters/failed_deletions.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::model;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(the_pause_after_a_failed_deletion_doubles_from_a_minute_to_six_hours) {
    BOOST_TEST(pause_after_deletion(1).count() == 1);
    BOOST_TEST(pause_after_deletion(2).count() == 2);
    BOOST_TEST(pause_after_deletion(3).count() == 4);
    BOOST_TEST(pause_after_deletion(9).count() == 256);
    BOOST_TEST(pause_after_deletion(10).count() == 360);
    BOOST_TEST(pause_after_deletion(2000000000).count() == 360);
    BOOST_TEST(pause_after_deletion(0).count() == 1);
}

BOOST_AUTO_TEST_CASE(the_next_deletion_comes_a_pause_after_the_end_of_the_last_one) {
    const auto last = provisioner::base::from_millis(1795211024613);

    BOOST_TEST((next_deletion({.count = 3, .last = last, .message = ""}) == last + 4min));
}
