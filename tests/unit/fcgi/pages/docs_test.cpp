#include "fcgi/pages/docs.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "fcgi/api/openapi.hpp"

using fcgi::pages::calls_json;
using provisioner::base::Json;

BOOST_AUTO_TEST_SUITE(docs)

namespace {

std::size_t calls_of(const Json& groups) {
    std::size_t calls = 0;
    for (const Json& group : groups) calls += group.at("calls").size();
    return calls;
}

}  // namespace

BOOST_AUTO_TEST_CASE(calls_are_grouped_by_their_tag_in_the_order_of_the_tags) {
    const Json get{{"tags", {"Two"}}, {"summary", "Reads."}};
    const Json post{{"tags", {"One"}}, {"summary", "Writes."}};
    const Json document{{"tags", {{{"name", "One"}}, {{"name", "Two"}}}},
                        {"paths", {{"/v2/things", {{"get", get}, {"post", post}}}}}};

    const Json groups = calls_json(document);

    BOOST_REQUIRE(groups.size() == 2U);
    BOOST_TEST(groups[0].at("tag") == "One");
    BOOST_TEST(groups[0].at("calls")[0].at("method") == "POST");
    BOOST_TEST(groups[0].at("calls")[0].at("path") == "/v2/things");
    BOOST_TEST(groups[1].at("calls")[0].at("summary") == "Reads.");
}

BOOST_AUTO_TEST_CASE(every_call_of_the_api_is_listed_without_scripts_once) {
    const Json document = fcgi::api::openapi_document();
    std::size_t expected = 0;
    for (const auto& [path, item] : document.at("paths").items()) {
        for (const auto& [method, call] : item.items()) {
            expected += call.is_object() && call.contains("operationId") ? 1 : 0;
        }
    }
    const Json groups = calls_json(document);

    BOOST_TEST(expected > 100U);
    BOOST_TEST(calls_of(groups) == expected);
    BOOST_TEST(
        std::ranges::none_of(groups, [](const Json& one) { return one.at("calls").empty(); }));
}

BOOST_AUTO_TEST_SUITE_END()
