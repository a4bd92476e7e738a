#include "provisioner/operations/prices/unpriced.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using base::Json;
using model::CatalogueKind;

BOOST_AUTO_TEST_SUITE(unpriced)

namespace {

/// Two providers, of which the second has one type and no image.
operations::CatalogueEntries a_catalogue() {
    operations::CatalogueEntries entries;
    const auto provider = [](const char* name) {
        return Json{{"name", name}, {"providertype", "simulated"}, {"provisioner", Json::object()}};
    };
    entries[CatalogueKind::provider] = {provider("east"), provider("west")};
    entries[CatalogueKind::hardware_type] = {
        Json::parse(R"({"name":"large","providermap":{"east":{"flavor":"l"}}})"),
        Json::parse(R"({"name":"small","providermap":{"east":{"flavor":"s"},
                                                      "west":{"flavor":"s"}}})")};
    entries[CatalogueKind::image_type] = {
        Json::parse(R"({"name":"debian","providermap":{"east":{"image":"deb"}}})"),
        Json::parse(R"({"name":"windows","providermap":{"east":{"image":"win"}}})")};
    return entries;
}

std::string without_price(const std::vector<model::Price>& prices) {
    const auto kinds = operations::kinds_of_types(a_catalogue(), {});
    std::string words;
    for (const auto& [type, provider] :
         operations::types_without_price(kinds, model::Prices(prices), "USD", {})) {
        words += type + '@' + provider + ' ';
    }
    return words;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_type_without_a_price_at_a_provider_is_found) {
    const model::Price all{.of = {"simulated", "", "", "*", ""}, .per_hour = {"USD", 1}};
    const model::Price small{.of = {"simulated", "east", "", "s", "deb"}, .per_hour = {"USD", 1}};
    const model::Price euros{.of = {"simulated", "", "", "*", ""}, .per_hour = {"EUR", 1}};

    BOOST_TEST(without_price({all}) == "");
    BOOST_TEST(without_price({}) == "large@east small@east small@west ");
    // With one image it has a price.
    BOOST_TEST(without_price({small}) == "large@east small@west ");
    BOOST_TEST(without_price({euros}) == "large@east small@east small@west ");
}

BOOST_AUTO_TEST_SUITE_END()
