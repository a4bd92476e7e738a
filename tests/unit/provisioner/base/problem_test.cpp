#include "provisioner/base/problem.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::base;

BOOST_AUTO_TEST_CASE(problems_are_told_with_their_fields_in_order) {
    const Problems problems{{"name", "must be given"}, {"", "too late"}, {"a.b", "is odd"}};

    BOOST_TEST(to_text(problems) == "name: must be given; too late; a.b: is odd");
    BOOST_TEST(to_text(Problems{}) == "");
}

BOOST_AUTO_TEST_CASE(a_checked_value_is_a_value_or_all_problems) {
    const Checked<int> good = 5;
    const Checked<int> bad = unexpected(Problems{{"n", "must be a number"}});

    BOOST_REQUIRE(good.has_value());
    BOOST_TEST(*good == 5);
    BOOST_REQUIRE(!bad.has_value());
    BOOST_TEST((bad.error().front() == Problem{"n", "must be a number"}));
}
