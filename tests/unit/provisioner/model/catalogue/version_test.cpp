#include "provisioner/model/catalogue/version.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::model;

namespace {

CatalogueVersion line(long long id, int version, VersionAct act) {
    return {.id = id, .version = version, .act = act, .written_by = "user" + std::to_string(id)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(
    an_entry_that_was_deleted_and_created_anew_is_told_apart_from_the_earlier_one) {
    const std::vector<CatalogueVersion> before{line(7, 1, VersionAct::create)};
    const SeenVersion seen = present_version(1, before).seen;
    const std::vector<CatalogueVersion> after{line(11, 1, VersionAct::create),
                                              line(9, 1, VersionAct::remove), before.front()};

    const auto present = present_version(1, after);

    BOOST_TEST(is_in_force(present_version(1, before), seen));
    BOOST_TEST(!is_in_force(present, seen));
    BOOST_TEST(is_created_anew(present, seen));
    BOOST_REQUIRE(present.begun.has_value());
    BOOST_TEST(present.begun->written_by == "user11");
    // Whoever knows no line compares numbers.
    BOOST_TEST(is_in_force(present, {.version = 1}));
    BOOST_TEST(!is_created_anew(present, {.version = 1}));
}

BOOST_AUTO_TEST_CASE(a_change_of_an_entry_that_was_never_deleted_makes_no_other_entry) {
    const SeenVersion seen{.version = 1, .line = 7};
    // What began it is not kept, or it is.
    const auto forgotten = present_version(3, {line(9, 3, VersionAct::change)});
    const auto present =
        present_version(2, {line(9, 2, VersionAct::restore), line(7, 1, VersionAct::create)});

    BOOST_TEST(!is_in_force(present, seen));
    BOOST_TEST(!is_created_anew(present, seen));
    BOOST_TEST(!is_created_anew(forgotten, seen));
    BOOST_TEST(!forgotten.begun.has_value());
}

BOOST_AUTO_TEST_CASE(a_deletion_leaves_nothing_that_was_begun) {
    const auto gone =
        present_version(0, {line(9, 1, VersionAct::remove), line(7, 1, VersionAct::create)});

    BOOST_TEST(!gone.exists());
    BOOST_TEST(!gone.begun.has_value());
    BOOST_TEST((gone.seen == SeenVersion{.version = 0, .line = 9}));
    BOOST_TEST((present_version(1, {}).seen == SeenVersion{.version = 1, .line = 0}));
}
