#include "provisioner/operations/clusters/template_sizes.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/builders.hpp"

using namespace provisioner;
using operations::provider_with_types;

BOOST_AUTO_TEST_SUITE(template_sizes)

BOOST_AUTO_TEST_CASE(a_preview_takes_the_first_provider_that_has_machines_to_offer) {
    const operations::MachineTypes types{.hardware = {tests::a_hardware_type("small")},
                                         .image = {tests::an_image_type("deb")}};
    BOOST_TEST(provider_with_types({"a", "cloud", "d"}, types) == "cloud");
    BOOST_TEST(provider_with_types({"a", "b"}, types) == "a");
    BOOST_TEST(provider_with_types({"a", "cloud"}, {.hardware = types.hardware, .image = {}}) ==
               "a");
}

BOOST_AUTO_TEST_SUITE_END()
