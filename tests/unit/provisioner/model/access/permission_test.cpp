#include "provisioner/model/access/permission.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/catalogue/hardware_type.hpp"

using namespace provisioner::model;
namespace base = provisioner::base;

BOOST_AUTO_TEST_SUITE(permission)

BOOST_AUTO_TEST_CASE(only_the_entry_of_that_kind_and_name_is_withheld) {
    const Withheld withheld({{CatalogueKind::hardware_type, "gpu"}});

    BOOST_TEST(withheld.contains(CatalogueKind::hardware_type, "gpu"));
    BOOST_TEST(!withheld.contains(CatalogueKind::hardware_type, "gp"));
    BOOST_TEST(!withheld.contains(CatalogueKind::image_type, "gpu"));
    BOOST_TEST(!Withheld().contains(CatalogueKind::hardware_type, "gpu"));
}

BOOST_AUTO_TEST_CASE(what_is_taken_from_a_list_is_told) {
    std::vector<HardwareType> types(3);
    types[0].header.name = "small";
    types[1].header.name = "gpu";
    types[2].header.name = "huge";
    const Withheld withheld(
        {{CatalogueKind::hardware_type, "gpu"}, {CatalogueKind::image_type, "small"}});

    const auto taken = withheld.take_from(types, CatalogueKind::hardware_type);

    BOOST_REQUIRE(types.size() == 2U);
    BOOST_TEST(types[0].header.name == "small");
    BOOST_REQUIRE(taken.size() == 1U);
    BOOST_TEST(taken[0] == "gpu");
}

BOOST_AUTO_TEST_CASE(every_kind_has_a_collection_of_its_own) {
    for (const auto& [kind, word] : base::words<CatalogueKind>) {
        BOOST_TEST((kind_of_collection(collection_of(kind)) == kind), word);
    }
    BOOST_TEST(!kind_of_collection("nope"));
}

BOOST_AUTO_TEST_SUITE_END()
