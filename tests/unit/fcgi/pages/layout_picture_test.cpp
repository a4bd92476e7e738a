#include "fcgi/pages/layout_picture.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;

BOOST_AUTO_TEST_SUITE(layout_picture)

namespace {

PictureRow row(const std::string& title, const std::string& subtitle, CellLook look) {
    return {.title = title, .subtitle = subtitle, .cells = {look}};
}

/// `count` equal machines, "m1" and so on, behind one of another kind.
LayoutPicture one_and(std::size_t count) {
    LayoutPicture picture{.columns = {"web"}, .rows = {row("m0", "large", CellLook::planned)}};
    for (std::size_t at = 1; at <= count; ++at) {
        picture.rows.push_back(row("m" + std::to_string(at), "small", CellLook::planned));
    }
    return picture;
}

}  // namespace

BOOST_AUTO_TEST_CASE(few_machines_have_a_row_each) {
    LayoutPicture picture = one_and(most_single_machines - 1);

    BOOST_TEST(fit_for_preview(picture) == 0U);

    BOOST_TEST(picture.rows.size() == most_single_machines);
    BOOST_TEST(picture.rows.back().title == "m11");
}

BOOST_AUTO_TEST_CASE(equal_ones_of_many_machines_share_a_row) {
    LayoutPicture picture = one_and(59);
    picture.rows.push_back(row("last", "small", CellLook::none));

    BOOST_TEST(fit_for_preview(picture) == 0U);

    BOOST_REQUIRE(picture.rows.size() == 3U);
    BOOST_TEST(picture.rows[0].title == "m0");
    BOOST_TEST(picture.rows[1].title == "59 machines");
    BOOST_TEST(picture.rows[1].subtitle == "small");
    BOOST_TEST(picture.rows[2].title == "last");
}

BOOST_AUTO_TEST_CASE(machines_of_rows_that_are_left_out_are_counted) {
    LayoutPicture picture;
    for (std::size_t at = 0; at < rows_of_the_picture; ++at) {
        picture.rows.push_back(row("m", "type " + std::to_string(at), CellLook::planned));
    }
    for (int i = 0; i < 5; ++i) picture.rows.push_back(row("m", "other", CellLook::planned));

    const auto left_out = fit_for_preview(picture);

    BOOST_TEST(left_out == 5U);
    BOOST_TEST(picture.rows.size() == rows_of_the_picture);
    BOOST_TEST(more_machines(left_out) == "and 5 more machines");
    BOOST_TEST(more_machines(0) == "");
}

BOOST_AUTO_TEST_SUITE_END()
