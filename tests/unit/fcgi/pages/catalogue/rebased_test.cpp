#include "fcgi/pages/catalogue/builder/rebased.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/builder/template_form.hpp"
#include "fcgi/pages/catalogue/builder/template_page.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using Words = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(rebased_entries)

namespace {

constexpr auto template_kind = CatalogueKind::cluster_template;

Json template_with(const char* members) {
    Json json = Json::parse(members);
    json["name"] = "shop";
    return json;
}

void check_words(const Words& words, const Words& wanted) {
    BOOST_CHECK_EQUAL_COLLECTIONS(words.begin(), words.end(), wanted.begin(), wanted.end());
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_only_one_of_two_editors_changed_is_kept_of_both) {
    const auto both = rebased_entry(
        template_kind, template_with(R"({"label":"Shop","description":"old","version":1,
                          "constraints":{"size":{"min":1,"max":9}}})"),
        template_with(R"({"label":"My shop","description":"old",
                          "constraints":{"size":{"min":1,"max":9}}})"),
        template_with(R"({"label":"Shop","description":"new","version":2,
                          "constraints":{"size":{"min":1,"max":20}}})"));

    BOOST_TEST_REQUIRE(both.has_value());
    BOOST_TEST(both->document.at("label") == "My shop");
    BOOST_TEST(both->document.at("description") == "new");
    BOOST_TEST(both->document.at("constraints").at("size").at("max") == 20);
    BOOST_TEST(!both->document.contains("version"));
    check_words(both->theirs, {"Description", "Maximum machines"});
    BOOST_TEST(both->clashes.empty());
}

BOOST_AUTO_TEST_CASE(what_both_editors_changed_is_named_and_stays_as_it_was_typed) {
    const auto both = rebased_entry(template_kind, template_with(R"({"label":"Shop"})"),
                                    template_with(R"({"label":"My shop"})"),
                                    template_with(R"({"label":"Their shop"})"));

    BOOST_TEST_REQUIRE(both.has_value());
    BOOST_TEST(both->document.at("label") == "My shop");
    check_words(both->theirs, {});
    BOOST_TEST_REQUIRE(both->clashes.size() == 1U);
    BOOST_TEST((both->clashes.front() == EntryClash{"label", "Label", "My shop", "Their shop"}));
    BOOST_TEST(!rebased_entry(template_kind, Json::array(), Json::object(), Json::object()));
}

BOOST_AUTO_TEST_CASE(the_form_says_what_saving_replaces_and_what_stays) {
    TemplatePage page{.form = new_template_form(template_kind)};
    page.form.was = "shop";
    page.newer = "3";
    page.clashing = {{"label", "Label", "My shop", "Their shop"},
                     {"constraints.services.db.quantities.min", "Minimum machines of db", "", "2"}};
    page.taken_over = {"Lease"};
    const Json json = to_json(page);

    BOOST_TEST(json.at("replaces") ==
               "What else version 3 changed stays: Lease. Saving it now replaces what version 3 "
               "says of these:");
    const Json& clashes = json.at("clashes");
    BOOST_TEST(clashes.at(0).at("clashing") == "Label");
    BOOST_TEST(clashes.at(0).at("clash") == "My shop below, Their shop in version 3");
    BOOST_TEST(clashes.at(0).at("clash_href") == "#t-label");
    BOOST_TEST(clashes.at(1).at("clash") == "empty below, 2 in version 3");
    BOOST_TEST(clashes.at(1).at("clash_href") == "#limits");
    page.clashing.clear();
    page.newer.clear();
    BOOST_TEST(to_json(page).at("taken_over") ==
               "Somebody else saved this template meanwhile. What that changed stays: "
               "Lease.");
}

BOOST_AUTO_TEST_CASE(a_template_that_was_deleted_while_it_was_edited_is_made_anew) {
    TemplatePage page{.form = new_template_form(template_kind)};
    page.form.was = "shop";
    page.form.name = "shop";
    page.form.version = "3";
    page.problems = {{"version", "Cluster template shop was deleted meanwhile."}};

    begin_anew(page);

    const Json json = to_json(page);
    BOOST_TEST(json.at("is_new") == true);
    BOOST_TEST(json.at("was") == "");
    BOOST_TEST(page.form.name == "shop");
    BOOST_TEST(json.at("problems").size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
