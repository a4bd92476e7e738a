#include "provisioner/operations/catalogue/edit.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::operations::canonical_entry;

namespace {

Json image(const std::string& key, std::size_t length) {
    return {{"name", "deb"}, {"providermap", {{"cloud", {{key, std::string(length, 'x')}}}}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_nodes_keep_of_a_provider_map_has_to_fit_their_columns) {
    for (const CatalogueKind kind : {CatalogueKind::hardware_type, CatalogueKind::image_type}) {
        for (const char* key : {"flavor", "image", "sshuser"}) {
            BOOST_TEST(canonical_entry(kind, image(key, 255)).has_value());
            const auto entry = canonical_entry(kind, image(key, 256));
            BOOST_REQUIRE(!entry.has_value());
            BOOST_TEST(entry.error().front().field == std::string("providermap.cloud.") + key);
            BOOST_TEST(entry.error().front().message ==
                       std::string(key) + " of provider cloud must not exceed 255 characters.");
        }
        BOOST_TEST(canonical_entry(kind, image("other", 5000)).has_value());
    }
}
