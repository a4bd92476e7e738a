#include "provisioner/inventory/choice.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::inventory;

namespace {

ListedMachine machine(std::vector<std::string> flavors, std::vector<std::string> images,
                      std::vector<std::string> tags) {
    ListedMachine made;
    made.flavors = std::move(flavors);
    made.images = std::move(images);
    made.tags = std::move(tags);
    return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_machine_fits_by_flavor_image_and_all_tags) {
    const auto large = machine({"large"}, {"debian12"}, {"ssd", "rack=7"});

    BOOST_TEST(fits(large, {.flavor = "large", .image = "debian12", .tags = {"ssd"}}));
    BOOST_TEST(fits(large, {.flavor = "", .image = "", .tags = {}}));
    BOOST_TEST(!fits(large, {.flavor = "small", .image = "debian12", .tags = {}}));
    BOOST_TEST(!fits(large, {.flavor = "large", .image = "debian13", .tags = {}}));
    BOOST_TEST(!fits(large, {.flavor = "large", .image = "debian12", .tags = {"ssd", "gpu"}}));
}

BOOST_AUTO_TEST_CASE(a_machine_without_flavors_or_images_is_good_for_all_but_tags_must_be_there) {
    const auto any = machine({}, {}, {});

    BOOST_TEST(fits(any, {.flavor = "large", .image = "debian12", .tags = {}}));
    BOOST_TEST(!fits(any, {.flavor = "large", .image = "debian12", .tags = {"ssd"}}));
}

BOOST_AUTO_TEST_CASE(a_group_is_what_stands_behind_the_key_of_a_tag) {
    const auto one = machine({}, {}, {"ssd", "rack=7", "racks=8"});

    BOOST_TEST(group_of(one, "rack") == "7");
    BOOST_TEST(group_of(one, "ssd") == "");
    BOOST_TEST(group_of(one, "") == "");
}

BOOST_AUTO_TEST_CASE(the_reason_says_what_nobody_has_and_what_there_is) {
    const std::vector<ListedMachine> machines{machine({"small"}, {"debian12"}, {"ssd"}),
                                              machine({"large"}, {"debian13"}, {})};

    BOOST_TEST(
        why_none_fits(machines, {.flavor = "huge", .image = "debian12", .tags = {"gpu"}}) ==
        "no machine has the flavor huge (there are large, small); no machine has the tag gpu "
        "(there are ssd)");
    BOOST_TEST(why_none_fits(machines, {.flavor = "small", .image = "debian13", .tags = {"ssd"}}) ==
               "no machine has all of these at once: flavor small, image debian13, tag ssd");
}

BOOST_AUTO_TEST_CASE(words_are_separated_by_commas_and_blanks) {
    BOOST_TEST(
        (split_words(" ssd, rack=7  gpu,,") == std::vector<std::string>{"ssd", "rack=7", "gpu"}));
    BOOST_TEST(split_words("").empty());
}
