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

BOOST_AUTO_TEST_CASE(larger_sizes_are_tried_up_to_the_largest) {
    solver::LayoutProblem problem;
    problem.cluster_template.defaults.services = {"web"};

    const auto sizes = operations::answers_beyond(problem, 22, 100);

    BOOST_TEST_REQUIRE(sizes.size() == 3U);
    BOOST_TEST(sizes[0].machines == 44);
    BOOST_TEST(sizes[1].machines == 88);
    BOOST_TEST(sizes[2].machines == 100);
    BOOST_TEST(!sizes[2].why.reasons.empty());
    BOOST_TEST(operations::answers_beyond(problem, 100, 100).empty());
}

BOOST_AUTO_TEST_CASE(sizes_say_the_smallest_that_the_template_allows) {
    solver::LayoutProblem problem;
    problem.cluster_template.constraints.size_min = 3;
    problem.cluster_template.constraints.size_max = 4;

    const auto sizes = operations::sizes_of_problem(problem);

    BOOST_TEST(sizes.least == 3);
    BOOST_TEST(sizes.sizes.front().machines == 3);
    BOOST_TEST(sizes.most == 4);
}

BOOST_AUTO_TEST_CASE(the_first_sizes_end_where_clusters_do) {
    BOOST_TEST(operations::first_sizes(3).to == 22);
    BOOST_TEST(operations::first_sizes(-5).to == 20);
    BOOST_TEST(operations::first_sizes(model::no_maximum).to == 10'019);
}

BOOST_AUTO_TEST_SUITE_END()
