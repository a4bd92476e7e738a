#include "fcgi/pages/clusters/choices/possible_sizes.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(possible_sizes_of_templates)

using namespace fcgi::pages;
using provisioner::model::Constraints;
using provisioner::model::ServiceConstraint;
using provisioner::operations::SizeTrouble;

Constraints limits_of(int least, int most) {
    Constraints limits;
    limits.size_min = least;
    limits.size_max = most;
    return limits;
}

std::string said_sizes(int least, int most, const std::vector<SizeTrouble>& troubles) {
    return size_words(possible_sizes(limits_of(least, most), {"app"}, troubles));
}

BOOST_AUTO_TEST_CASE(sizes_without_a_layout_at_the_ends_are_not_offered) {
    BOOST_TEST(said_sizes(1, 8, {}) == "1 to 8 machines");
    BOOST_TEST(said_sizes(1, 8, {{.first = 1, .last = 2}}) == "3 to 8 machines");
    BOOST_TEST(said_sizes(1, 8, {{.first = 3, .last = 8}}) == "1 to 2 machines");
    BOOST_TEST(said_sizes(1, 1200, {{.first = 3, .last = 20, .goes_on = true}}) ==
               "1 to 2 machines");
    BOOST_TEST(said_sizes(2, 9, {{.first = 3, .last = 9}}) == "2 machines");
}

BOOST_AUTO_TEST_CASE(sizes_without_a_layout_between_others_are_named) {
    BOOST_TEST(said_sizes(1, 30, {{.first = 4, .last = 4}, {.first = 6, .last = 8}}) ==
               "1 to 30 machines, but not 4 and 6–8");
}

BOOST_AUTO_TEST_CASE(sizes_at_which_a_service_is_left_out_are_possible) {
    BOOST_TEST(said_sizes(1, 8, {{.first = 1, .last = 2, .left_out = {"db"}}}) ==
               "1 to 8 machines");
}

BOOST_AUTO_TEST_CASE(a_template_without_any_size_says_so) {
    BOOST_TEST(said_sizes(1, 8, {{.first = 1, .last = 8}}) == "no size is possible");
    auto limits = limits_of(3, 8);
    limits.services = {
        {"app", ServiceConstraint{.hardware_types = {}, .image_types = {}, .max = 2}}};
    BOOST_TEST(possible_sizes(limits, {"app"}, {}).is_none);
}

BOOST_AUTO_TEST_CASE(a_size_that_nobody_typed_is_moved_to_one_that_is_offered) {
    const auto sizes = possible_sizes(limits_of(1, 9), {"app"},
                                      {{.first = 1, .last = 1}, {.first = 4, .last = 5}});
    BOOST_TEST(sizes.nearest(1) == 2);
    BOOST_TEST(sizes.nearest(4) == 6);
    BOOST_TEST(sizes.nearest(100) == 9);
    BOOST_TEST(sizes.has(3));
    BOOST_TEST(!sizes.has(5));
}

BOOST_AUTO_TEST_CASE(what_is_known_counts_at_the_provider_of_the_template_only) {
    provisioner::model::ClusterTemplate web;
    web.header.name = "web";
    web.constraints = limits_of(1, 8);
    web.defaults.services = {"app"};
    const TroublesOfSizes known{{"web", {{.first = 1, .last = 2}}}};
    BOOST_TEST(size_words(sizes_of_template(known, web)) == "1 to 8 machines");
    web.defaults.provider = "sim";
    BOOST_TEST(size_words(sizes_of_template(known, web)) == "3 to 8 machines");
}

BOOST_AUTO_TEST_CASE(what_is_known_does_not_count_where_forms_begin_with_another_type) {
    provisioner::model::ClusterTemplate web;
    web.header.name = "web";
    web.constraints = limits_of(1, 8);
    web.defaults.services = {"app"};
    web.defaults.provider = "sim";
    web.defaults.image_type = "old";
    web.compatibility.image_types = {"new"};
    const TroublesOfSizes known{{"web", {{.first = 1, .last = 8}}}};
    BOOST_TEST(size_words(sizes_of_template(known, web)) == "1 to 8 machines");
    web.compatibility.image_types = {"new", "old"};
    BOOST_TEST(size_words(sizes_of_template(known, web)) == "no size is possible");
}

BOOST_AUTO_TEST_SUITE_END()
