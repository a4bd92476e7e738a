#include "provisioner/operations/clusters/preview.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using operations::sizes_near;

BOOST_AUTO_TEST_SUITE(previews)

namespace {

std::string near(int machines, operations::SizeRange allowed) {
    const auto range = sizes_near(machines, allowed);
    return std::to_string(range.from) + " to " + std::to_string(range.to);
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_around_the_wanted_one_stay_within_what_is_allowed) {
    BOOST_TEST(near(10, {1, 20}) == "8 to 13");
    BOOST_TEST(near(2, {1, 20}) == "1 to 5");
    BOOST_TEST(near(19, {1, 20}) == "17 to 20");
    BOOST_TEST(near(4, {4, 4}) == "4 to 4");
    BOOST_TEST(near(10'000, {1, model::no_maximum}) == "9998 to 10003");
}

BOOST_AUTO_TEST_SUITE_END()
