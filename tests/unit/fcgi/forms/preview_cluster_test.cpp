#include "fcgi/forms/preview_cluster.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using provisioner::base::Json;
using provisioner::operations::Explain;

BOOST_AUTO_TEST_SUITE(preview_cluster)

namespace {

std::string problems_of(const std::string& sizes) {
    const auto form = forms::preview_cluster(Json::parse("{\"sizes\": " + sizes + "}"));
    return form ? "none" : provisioner::base::to_text(form.error());
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_create_says_comes_with_what_to_show) {
    const auto form =
        forms::preview_cluster(Json::parse(R"({"name": "c", "numMachines": 3, "explain": true,
                        "sizes": {"from": 2, "to": "5"}})"));
    BOOST_TEST(form->wanted.name == "c");
    BOOST_TEST(form->wanted.machines == 3);
    BOOST_TEST((form->explain == Explain::yes));
    BOOST_TEST(form->sizes->from == 2);
    BOOST_TEST(form->sizes->to == 5);
}

BOOST_AUTO_TEST_CASE(nothing_more_is_shown_than_asked_for) {
    const auto form = forms::preview_cluster(Json::parse(R"({"name": "c"})"));
    BOOST_TEST((form->explain == Explain::no));
    BOOST_TEST(!form->sizes.has_value());
}

BOOST_AUTO_TEST_CASE(a_range_that_is_none_is_refused_by_name) {
    BOOST_TEST(problems_of("[]") == "sizes: must be an object");
    BOOST_TEST(problems_of("{}") == "sizes.from: must be given; sizes.to: must be given");
    BOOST_TEST(problems_of(R"({"from": 0, "to": 3})") == "sizes.from: must be at least 1");
    BOOST_TEST(problems_of(R"({"from": 4, "to": 3})") == "sizes.to: must not be less than from");
    BOOST_TEST(problems_of(R"({"from": 1, "to": 2147483647})") ==
               "sizes.to: must not be more than 49 above from");
    BOOST_TEST(problems_of(R"({"from": 1, "to": 50})") == "none");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_the_create_is_told_as_well) {
    const auto form = forms::preview_cluster(
        Json::parse(R"({"numMachines": [], "sizes": {"from": 0, "to": 0}})"));
    BOOST_TEST(provisioner::base::to_text(form.error()) ==
               "numMachines: must be a whole number of at most 2147483647; sizes.from: must be at "
               "least 1");
}

BOOST_AUTO_TEST_SUITE_END()
